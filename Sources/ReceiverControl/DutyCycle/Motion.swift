import GNSS

/// What the fixes tell of the receiver's movement: its speed, and whether it rests.
package struct Motion: Equatable, Sendable {
  /// m/s, averaged over about half a minute.
  package private(set) var speed: Double?
  /// Metres, 68 %, of the last fix.
  package private(set) var accuracy = 0.0
  private var last: (position: Coordinate, instant: Monotonic)?
  private var anchor: Coordinate?
  private var restingSince: Monotonic?

  /// The time constant of the average.
  package static let speedTime = 30.0
  /// So long without leaving its place, and it rests.
  package static let restTime = Duration.seconds(60)
  /// Slower is not told from standing.
  package static let speedMin = 0.5

  package init() {}

  package static func == (left: Motion, right: Motion) -> Bool {
    left.speed == right.speed && left.accuracy == right.accuracy && left.anchor == right.anchor
      && left.restingSince == right.restingSince
  }

  /// The speed to reckon with: unknown counts as the activity's brisk pace.
  package func paceOrGuess(_ activity: Activity) -> Double {
    max(speed ?? activity.topSpeed / 4, Self.speedMin)
  }

  /// How long it has rested; `nil` while it moves, or stopped a moment ago.
  package func restedTime(at now: Monotonic) -> Duration? {
    restingSince.map { now - $0 }.flatMap { $0 >= Self.restTime ? $0 : nil }
  }

  /// Takes a fix in.
  package mutating func take(
    _ position: Coordinate, accuracy: Double, speed measured: Double?, activity: Activity,
    at now: Monotonic
  ) {
    self.accuracy = accuracy
    let distance = anchor.map { $0.planarDistance(to: position) } ?? .infinity
    let displacement = last.map { $0.position.planarDistance(to: position) } ?? 0
    let span = last.map { (now - $0.instant).inSeconds } ?? 0
    // Between rare fixes the way tells more than the speed of one moment; noise is not a way.
    let travelled = span > 0 ? max(0, displacement - 2 * accuracy) / span : 0
    let current = max(measured ?? travelled, span > Self.speedTime ? travelled : 0)
    if let speed, span > 0 {
      self.speed = speed + (current - speed) * min(1, span / Self.speedTime)
    } else {
      speed = current
    }
    if distance > max(20, 3 * accuracy) || current > activity.restSpeed {
      anchor = position
      restingSince = now
    } else if restingSince == nil {
      restingSince = now
    }
    last = (position, now)
  }
}
