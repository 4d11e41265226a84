import GNSS

/// One command and the wait for its answer, repeated where none comes. Never more than one at a
/// time is on its way: a receiver's input buffer holds about a kilobyte and drops what is more.
package struct Exchange: Equatable, Sendable {
  package enum Outcome: Equatable, Sendable {
    case answered(Heard)
    case refused
    /// No try was answered.
    case unanswered
  }

  package let command: ReceiverCommand
  private var triesLeft: Int
  private var patience: Duration
  package private(set) var deadline: Monotonic

  package static let triesMax = 3

  /// The command counts as sent now.
  package init(
    _ command: ReceiverCommand, baud: Int, at now: Monotonic, tries: Int = Self.triesMax
  ) {
    self.command = command
    triesLeft = tries - 1
    patience = Self.patience(atBaud: baud)
    // What is never answered needs only the time to be worked on.
    if command.answer == .none { (triesLeft, patience) = (0, Self.workingTime) }
    deadline = now + patience
  }

  /// How long an answer may take: at 9600 baud and below it queues behind a second of NMEA.
  package static func patience(atBaud baud: Int) -> Duration {
    baud > 0 && baud <= 9600 ? .milliseconds(2500) : .seconds(1)
  }

  /// What an unanswered command is given before the next.
  package static let workingTime = Duration.milliseconds(100)

  /// The end of the exchange, where `heard` is it.
  package mutating func take(_ heard: Heard, at now: Monotonic) -> Outcome? {
    switch command.verdict(of: heard) {
    case .accepted: return .answered(heard)
    case .refused: return .refused
    case .pending:
      deadline = now + patience
      return nil
    case nil: return nil
    }
  }

  /// Called when the deadline has passed: the end of the exchange, or `nil` where the command shall
  /// be sent again.
  package mutating func expire(at now: Monotonic) -> Outcome? {
    guard triesLeft > 0 else { return .unanswered }
    triesLeft -= 1
    deadline = now + patience
    return nil
  }
}
