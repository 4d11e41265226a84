import GNSS

/// The change of the port's rate: to RAM only, verified at the new rate, made to last afterwards,
/// and taken back where the receiver does not answer there.
extension ConfigurationExecutor {
  /// A UART and a slow bridge take this long to follow a change of rate.
  static let baudSettling = Duration.milliseconds(200)

  /// Until a command has left the port at this rate, and the receiver has obeyed.
  static func drainTime(of command: ReceiverCommand, baud: Int) -> Duration {
    let bits = Int64(command.bytes.count * 10)
    return .milliseconds(150) + .microseconds(bits * 1_000_000 / Int64(max(baud, 1200)))
  }

  mutating func continueBaud(at now: Monotonic) -> [Command] {
    guard case .baud(let rate, _, let verify, _) = plan.steps[index].action else { return [] }
    switch phase {
    case .leavingBaud:
      report.found.baud = report.found.baud ?? report.baud
      phase = .settlingBaud(isNew: true)
      return [.setBaud(rate)] + arm(now + Self.baudSettling)
    case .settlingBaud(let isNew):
      phase = .verifyingBaud(isNew: isNew)
      return send(verify, at: now)
    default: return []
    }
  }

  mutating func verifiedBaud(
    _ outcome: Exchange.Outcome, isNew: Bool, at now: Monotonic
  ) -> [Command] {
    guard case .baud(let rate, _, _, let keep) = plan.steps[index].action else { return [] }
    let isAlive = outcome != .unanswered
    switch (isNew, isAlive) {
    case (true, true):
      report.baud = rate
      guard let keep else { return end(.verified, at: now) }
      phase = .keepingBaud
      return send(keep, at: now)
    case (true, false):
      phase = .settlingBaud(isNew: false)
      return [.setBaud(report.baud)] + arm(now + Self.baudSettling)
    case (false, true):
      report.badBaud = rate
      report.found.baud = nil
      return end(.withoutEffect, at: now)
    case (false, false):
      report.badBaud = rate
      report.isReachable = false
      report.lines.append(
        ConfigurationReport.Line(name: plan.steps[index].name, outcome: .unanswered))
      return finish()
    }
  }
}
