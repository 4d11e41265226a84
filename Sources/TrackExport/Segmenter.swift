import FixLog
import GNSS

/// Cuts the fixes of each receiver into stretches without holes.
///
/// A hole is a step of time that is longer than 10 s and than five usual steps, a step back, or a
/// gap that the log itself tells of. The usual step is the last one that was no hole; after two
/// holes in a row the receiver is taken to have changed its pace.
package struct Segmenter: Sendable {
  package static let shortestGap = Duration.seconds(10)
  package static let usualStepMultiple = 5
  private static let gapsInRowMax = 2

  private struct Track {
    var name: String
    var time: UTCTime?
    var usualStep: Duration?
    var gapsInRow = 0
    var isBroken = false

    mutating func startsSegment(at instant: UTCTime?) -> Bool {
      let wasBroken = isBroken
      isBroken = false
      guard let instant else { return wasBroken }
      defer { time = instant }
      guard let last = time else { return wasBroken }
      let step = instant - last
      if step < .zero { return true }
      // The first step of all tells the pace.
      let usual = usualStep ?? step
      let isGap = step > Segmenter.shortestGap && step > usual * Segmenter.usualStepMultiple
      guard isGap, gapsInRow < Segmenter.gapsInRowMax else {
        if step > .zero { usualStep = step }
        gapsInRow = 0
        return wasBroken
      }
      gapsInRow += 1
      return true
    }
  }

  private var tracks = ReceiverTracks<Track>()

  package init() {}

  /// Whether the record is a fix that starts a segment. Every record must pass here, in the log's
  /// order.
  package mutating func startsSegment(_ record: LogRecord) -> Bool {
    switch record.content {
    case .fix(_, let stream): return startsSegment(at: record.time, of: stream)
    case .event(let event):
      switch event.kind {
      case .gap, .recordsLost: breakTracks(of: event[.receiver])
      default: break
      }
      return false
    case .clock: return false
    }
  }

  private mutating func startsSegment(at time: UTCTime?, of stream: StreamDescriptor) -> Bool {
    if let starts = tracks.update(stream.receiverID, { $0.startsSegment(at: time) }) {
      return starts
    }
    tracks.add(Track(name: stream.name, time: time), of: stream.receiverID)
    return true
  }

  /// - Parameter receiver: The receiver that missed fixes; `nil` where it may be any.
  private mutating func breakTracks(of receiver: EventValue?) {
    tracks.updateEach { track in
      if receiver == nil || receiver == .text(track.name) { track.isBroken = true }
    }
  }
}
