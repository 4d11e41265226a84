import Bytes
import GNSS
import GNSSWire
import ReceiverControl
import Testing

@testable import ReceiverSimulator

/// The host's side of a simulated port: runs the machines of receiver control against a simulated
/// receiver, byte for byte, under a simulated clock.
struct SimulatedHost {
  var receiver: SimulatedReceiver
  var link: ReceiverLink
  var now = Monotonic.zero
  var lastFix: Fix?
  /// What the guard at the port's exit refused.
  var refusedCount = 0
  private var decoder = StreamDecoder(dates: DateSettings())
  private var listener = Listener()
  private var timer = Monotonic.never

  static let step = Duration.milliseconds(20)

  init(_ kind: SimulatedReceiverKind, transport: ReceiverLink.Transport = .uart) throws {
    let start = try #require(UTCTime(iso8601: "2026-05-04T08:00:00Z"))
    receiver = SimulatedReceiver(
      kind, profile: try ProfileFiles.profile(kind.profile), journey: .still, clockStart: start)
    link = ReceiverLink(transport: transport, baud: kind.baud)
  }

  mutating func write(_ bytes: [UInt8]) {
    guard link.sessionGuard.refusal(of: bytes) == nil else {
      refusedCount += 1
      return
    }
    receiver.receive(bytes, baud: link.baud, at: now)
  }

  /// One step of time: what was heard in it, and whether the timer fired.
  private mutating func pass() -> (heard: [Heard], hasFired: Bool) {
    now = now + Self.step
    var heard: [Heard] = []
    var fix = lastFix
    let take: (StreamReport) -> Void = { report in
      switch report {
      case .reply(let reply): heard.append(Heard(reply))
      case .epoch(let epoch): if epoch.fix.hasPosition { fix = epoch.fix }
      case .receiver: break
      }
    }
    let bytes = receiver.send(baud: link.baud, at: now)
    bytes.withByteView { decoder.decode($0, at: now, report: take) }
    decoder.expire(at: now, report: take)
    lastFix = fix
    heard += listener.hear(decoder.counts)
    let hasFired = timer <= now
    if hasFired { timer = .never }
    return (heard, hasFired)
  }

  mutating func identify(remembered: ReceiverModel? = nil) throws -> ReceiverModel {
    let port = Identification.Port(baud: link.baud, mayAsk: true, isAssigned: true)
    var machine = Identification(port: port, remembered: remembered)
    var queue = machine.handle(.start, at: now)
    let end = now + .seconds(60)
    while now < end {
      while !queue.isEmpty {
        switch queue.removeFirst() {
        case .send(let command): write(command.bytes)
        case .armTimer(let instant): timer = instant
        case .identified(let model, _): return model
        case .silent: throw HostFailure.silent
        }
      }
      let (heard, hasFired) = pass()
      for heard in heard { queue += machine.handle(.heard(heard), at: now) }
      if hasFired { queue += machine.handle(.timerFired, at: now) }
    }
    throw HostFailure.stuck
  }

  mutating func configure(_ plan: ConfigurationPlan) throws -> ConfigurationReport {
    var machine = ConfigurationExecutor(plan, baud: link.baud)
    var queue = machine.handle(.start, at: now)
    let end = now + .seconds(300)
    while now < end {
      while !queue.isEmpty {
        switch queue.removeFirst() {
        case .send(let command): write(command.bytes)
        case .setBaud(let rate): link.baud = rate
        case .armTimer(let instant): timer = instant
        case .finished(let report): return report
        }
      }
      let (heard, hasFired) = pass()
      for heard in heard { queue += machine.handle(.heard(heard), at: now) }
      if hasFired { queue += machine.handle(.timerFired, at: now) }
    }
    throw HostFailure.stuck
  }

  enum SleepEnd: Equatable {
    case asleep(SleepMethod)
    case awake(SleepControl.Awakening)
    case degraded
    case unresponsive
    case lost
  }

  /// Gives the machine an event and runs it to an end that it reports, at most for this long.
  mutating func run(
    _ machine: inout SleepControl, _ event: SleepControl.Event?, for limit: Duration
  ) throws -> SleepEnd? {
    var queue = event.map { machine.handle($0, at: now) } ?? []
    let end = now + limit
    while now < end {
      while !queue.isEmpty {
        if let reported = perform(queue.removeFirst()) { return reported }
      }
      let (heard, hasFired) = pass()
      for heard in heard { queue += machine.handle(.heard(heard), at: now) }
      if hasFired { queue += machine.handle(.timerFired, at: now) }
    }
    return nil
  }

  private mutating func perform(_ command: SleepControl.Command) -> SleepEnd? {
    switch command {
    case .send(let command): write(command.bytes)
    case .sendWakeByte: write([0xff])
    case .holdLineLow: receiver.lineHeldLow(at: now)
    case .pulseWakePin: receiver.pulseWakePin(at: now)
    case .setSupply(let isOn): receiver.setSupply(isOn, keepsBackup: link.keepsBackup, at: now)
    case .dropInput: _ = receiver.send(baud: link.baud, at: now)
    case .setBaud(let rate): link.baud = rate
    case .armTimer(let instant): timer = instant
    case .asleep(let method): return .asleep(method)
    case .awake(let awakening): return .awake(awakening)
    case .degraded: return .degraded
    case .unresponsive: return .unresponsive
    case .lost: return .lost
    }
    return nil
  }

  /// Lets the time go by; what is heard is for nobody.
  mutating func wait(_ span: Duration) {
    let end = now + span
    while now < end { _ = pass() }
  }
}

enum HostFailure: Error { case silent, stuck }
