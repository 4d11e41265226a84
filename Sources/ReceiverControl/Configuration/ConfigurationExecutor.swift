import GNSS
import GNSSWire

/// Carries a configuration plan out: one command at a time, each read back where the family can be
/// asked. An acknowledgement alone proves nothing: there are receivers that acknowledge everything.
package struct ConfigurationExecutor: Sendable {
  package enum Event: Equatable, Sendable {
    case start
    case heard(Heard)
    case timerFired
  }

  package enum Command: Equatable, Sendable {
    case send(ReceiverCommand)
    /// Let the output drain, set the port's rate, and drop what came in.
    case setBaud(Int)
    /// Fire at this instant; takes the place of the timer armed before.
    case armTimer(Monotonic)
    case finished(ConfigurationReport)
  }

  enum Phase: Equatable, Sendable {
    case idle
    /// Reads keys before they are written; the first chunk is asked for.
    case reading([[UBXKey]])
    case writing([[UBXSetting]])
    /// Reads the written keys back.
    case checking([[UBXKey]])
    case pollingMessage
    case writingMessage([UInt8])
    case checkingMessage
    case commanding
    case awaitingUBX
    case observing
    /// The change was sent; the rate follows when it has left the port.
    case leavingBaud
    /// The port has the new rate (`isNew`) or the old one again; both ends settle.
    case settlingBaud(isNew: Bool)
    case verifyingBaud(isNew: Bool)
    case keepingBaud
    /// The step is done; the receiver works on it.
    case settling
    case finished
  }

  let plan: ConfigurationPlan
  var index = 0
  var phase = Phase.idle
  /// Whether the receiver may be at another rate than the host.
  package var isChangingBaud: Bool {
    switch phase {
    case .leavingBaud, .settlingBaud, .verifyingBaud, .keepingBaud: true
    default: false
    }
  }
  var exchange: Exchange?
  var deadline = Monotonic.never
  var report: ConfigurationReport
  /// What the current step's keys had, and what is to be written of them.
  var foundValues: [UBXKey: UInt64] = [:]
  var writtenValues: [UBXKey: UInt64] = [:]
  var hasUBX = false
  var epochs = EpochIntervals()
  /// Steps without an answer, one after the other.
  private var silentCount = 0

  /// As many unanswered steps in a row: the receiver is gone, or its speed is another.
  package static let silentCountMax = 2
  /// How long the navigation message may take after it was switched on.
  package static let ubxPatience = Duration.seconds(3)

  /// - Parameter unsupported: Keys that this firmware is known to refuse.
  package init(_ plan: ConfigurationPlan, baud: Int, unsupported: Set<UBXKey> = []) {
    self.plan = plan
    report = ConfigurationReport(baud: baud)
    report.unsupported = unsupported
  }

  package mutating func handle(_ event: Event, at now: Monotonic) -> [Command] {
    switch event {
    case .start: return phase == .idle ? beginStep(at: now) : []
    case .heard(let heard): return take(heard, at: now)
    case .timerFired:
      guard phase != .finished, now >= deadline else { return [] }
      return expire(at: now)
    }
  }

  private mutating func take(_ heard: Heard, at now: Monotonic) -> [Command] {
    if heard == .ubxNavigation {
      hasUBX = true
      if phase == .awaitingUBX { return end(.verified, at: now) }
    }
    if phase == .observing, let span = epochs.take(heard, at: now) {
      return observed(span, at: now)
    }
    guard let outcome = exchange?.take(heard, at: now) else {
      if let exchange, exchange.deadline != deadline { return arm(exchange.deadline) }
      return []
    }
    exchange = nil
    return resume(outcome, at: now)
  }

  private mutating func expire(at now: Monotonic) -> [Command] {
    if var current = exchange {
      guard let outcome = current.expire(at: now) else {
        exchange = current
        return [.send(current.command)] + arm(current.deadline)
      }
      exchange = nil
      return resume(outcome, at: now)
    }
    switch phase {
    case .settling: return nextStep(at: now)
    case .awaitingUBX: return end(.unanswered, at: now)
    case .observing: return end(.unanswered, at: now)
    case .leavingBaud, .settlingBaud: return continueBaud(at: now)
    case .idle, .reading, .writing, .checking, .pollingMessage, .writingMessage, .checkingMessage,
      .commanding, .verifyingBaud, .keepingBaud, .finished:
      return []
    }
  }

  private mutating func beginStep(at now: Monotonic) -> [Command] {
    guard plan.steps.indices.contains(index) else { return finish() }
    let step = plan.steps[index]
    if step.needsUBX, !hasUBX { return end(.leftOut, at: now) }
    switch step.action {
    case .settings(let settings, _): return beginSettings(settings, at: now)
    case .message(let address, _, let poll, _): return pollMessage(address, poll, at: now)
    case .constellations: return pollMessage(.cfgGNSS, [], at: now)
    case .awaitUBX:
      phase = .awaitingUBX
      // What was heard before the messages were switched on counts too.
      return hasUBX ? end(.verified, at: now) : arm(now + Self.ubxPatience)
    case .command(let command):
      phase = .commanding
      return send(command, at: now)
    case .baud(_, let change, _, _):
      phase = .leavingBaud
      return [.send(change)] + arm(now + Self.drainTime(of: change, baud: report.baud))
    case .observe(let interval):
      phase = .observing
      epochs = EpochIntervals()
      return arm(now + EpochIntervals.patience(for: interval))
    }
  }

  /// What follows an exchange's end in the phase that began it.
  private mutating func resume(_ outcome: Exchange.Outcome, at now: Monotonic) -> [Command] {
    switch phase {
    case .reading(let chunks): return read(chunks, outcome, at: now)
    case .writing(let chunks): return wrote(chunks, outcome, at: now)
    case .checking(let chunks): return checked(chunks, outcome, at: now)
    case .pollingMessage: return polled(outcome, at: now)
    case .writingMessage(let payload): return wroteMessage(payload, outcome, at: now)
    case .checkingMessage: return checkedMessage(outcome, at: now)
    case .commanding: return commanded(outcome, at: now)
    case .verifyingBaud(let isNew): return verifiedBaud(outcome, isNew: isNew, at: now)
    case .keepingBaud: return end(.verified, at: now)
    case .idle, .awaitingUBX, .observing, .leavingBaud, .settlingBaud, .settling, .finished:
      return []
    }
  }

  private mutating func commanded(_ outcome: Exchange.Outcome, at now: Monotonic) -> [Command] {
    guard case .command(let command) = plan.steps[index].action else { return [] }
    switch outcome {
    case .answered: return end(.acknowledged, at: now)
    case .refused: return end(.refused, at: now)
    case .unanswered: return end(command.answer == .none ? .sent : .unanswered, at: now)
    }
  }

  private mutating func observed(_ span: Duration, at now: Monotonic) -> [Command] {
    guard case .observe(let interval) = plan.steps[index].action else { return [] }
    report.interval = span
    return end(EpochIntervals.agrees(span, with: interval) ? .verified : .withoutEffect, at: now)
  }

  mutating func send(_ command: ReceiverCommand, at now: Monotonic) -> [Command] {
    let next = Exchange(command, baud: report.baud, at: now)
    exchange = next
    return [.send(command)] + arm(next.deadline)
  }

  mutating func arm(_ instant: Monotonic) -> [Command] {
    deadline = instant
    return [.armTimer(instant)]
  }

  /// Ends the step.
  mutating func end(_ outcome: ConfigurationReport.Outcome, at now: Monotonic) -> [Command] {
    let step = plan.steps[index]
    report.lines.append(ConfigurationReport.Line(name: step.name, outcome: outcome))
    exchange = nil
    silentCount = outcome == .unanswered ? silentCount + 1 : 0
    if silentCount >= Self.silentCountMax {
      report.isReachable = false
      return finish()
    }
    index += 1
    guard step.settling > .zero, outcome != .refused, outcome != .leftOut else {
      return beginStep(at: now)
    }
    phase = .settling
    return arm(now + step.settling)
  }

  private mutating func nextStep(at now: Monotonic) -> [Command] { beginStep(at: now) }

  mutating func finish() -> [Command] {
    phase = .finished
    exchange = nil
    deadline = .never
    return [.finished(report)]
  }
}
