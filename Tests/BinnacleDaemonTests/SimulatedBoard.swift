import Bytes
import GNSS
import GNSSWire
import ReceiverControl
import Testing

@testable import BinnacleDaemon
@testable import FixLog
@testable import ReceiverSimulator

/// A board with one simulated receiver on a UART (or its own USB): the daemon's core does what it
/// does on a real one, under a simulated clock. Whatever the core orders happens at once.
struct SimulatedBoard {
  var core: DaemonCore
  var receiver: SimulatedReceiver
  private(set) var now = Monotonic.zero
  /// The rate of the host's port.
  private(set) var baud = 9600
  private var isOpen = false
  private var isPlugged = true
  let isNativeUSB: Bool
  /// What was written, a command each.
  var written: [[UInt8]] = []
  var events: [LogEvent] = []
  var said: [String] = []
  var openCount = 0
  /// Each time that clients were told that it sleeps, or does no more.
  var sleepsTold: [Bool] = []
  var lastFix: (fix: Fix, instant: Monotonic)?
  var fixCount = 0
  var files: [String: [UInt8]] = [:]
  var hasBackup = false
  /// What the wires do to what passes; see `Wire`.
  var wire = Wire()

  /// Faults between host and receiver.
  struct Wire {
    /// Host to receiver, and receiver to host.
    var losesOrders = false
    var losesAnswers = false
    /// Turns acknowledgements into refusals.
    var refuses = false
    /// What the host's driver counts.
    var errors: LineErrors?
  }

  /// What is read at once, at the most: a UART's bytes do not come in one piece.
  static let readInterval = Duration.milliseconds(50)
  static let node = "/dev/simulated"
  static let start = UTCTime(seconds: 1_777_881_600)

  init(
    _ kind: SimulatedReceiverKind, configured: Configuration.Receiver? = nil,
    memories: [String: [UInt8]] = [:], demand: Demand? = Demand(tier: .bestForNavigation),
    seed: UInt64 = 1, from begin: Monotonic = .zero
  ) throws {
    now = begin
    isNativeUSB = kind.isNativeUSB
    receiver = SimulatedReceiver(
      kind, profile: try Self.profile(kind.profile), journey: .board, clockStart: Self.start,
      seed: seed, at: begin)
    var settings = DaemonCore.Settings(
      bootTag: 1, bootID: "boot", version: "test", buildDate: Self.start)
    settings.profiles = ReceiverProfile.shipped
    settings.memories = memories
    files = memories
    if let configured { settings.receivers = [configured] }
    hasBackup = configured?.hasBackup ?? false
    if !kind.isNativeUSB { settings.nodes = [Self.node] }
    core = DaemonCore(settings, at: Self.clocks(begin))
    perform(core.want(demand, at: clocks))
    perform(core.start(recovery: .clean, at: clocks))
    if kind.isNativeUSB { plugIn() }
  }

  static func profile(_ name: String) throws -> ReceiverProfile {
    try #require(ReceiverProfile.shipped(name))
  }

  private static func clocks(_ now: Monotonic) -> Now {
    Now(monotonic: now, system: start + (now - .zero), isSynchronised: true)
  }

  var clocks: Now { Self.clocks(now) }
  var pilot: ReceiverPilot? { core.receivers.first?.session.pilot }
  /// What was learned of the receiver, as it is on disk.
  var facts: ReceiverFacts? {
    files.first { $0.key.hasSuffix(".facts") }?.value.withByteView { ReceiverFacts(encoded: $0) }
  }
  var hasRecentFix: Bool { lastFix.map { now - $0.instant < .seconds(3) } ?? false }

  // MARK: The port

  mutating func plugIn() {
    isPlugged = true
    if isNativeUSB {
      let port = PortDescription(
        name: "ttyACM0", node: Self.node,
        transport: .usb(.init(vendorID: 0x1546, productID: 0x01a8, place: "usb-0:1:1.0")),
        driver: "cdc_acm")
      perform(core.added(port, devicePath: "/sys/simulated", at: clocks))
    } else {
      perform(core.appeared(node: Self.node, at: clocks))
    }
  }

  mutating func unplug() {
    isPlugged = false
    isOpen = false
    if isNativeUSB {
      perform(core.removed(devicePath: "/sys/simulated", at: clocks))
    } else {
      perform(core.ended(0, "removed", at: clocks))
    }
  }

  mutating func perform(_ commands: [DaemonCore.Command]) {
    for command in commands {
      switch command {
      case .open: open()
      case .close: isOpen = false
      case .setSpeed(_, let rate):
        _ = receiver.send(baud: baud, at: now)
        baud = rate
      case .write(_, let bytes): write(bytes)
      case .dropInput: _ = receiver.send(baud: baud, at: now)
      case .holdLineLow: if !wire.losesOrders { receiver.lineHeldLow(at: now) }
      case .pulseWakePin: receiver.pulseWakePin(at: now)
      case .setSupply(_, let isOn): receiver.setSupply(isOn, keepsBackup: hasBackup, at: now)
      case .append(.fix(let fix, _), _):
        lastFix = (fix, now)
        fixCount += 1
      case .append(.event(let event), _): events.append(event)
      case .slept(_, let isAsleep): sleepsTold.append(isAsleep)
      case .append, .publish, .serve, .answer, .ordered, .searchFailed: break
      case .keep(let name, let bytes): files[name] = bytes
      case .say(let text): said.append(text)
      }
    }
  }

  private mutating func open() {
    openCount += 1
    guard isPlugged else { return perform(core.openFailed(0, "no such device", at: clocks)) }
    isOpen = true
    perform(core.opened(0, speed: 9600, at: clocks))
  }

  private mutating func write(_ bytes: [UInt8]) {
    written.append(bytes)
    guard isOpen, !wire.losesOrders else { return }
    receiver.receive(bytes, baud: baud, at: now)
  }

  // MARK: Time

  /// Runs for this long, or until the condition holds; returns whether it does.
  @discardableResult
  mutating func run(
    _ span: Duration, until isDone: (SimulatedBoard) -> Bool = { _ in false }
  ) -> Bool {
    let end = now + span
    while now < end {
      if isDone(self) { return true }
      let soon = receiver.line.count > 0 ? now + Self.readInterval : .never
      let next = min(end, receiver.nextEvent, core.deadline ?? .never, soon)
      now = max(next, now + .milliseconds(1))
      step()
    }
    return isDone(self)
  }

  private mutating func step() {
    let bytes = arrived(receiver.send(baud: baud, at: now))
    if isOpen, !bytes.isEmpty {
      perform(bytes.withByteView { core.receive(0, $0, errors: wire.errors, at: clocks) })
    }
    if let due = core.deadline, due <= now { perform(core.timer(at: clocks)) }
  }

  private func arrived(_ bytes: [UInt8]) -> [UInt8] {
    if wire.losesAnswers { return [] }
    guard wire.refuses, bytes.count >= 10 else { return bytes }
    var bytes = bytes
    // UBX-ACK-ACK becomes UBX-ACK-NAK; its checksum follows.
    for index in 0...(bytes.count - 10)
    where bytes[index...].starts(with: [0xb5, 0x62, 0x05, 0x01]) {
      bytes[index + 3] = 0
      bytes[index + 8] &-= 1
      bytes[index + 9] &-= 5
    }
    return bytes
  }
}

extension SimulatedJourney {
  /// Standing under an open sky for a day.
  static let board: SimulatedJourney = {
    var journey = SimulatedJourney(origin: Coordinate(latitude: 48.1, longitude: 11.5))
    journey.rest(.seconds(86_400), under: .open)
    return journey
  }()
}
