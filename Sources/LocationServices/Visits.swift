import GNSS

/// A stay at one place. As in Core Location it is told on arrival, then without an end, and on
/// departure.
package struct Visit: Equatable, Sendable {
  package var coordinate: Coordinate
  /// Metres, 68 %.
  package var horizontalAccuracy: Double
  package var arrival: UTCTime
  /// `nil` while still there (Core Location's `distantFuture`).
  package var departure: UTCTime?

  package init(
    coordinate: Coordinate, horizontalAccuracy: Double, arrival: UTCTime,
    departure: UTCTime? = nil
  ) {
    (self.coordinate, self.horizontalAccuracy) = (coordinate, horizontalAccuracy)
    (self.arrival, self.departure) = (arrival, departure)
  }
}

/// Finds the visits in a stream of fixes. Works on UTC, so that a visit outlives a reboot: fixes
/// without a date are left out.
package struct VisitWatch: Sendable {
  /// Metres that a visit may be wide.
  package static let radius = 100.0
  /// A shorter stay is none.
  package static let span = Duration.seconds(300)
  /// So long a stay must be before it is worth writing down that it may become a visit: then a
  /// restart does not forget when it began.
  package static let notedSpan = Duration.seconds(30)
  /// So many fixes in a row must be away before a visit ends.
  package static let awayCount = 2

  package enum Change: Equatable, Sendable {
    /// A stay began that may become a visit. Nobody is told; it is only to be remembered.
    case noted(Visit)
    /// What was noted came to nothing.
    case forgotten
    case arrived(Visit)
    case departed(Visit)
  }

  private var dwell: Dwell?
  private var state = State.moving
  private var lastInside: UTCTime?
  private var awayCount = 0

  private enum State: Sendable {
    case moving
    case noted
    case visiting
  }

  package init() {}

  /// Goes on where the daemon stopped: with a visit, or with a stay that was noted.
  package init(restored visit: Visit, isArrived: Bool) {
    dwell = Dwell(
      restored: Place(visit.coordinate, accuracy: visit.horizontalAccuracy),
      since: Now(boottime: .zero, time: visit.arrival))
    state = isArrived ? .visiting : .noted
  }

  /// The visit that lasts; `nil` while there is none.
  package var current: Visit? {
    guard state == .visiting, let dwell, let arrival = dwell.since.time else { return nil }
    return visit(dwell, since: arrival)
  }

  /// What is to be written down of a stay that may become a visit.
  package var noted: Visit? {
    guard state == .noted, let dwell, let arrival = dwell.since.time else { return nil }
    return visit(dwell, since: arrival)
  }

  /// Takes a fix in; a jump is left out until the next fix tells what it was.
  package mutating func observe(_ sighting: Sighting) -> Change? {
    guard !sighting.isJump, let time = sighting.time else { return nil }
    guard var stay = dwell, let since = stay.since.time, time >= since else {
      begin(sighting, time)
      return nil
    }
    if stay.isLeft(by: sighting.place, radius: Self.radius) {
      awayCount += 1
      if state == .visiting, awayCount < Self.awayCount { return nil }
      // After a restart it may have been left meanwhile: then this is when that was seen.
      let change = ending(stay, since: since, at: lastInside ?? time)
      begin(sighting, time)
      return change
    }
    awayCount = 0
    stay.add(sighting.place, at: Now(boottime: sighting.now.boottime, time: time))
    dwell = stay
    lastInside = time
    return progress(stay, since: since, until: time, sighting)
  }

  private mutating func progress(
    _ stay: Dwell, since: UTCTime, until time: UTCTime, _ sighting: Sighting
  ) -> Change? {
    switch state {
    case .moving, .noted:
      if time - since >= Self.span {
        state = .visiting
        return .arrived(visit(stay, since: since))
      }
      guard state == .moving, time - since >= Self.notedSpan, !sighting.isMoving else { return nil }
      state = .noted
      return .noted(visit(stay, since: since))
    case .visiting: return nil
    }
  }

  private func ending(_ stay: Dwell, since: UTCTime, at end: UTCTime) -> Change? {
    switch state {
    case .moving: return nil
    case .noted: return .forgotten
    case .visiting:
      var visit = visit(stay, since: since)
      visit.departure = end
      return .departed(visit)
    }
  }

  private mutating func begin(_ sighting: Sighting, _ time: UTCTime) {
    dwell = Dwell(sighting.place, since: Now(boottime: sighting.now.boottime, time: time))
    (state, lastInside, awayCount) = (.moving, time, 0)
  }

  private func visit(_ stay: Dwell, since: UTCTime) -> Visit {
    Visit(
      coordinate: stay.place.position, horizontalAccuracy: stay.place.accuracy, arrival: since)
  }
}
