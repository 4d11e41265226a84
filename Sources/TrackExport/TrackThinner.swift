import FixLog
import GNSS

/// Leaves out fixes that add little to a track.
///
/// Distances and times are taken from the last fix that was kept, never from one that was left out:
/// the slow drift of many short steps is kept, too. Where fixes are left out for their distance and
/// the receiver comes to rest, that fix is kept once, so that a track ends where and when the
/// journey did.
package struct TrackThinner: Sendable {
  /// Metres from the last fix kept. `nil`: any.
  package var distanceMin: Double?
  /// Since the last fix kept. `nil`: any.
  package var period: Duration?

  /// Slower than this is rest. m/s.
  private static let restSpeed = 0.3

  private struct Track {
    var kept: (time: UTCTime?, position: Coordinate)?
    var wasMoving = false
    /// Whether a fix that was left out started a segment.
    var isBroken = false
  }

  private var tracks = ReceiverTracks<Track>()

  package init(distanceMin: Double?, period: Duration?) {
    (self.distanceMin, self.period) = (distanceMin, period)
  }

  /// - Returns: Whether the record starts a segment of what is kept; `nil` to leave it out.
  package mutating func keep(_ record: LogRecord, startsSegment: Bool) -> Bool? {
    guard distanceMin != nil || period != nil, case .fix(let fix, let stream) = record.content,
      let position = fix.position
    else { return startsSegment }
    var track = tracks[stream.receiverID] ?? Track()
    defer { tracks.set(track, of: stream.receiverID) }
    let isMoving = fix.speed.map { $0 > Self.restSpeed }
    let comesToRest = distanceMin != nil && track.wasMoving && isMoving == false
    track.wasMoving = isMoving ?? track.wasMoving
    track.isBroken = track.isBroken || startsSegment
    guard track.isBroken || comesToRest || isWanted(record.time, position, after: track.kept) else {
      return nil
    }
    track.kept = (record.time, position)
    defer { track.isBroken = false }
    return track.isBroken
  }

  private func isWanted(
    _ time: UTCTime?, _ position: Coordinate, after kept: (time: UTCTime?, position: Coordinate)?
  ) -> Bool {
    guard let kept else { return true }
    if let distanceMin, kept.position.distance(to: position) < distanceMin { return false }
    if let period, let time, let last = kept.time, time >= last, time - last < period {
      return false
    }
    return true
  }
}
