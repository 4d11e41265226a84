import GNSS

/// Remembers when the service manager must hear that the daemon's loop still turns.
struct Watchdog {
  /// Half of what the manager allows, so that one late turn costs nothing.
  private let pause: Duration
  /// `.never` where nobody watches.
  private(set) var deadline: Monotonic

  /// - Parameter period: What the manager allows between two signs of life; `nil` for no watch.
  init(period: Duration?, at now: Monotonic) {
    pause = period.map { $0 / 2 } ?? .zero
    deadline = period == nil ? .never : now + pause
  }

  /// Whether a sign of life is due; then the next one is due a pause later.
  mutating func isDue(at now: Monotonic) -> Bool {
    guard now >= deadline else { return false }
    deadline = now + pause
    return true
  }
}
