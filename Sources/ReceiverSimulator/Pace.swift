import GNSS

/// When what is due at an instant of the recording is sent. Reads no clock.
///
/// While nobody reads, the recording stands still, so that a reader that comes misses nothing.
package struct Pace: Equatable, Sendable {
  /// How many seconds of the recording pass in one. Above zero.
  package let speed: Double
  /// When the recording began, or would have begun without the pauses.
  private var origin: Monotonic
  private var pausedAt: Monotonic?

  /// A recording that begins at `now`, standing still until it is resumed where `isPaused`.
  package init(speed: Double, from now: Monotonic, isPaused: Bool) {
    (self.speed, origin, pausedAt) = (speed, now, isPaused ? now : nil)
  }

  package var isPaused: Bool { pausedAt != nil }

  package mutating func pause(at now: Monotonic) {
    if pausedAt == nil { pausedAt = now }
  }

  /// - Parameter delay: What the recording waits on top, before it goes on.
  package mutating func resume(at now: Monotonic, delay: Duration = .zero) {
    guard let pausedAt else { return }
    origin = origin + (now - pausedAt) + delay
    self.pausedAt = nil
  }

  /// When that which lies `due` behind the recording's begin is to be sent; never while it stands.
  package func instant(of due: Duration) -> Monotonic {
    guard pausedAt == nil else { return .never }
    let nanoseconds = Double(due.wholeNanoseconds) / speed
    return origin + .nanoseconds(Int64(exactly: nanoseconds.rounded()) ?? .max)
  }
}
