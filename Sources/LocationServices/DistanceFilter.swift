import GNSS

/// Decides which fixes are far enough from the last delivered one to be delivered too.
package struct DistanceFilter: Sendable {
  /// Metres; `nil` lets every fix through.
  package let distance: Double?

  /// A fix that is older than the delivered one by less than this came out of order or repeats
  /// itself, and is dropped. One that is older by more shows that the receiver's clock was
  /// corrected: waiting until it catches up would stop the stream.
  package static let reorderSpan = Duration.seconds(5)

  private struct Delivered {
    var place: Place
    var time: UTCTime?
    var boottime: Monotonic
    var isMoving: Bool
  }

  private var last: Delivered?

  package init(distance: Double?) { self.distance = distance }

  /// Forgets the last delivery: the next fix is let through.
  package mutating func reset() { last = nil }

  /// Notes a fix that is delivered for another reason.
  package mutating func note(_ sighting: Sighting) {
    last = Delivered(
      place: sighting.place, time: sighting.fix.time, boottime: sighting.now.boottime,
      isMoving: sighting.isMoving)
  }

  /// Whether the fix is to be delivered; if so, the next ones are measured from it.
  package mutating func admits(_ sighting: Sighting) -> Bool {
    guard let last else {
      note(sighting)
      return true
    }
    guard !isStale(sighting, last), isFarEnough(sighting, last) else { return false }
    note(sighting)
    return true
  }

  private func isStale(_ sighting: Sighting, _ last: Delivered) -> Bool {
    if sighting.now.boottime < last.boottime { return true }
    guard let time = sighting.fix.time, let lastTime = last.time else { return false }
    return time <= lastTime && lastTime - time < Self.reorderSpan
  }

  /// A move counts when it exceeds its own uncertainty: once where the speed bears it out, and
  /// three times where nothing else tells it from noise. Besides, the stop behind a move counts,
  /// once: else the last fix delivered would be one in full motion, short of the place.
  private func isFarEnough(_ sighting: Sighting, _ last: Delivered) -> Bool {
    guard let distance else { return true }
    if last.isMoving, sighting.isAtRest { return true }
    let moved = last.place.distance(to: sighting.place)
    guard moved >= distance else { return false }
    let uncertainty = last.place.uncertainty(to: sighting.place)
    return moved >= uncertainty * (sighting.isMoving ? 1 : Place.certainty)
  }
}
