import GNSS

/// Decides when clients are told that there is no fix: not for a hole of a few seconds, and not
/// while a receiver starts. The receiver's duty cycle goes on trying meanwhile, and for as long as
/// anybody wants a fix.
package struct SearchWatch: Sendable {
  /// A receiver that starts may be silent for so long: about what a cold start takes.
  package static let patience = Duration.seconds(30)
  /// A fix that is missed may be back within this.
  package static let grace = Duration.seconds(6)

  private enum State: Equatable, Sendable {
    case idle
    case starting(until: Monotonic)
    case found
    case missing(until: Monotonic)
    case reported
  }

  private var state = State.idle

  package init() {}

  /// When it wants to be asked again.
  package var deadline: Monotonic {
    switch state {
    case .idle, .found, .reported: .never
    case .starting(let until), .missing(let until): until
    }
  }

  package var hasFix: Bool { state == .found }
  package var isReported: Bool { state == .reported }

  package mutating func begin(at now: Monotonic) {
    if state == .idle { state = .starting(until: now + Self.patience) }
  }

  package mutating func stop() { state = .idle }

  package mutating func fixed() { if state != .idle { state = .found } }

  /// An epoch came without a fix. That is ordinary while a receiver starts.
  package mutating func missed(at now: Monotonic) {
    if state == .found { state = .missing(until: now + Self.grace) }
  }

  /// The receiver is gone, or an attempt to get a fix was given up.
  package mutating func failed(at now: Monotonic) {
    switch state {
    case .starting, .found: state = .missing(until: now + Self.grace)
    case .idle, .missing, .reported: break
    }
  }

  /// Whether clients are to be told now.
  package mutating func timerFired(at now: Monotonic) -> Bool {
    guard now >= deadline else { return false }
    if case .starting = state {
      state = .missing(until: now + Self.grace)
      return false
    }
    state = .reported
    return true
  }
}
