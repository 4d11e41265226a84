import GNSS

/// Decides when clients are told that there is no fix: not before three quick retries. Then it goes
/// on trying slowly, for as long as anybody wants a fix.
package struct SearchWatch: Sendable {
  /// So many retries come before clients are told.
  package static let quickRetryCount = 3
  package static let quickInterval = Duration.seconds(2)
  /// A receiver that starts may be silent for so long: about what a cold start takes.
  package static let patience = Duration.seconds(30)
  package static let slowInterval = Duration.seconds(60)
  package static let slowIntervalMax = Duration.seconds(600)

  package enum Action: Equatable, Sendable {
    /// Ask the receiver for a fix again.
    case retry
    /// Tell the clients `locationUnknown`, and ask again all the same.
    case report
  }

  private enum State: Equatable, Sendable {
    case idle
    case starting(until: Monotonic)
    case found
    case retrying(count: Int, next: Monotonic)
    case reported(next: Monotonic, interval: Duration)
  }

  private var state = State.idle

  package init() {}

  /// When it wants to be asked again.
  package var deadline: Monotonic {
    switch state {
    case .idle, .found: .never
    case .starting(let until): until
    case .retrying(_, let next), .reported(let next, _): next
    }
  }

  package var hasFix: Bool { state == .found }

  package var isReported: Bool {
    if case .reported = state { return true }
    return false
  }

  package mutating func begin(at now: Monotonic) {
    if state == .idle { state = .starting(until: now + Self.patience) }
  }

  package mutating func stop() { state = .idle }

  package mutating func fixed() { if state != .idle { state = .found } }

  /// An epoch came without a fix. That is ordinary while a receiver starts.
  package mutating func missed(at now: Monotonic) -> Action? {
    state == .found ? retry(at: now) : nil
  }

  /// The receiver is gone, or an attempt to get a fix was given up.
  package mutating func failed(at now: Monotonic) -> Action? {
    switch state {
    case .starting, .found: retry(at: now)
    case .idle, .retrying, .reported: nil
    }
  }

  package mutating func timerFired(at now: Monotonic) -> Action? {
    guard now >= deadline else { return nil }
    switch state {
    case .idle, .found: return nil
    case .starting: return retry(at: now)
    case .retrying(let count, _) where count < Self.quickRetryCount:
      state = .retrying(count: count + 1, next: now + Self.quickInterval)
      return .retry
    case .retrying:
      state = .reported(next: now + Self.slowInterval, interval: Self.slowInterval)
      return .report
    case .reported(_, let interval):
      let longer = min(interval * 2, Self.slowIntervalMax)
      state = .reported(next: now + longer, interval: longer)
      return .retry
    }
  }

  private mutating func retry(at now: Monotonic) -> Action {
    state = .retrying(count: 1, next: now + Self.quickInterval)
    return .retry
  }
}
