import FixLog
import GNSS

/// A fix that has a place on a map.
struct TrackPoint {
  /// With the time that the log found for it.
  let fix: Fix
  let position: Coordinate
  let receiver: String
  let receiverID: UInt64

  init?(_ record: LogRecord) {
    guard case .fix(let fix, let stream) = record.content, fix.hasPosition,
      let position = fix.position, position.isValid
    else { return nil }
    self.fix = record.dated(fix)
    self.position = position
    (receiver, receiverID) = (stream.name, stream.receiverID)
  }
}

/// Where a track format stands: which receiver's track is open and what its last instant was.
struct TrackState {
  enum Step: Equatable {
    /// The point repeats the instant of the one before it.
    case dropped
    case continues
    case startsSegment
    case startsTrack(isFirst: Bool)
  }

  private var receiverID: UInt64?
  private var last: UTCTime?
  /// Whether a segment had to start at a point that was dropped.
  private var isBroken = false

  var isEmpty: Bool { receiverID == nil }

  mutating func next(_ point: TrackPoint, startsSegment: Bool) -> Step {
    let time = point.fix.time
    if receiverID != point.receiverID {
      defer { (receiverID, last, isBroken) = (point.receiverID, time, false) }
      return .startsTrack(isFirst: receiverID == nil)
    }
    if let last, time == last {
      isBroken = isBroken || startsSegment
      return .dropped
    }
    let wentBack = time.flatMap { time in last.map { time < $0 } } ?? false
    defer { (last, isBroken) = (time ?? last, false) }
    return startsSegment || isBroken || wentBack ? .startsSegment : .continues
  }
}
