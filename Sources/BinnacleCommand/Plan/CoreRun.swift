import BinnacleDaemon
import Bytes
import GNSS
import ReceiverControl
import ReceiverSimulator

extension Plan {
  /// What it comes to under the daemon's core, when this is all that is wanted.
  func run(_ demand: Demand) -> PlanResult {
    var run = CoreRun(self, demand)
    return run.result()
  }
}

/// A plan's run by the core of the daemon, which is given what it is given on a board: the bytes of
/// a receiver on a UART, and the time. So finding the line's speed, questions, settings, the orders
/// to sleep, the watch for silence and the edges to wake are all in what it comes to.
///
/// A profile that names the cut of the supply first is that of a board with a pin for it.
private struct CoreRun {
  private let demand: Demand
  private var core: DaemonCore
  private var receiver: SimulatedReceiver
  private var recorder: PlanRecorder
  /// The rate of the host's port.
  private var baud = 9600
  private var isAwake = true
  private var hadFix = false

  private static let node = "/dev/ttyAMA0"
  /// Any day; the journey begins at its first instant.
  private static let start = UTCTime(seconds: 1_777_852_800)

  init(_ plan: Plan, _ demand: Demand) {
    self.demand = demand
    let kind = SimulatedReceiverKind.playing(plan.profile)
    receiver = SimulatedReceiver(
      kind, profile: plan.profile, journey: plan.journey, clockStart: Self.start, seed: plan.seed)
    recorder = PlanRecorder(plan)
    var settings = DaemonCore.Settings(
      bootTag: 1, bootID: "", version: "", buildDate: Self.start)
    // The figures hold for whatever it says that it is.
    var profile = plan.profile
    profile.models = [""]
    settings.profiles = [profile]
    settings.nodes = [Self.node]
    var entry = Configuration.Receiver(name: Self.node)
    if profile.sleep.first?.method == .cutSupply {
      (entry.enableGPIO, entry.hasBackup) = (GPIOName("gpiochip0:17"), true)
    }
    settings.receivers = [entry]
    core = DaemonCore(settings, at: Self.clocks(.zero))
  }

  private static func clocks(_ now: Monotonic) -> Now {
    Now(monotonic: now, system: start + (now - .zero), isSynchronised: true)
  }

  private var now: Monotonic { recorder.now }
  private var clocks: Now { Self.clocks(now) }

  mutating func result() -> PlanResult {
    perform(core.want(demand, at: clocks))
    perform(core.start(recovery: nil, at: clocks))
    while now < recorder.end { step() }
    return recorder.outcome
  }

  private mutating func step() {
    let due = min(receiver.nextEvent, core.deadline ?? .never, recorder.nextQuery)
    let consumption = receiver.consumption
    recorder.spend(
      until: min(max(due, now + .milliseconds(1)), recorder.end), in: consumption.state,
      milliamperes: consumption.milliamperes)
    let bytes = receiver.send(baud: baud, at: now)
    if receiver.hasFix, !hadFix { recorder.outcome.fixCount += 1 }
    hadFix = receiver.hasFix
    if !bytes.isEmpty {
      perform(bytes.withByteView { core.receive(0, $0, errors: nil, at: clocks) })
    }
    if let deadline = core.deadline, deadline <= now { perform(core.timer(at: clocks)) }
    recorder.answer()
  }

  private mutating func perform(_ commands: [DaemonCore.Command]) {
    for command in commands {
      switch command {
      case .open: perform(core.opened(0, speed: baud, at: clocks))
      case .setSpeed(_, let rate):
        _ = receiver.send(baud: baud, at: now)
        baud = rate
      case .write(_, let bytes): receiver.receive(bytes, baud: baud, at: now)
      case .dropInput: _ = receiver.send(baud: baud, at: now)
      case .holdLineLow: receiver.lineHeldLow(at: now)
      case .setSupply(_, let isOn): receiver.setSupply(isOn, keepsBackup: true, at: now)
      case .append(.fix(let fix, _), _): take(fix)
      case .slept(_, let isAsleep):
        if isAwake != !isAsleep, !isAsleep { recorder.outcome.wakeCount += 1 }
        isAwake = !isAsleep
      case .searchFailed: recorder.outcome.failureCount += 1
      // There is no pin to wake it, and nobody listens.
      case .close, .pulseWakePin, .append, .publish, .serve, .answer, .ordered, .keep, .say:
        break
      }
    }
  }

  /// What is logged is told to whoever asks, unless it is too poor for the tier.
  private mutating func take(_ fix: Fix) {
    guard let position = fix.position,
      fix.horizontalAccuracy ?? 0 <= demand.tier.acceptedAccuracy
    else { return }
    recorder.deliver(position)
  }
}
