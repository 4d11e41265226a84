import GNSS

/// Sees from the fixes as a whole whether the receiver moves, stands, or a fix is off.
package struct MotionWatch: Sendable {
  /// A receiver's speed below this is noise (m/s): low-cost ones show up to 0.3 m/s at rest, and
  /// single ones among tall buildings more.
  package static let movingSpeed = 1.0
  /// Below this it may be at rest (m/s).
  package static let restSpeed = 0.5
  /// So many fixes in a row must say so.
  package static let movingCount = 3
  /// For so long the speed must say so.
  package static let restSpan = Duration.seconds(20)
  /// Where the clock stands still between two fixes, at least this is taken to have passed.
  package static let shortestSpan = Duration.milliseconds(100)

  private struct Seen {
    var place: Place
    var boottime: Monotonic
  }

  /// The last fix that fitted to those before it.
  private var confirmed: Seen?
  /// The last one, where it did not.
  private var suspect: Seen?
  private var movingCount = 0
  private var restSince: Monotonic?

  package init() {}

  /// Takes a fix in and completes it.
  /// - Parameter plausibleSpeed: Faster is a jump, m/s.
  package mutating func observe(_ sighting: inout Sighting, plausibleSpeed: Double) {
    sighting.isJump = isJump(
      Seen(place: sighting.place, boottime: sighting.now.boottime), plausibleSpeed)
    guard let speed = sighting.fix.speed, speed.isFinite else {
      (movingCount, restSince) = (0, nil)
      return
    }
    let noise = Place.certainty * (sighting.fix.speedAccuracy ?? 0)
    movingCount = speed >= max(Self.movingSpeed, noise) ? movingCount + 1 : 0
    restSince = speed < Self.restSpeed ? restSince ?? sighting.now.boottime : nil
    sighting.isMoving = movingCount >= Self.movingCount
    sighting.isAtRest = restSince.map { sighting.now.boottime - $0 >= Self.restSpan } ?? false
  }

  /// A jump is told of once: a fix that fits to the suspect one confirms it, and one that fits to
  /// those before shows that the suspect one was off.
  private mutating func isJump(_ seen: Seen, _ plausibleSpeed: Double) -> Bool {
    let fits = { (earlier: Seen?) in
      earlier.map { Self.isPlausible(from: $0, to: seen, speed: plausibleSpeed) } ?? false
    }
    if confirmed != nil, !fits(confirmed), !fits(suspect) {
      suspect = seen
      return true
    }
    (confirmed, suspect) = (seen, nil)
    return false
  }

  private static func isPlausible(from start: Seen, to end: Seen, speed: Double) -> Bool {
    let span = max(end.boottime - start.boottime, shortestSpan).inSeconds
    let slack = Place.certainty * start.place.uncertainty(to: end.place)
    return start.place.distance(to: end.place) <= speed * span + slack
  }
}
