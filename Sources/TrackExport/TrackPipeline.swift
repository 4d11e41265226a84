import FixLog
import GNSS

/// What happens to records between the log and a format: they are cut into segments, smoothed,
/// thinned out and counted, in this order.
package struct TrackPipeline {
  package private(set) var statistics = TrackStatistics()
  private let keepsStatistics: Bool
  private let cutsSegments: Bool
  private var segmenter = Segmenter()
  private var smoother: TrackSmoother?
  private var thinner: TrackThinner?

  /// - Parameters:
  ///   - smooths: Then the records between two calls of `finish` must be of one receiver.
  ///   - cutsSegments: Whether the format shows them.
  ///   - keepsStatistics: Without, only the spikes are counted; each distance is a geodesic.
  package init(
    thinner: TrackThinner? = nil, smooths: Bool = false, cutsSegments: Bool = true,
    keepsStatistics: Bool = true
  ) {
    (self.thinner, self.keepsStatistics) = (thinner, keepsStatistics)
    self.cutsSegments = cutsSegments || thinner != nil || smooths || keepsStatistics
    smoother = smooths ? TrackSmoother() : nil
  }

  /// Takes in the next record of the log.
  /// - Parameter emit: Is handed what the format shall show, and whether it starts a segment.
  package mutating func add(_ record: LogRecord, emit: (LogRecord, Bool) -> Void) {
    let startsSegment = cutsSegments && segmenter.startsSegment(record)
    guard var smoother else { return pass(record, startsSegment, emit) }
    self.smoother = nil
    smoother.add(record, startsSegment: startsSegment) { pass($0, $1, emit) }
    self.smoother = smoother
  }

  /// Hands out what was held back: at the end of the log, or of a receiver's pass through it.
  package mutating func finish(emit: (LogRecord, Bool) -> Void) {
    guard var smoother else { return }
    smoother.finish { pass($0, $1, emit) }
    statistics.spikeCount = smoother.spikeCount
    self.smoother = smoother
  }

  /// Counts an event and gives it its place; `nil` for other records.
  package mutating func placed(_ record: LogRecord, at place: Coordinate?) -> PlacedEvent? {
    guard let event = PlacedEvent(record, at: place) else { return nil }
    if keepsStatistics { statistics.add(record, startsSegment: false) }
    return event
  }

  private mutating func pass(
    _ record: LogRecord, _ startsSegment: Bool, _ emit: (LogRecord, Bool) -> Void
  ) {
    var startsSegment = startsSegment
    if thinner != nil {
      guard let kept = thinner?.keep(record, startsSegment: startsSegment) else { return }
      startsSegment = kept
    }
    if keepsStatistics { statistics.add(record, startsSegment: startsSegment) }
    emit(record, startsSegment)
  }
}
