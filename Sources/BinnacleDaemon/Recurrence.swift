import GNSS

/// When something that is done again and again is due.
struct Recurrence {
  private let pause: Duration
  /// `.never` for what is never done.
  private(set) var deadline: Monotonic

  /// - Parameters:
  ///   - first: From now to the first time; a pause where `nil`.
  ///   - pause: From one time to the next; `nil` for never.
  init(first: Duration? = nil, every pause: Duration?, at now: Monotonic) {
    self.pause = pause ?? .zero
    deadline = pause.map { now + (first ?? $0) } ?? .never
  }

  /// Whether it is due; then it is due again a pause later.
  mutating func isDue(at now: Monotonic) -> Bool {
    guard now >= deadline else { return false }
    deadline = now + pause
    return true
  }
}
