import Bytes
import ControlProtocol
import FixLog
import GNSS
import GNSSWire
import ReceiverControl

/// Both clocks at one instant.
package struct Now: Equatable, Sendable {
  package var monotonic: Monotonic
  /// What the system's clock shows, right or wrong.
  package var system: UTCTime
  /// Whether something keeps the system's clock in step with UTC.
  package var isSynchronised: Bool

  package init(monotonic: Monotonic, system: UTCTime, isSynchronised: Bool) {
    (self.monotonic, self.system) = (monotonic, system)
    self.isSynchronised = isSynchronised
  }
}

/// What the daemon decides: which ports it uses, what goes into the log, and when. Bytes and events
/// in, commands out; no I/O and no clock, so that tests run it through days in seconds.
package struct DaemonCore: Sendable {
  /// Numbers a receiver within this run of the daemon.
  package typealias Slot = Int

  /// Lists of them are handed on for every lot of bytes, so that each is small.
  package indirect enum Command: Sendable {
    case open(Slot, node: String)
    case close(Slot)
    /// Set the line's speed and drop what has come in.
    case setSpeed(Slot, baud: Int)
    /// Send these bytes to the receiver, behind those that are still on their way to it.
    case write(Slot, [UInt8])
    /// Drop what has come in on the port and was not read.
    case dropInput(Slot)
    /// Hold the line to the receiver low for so long.
    case holdLineLow(Slot, Duration)
    /// Raise the pin that wakes the receiver for so long.
    case pulseWakePin(Slot, Duration)
    /// Switch the receiver's supply.
    case setSupply(Slot, Bool)
    /// Write this file in the state directory, whole or not at all.
    case keep(name: String, [UInt8])
    case append(LogRecord.Content, boottime: Monotonic)
    /// An epoch for clients of gpsd and keepers of clocks.
    case publish(Slot, Epoch)
    /// An epoch for the location services and whoever looks on.
    case serve(Slot, Epoch)
    /// An order to a receiver came to its end; `failure`: why it was not carried out.
    case ordered(Slot, failure: String?)
    /// For a client of the control protocol.
    case answer(ControlTicket, Result<[JSONMember], ControlError>)
    /// A receiver was put to sleep, or is awake again.
    case slept(Slot, Bool)
    /// A receiver's search for a fix was given up; another one follows.
    case searchFailed(Slot)
    /// A line for the journal.
    case say(String)
  }

  package struct Settings: Sendable {
    /// Only these ports, whatever udev says; empty discovers them.
    package var nodes: [String] = []
    package var receivers: [Configuration.Receiver] = []
    package var bootTag: UInt64
    package var bootID: String
    package var version: String
    package var buildDate: UTCTime
    /// The newest trusted time in the log: what is earlier is a receiver's error.
    package var floor: UTCTime?
    /// What the files of the state directory hold, by their names.
    package var memories: [String: [UInt8]] = [:]
    package var profiles: [ReceiverProfile] = []
    package var supply = PowerSupply.battery
    /// Whether receivers are configured as soon as they are known; otherwise by order only.
    package var configuresReceivers = true

    package init(bootTag: UInt64, bootID: String, version: String, buildDate: UTCTime) {
      (self.bootTag, self.bootID) = (bootTag, bootID)
      (self.version, self.buildDate) = (version, buildDate)
    }
  }

  /// Streams in one block of the log; further receivers are not opened, and the journal says so.
  package static let receiverCountMax = 16

  package internal(set) var receivers: [Receiver] = []
  /// What all live sessions together want; `nil`: nothing. Before anybody said so it is the
  /// logger's demand, for which a receiver stays on.
  package private(set) var demand: Demand? = Demand(tier: .bestForNavigation)
  var settings: Settings
  private let policy: ClaimPolicy
  var clocks: ClockWatch
  private var systemClock: SystemClockWatch
  /// UTC minus the boot-time clock, by the last dated fix, in microseconds.
  var trustedOffset: Int64?
  /// The newest fix of any receiver, and when it came.
  var lastFix: (fix: Fix, boottime: Monotonic)?
  /// Orders of clients that are not answered yet.
  var waiting: [WaitingOrder] = []

  /// A receiver that was there at some time since the start.
  package struct Receiver: Sendable {
    package var session: ReceiverSession
    package var descriptor: StreamDescriptor
    /// Of the port it is on; `nil` while it is unplugged.
    package var devicePath: String?
    /// What the configuration says of it.
    var configured: Configuration.Receiver?
    var gaps = GapWatch()
    var model: String?
  }

  package init(_ settings: Settings, at now: Now) {
    self.settings = settings
    policy = ClaimPolicy(settings.receivers)
    clocks = ClockWatch()
    systemClock = SystemClockWatch(boottime: now.monotonic, time: now.system)
  }

  /// When `timer` must be called.
  package var deadline: Monotonic? {
    // Nothing is changed; but a session is large, and would be copied to be asked.
    mutating get {
      var earliest: Monotonic?
      for slot in receivers.indices {
        guard let due = receivers[slot].session.deadline else { continue }
        earliest = min(earliest ?? due, due)
      }
      return earliest
    }
  }

  // MARK: The daemon itself

  /// - Parameter recovery: What was found when the log was opened, if it could be.
  package mutating func start(recovery: RecoveryReport?, at now: Now) -> [Command] {
    let time = trustedTime(at: now)
    var commands = [
      event(
        .sessionStart,
        [
          .init(.bootID, .text(settings.bootID)), .init(.version, .text(settings.version)),
        ], at: now)
    ]
    if let recovery {
      let event = recovery.event(time: time, boottime: now.monotonic)
      commands.append(.append(.event(event), boottime: now.monotonic))
    }
    for node in settings.nodes { commands += appeared(node: node, at: now) }
    return commands
  }

  package mutating func stop(reason: String, at now: Now) -> [Command] {
    var commands: [Command] = []
    for slot in receivers.indices {
      let last = receivers[slot].session.ending(at: now.monotonic)
      commands += perform(last, of: slot, at: now)
    }
    return commands + [event(.sessionStop, [.init(.reason, .text(reason))], at: now)]
  }

  /// Somebody set the system's clock.
  package mutating func clockStepped(at now: Now) -> [Command] {
    guard let step = systemClock.observe(boottime: now.monotonic, time: now.system) else {
      return []
    }
    return [
      event(
        .clockStep,
        [
          .init(.from, .number(step.old.microseconds)), .init(.to, .number(step.new.microseconds)),
        ], at: now)
    ]
  }

  /// The best knowledge of UTC: the receivers' own, else a synchronised system clock.
  func trustedTime(at now: Now) -> UTCTime? { Self.trustedTime(trustedOffset, at: now) }

  /// The same for those outside who ask at each epoch: all of this would be copied to be asked.
  static func trustedTime(_ offset: Int64?, at now: Now) -> UTCTime? {
    guard let offset else { return now.isSynchronised ? now.system : nil }
    return UTCTime(microseconds: now.monotonic.nanoseconds / 1000 &+ offset)
  }

  func event(
    _ kind: EventKind, _ fields: [LogEvent.Field], at now: Now
  ) -> Command {
    .append(
      .event(
        LogEvent(kind, time: trustedTime(at: now), boottime: now.monotonic, fields: fields)),
      boottime: now.monotonic)
  }

  // MARK: Ports

  /// A port is there: plugged in, or found at the start.
  package mutating func added(_ port: PortDescription, devicePath: String, at now: Now) -> [Command]
  {
    let verdict = policy.verdict(on: port)
    // It may be one that was used until its claim was taken back.
    guard verdict.isUsed, !isForbidden(port) else {
      return removed(devicePath: devicePath, at: now)
    }
    let taken = receivers.contains {
      $0.session.identity == port.identity && $0.devicePath != nil && $0.devicePath != devicePath
    }
    let identity = taken ? port.placeIdentity : port.identity
    guard
      let slot = slot(
        for: identity, names: [port.node, port.identity] + port.links,
        transport: port.receiverTransport)
    else {
      return [.say("\(port.node): not used: there are \(Self.receiverCountMax) receivers already")]
    }
    receivers[slot].devicePath = devicePath
    let commands = receivers[slot].session.appeared(
      node: port.node, hasLineSpeed: port.hasLineSpeed, at: now.monotonic)
    return perform(commands, of: slot, at: now)
  }

  /// The port at this udev path is gone.
  package mutating func removed(devicePath: String, at now: Now) -> [Command] {
    guard let slot = receivers.firstIndex(where: { $0.devicePath == devicePath }) else { return [] }
    receivers[slot].devicePath = nil
    receivers[slot].gaps.note(.detached)
    return perform(receivers[slot].session.removed(at: now.monotonic), of: slot, at: now)
  }

  /// A port that the user named is there, or may be.
  package mutating func appeared(node: String, at now: Now) -> [Command] {
    let transport = ReceiverLink.Transport(node: node)
    guard let slot = slot(for: node, names: [node], transport: transport) else { return [] }
    return perform(
      receivers[slot].session.appeared(node: node, hasLineSpeed: true, at: now.monotonic),
      of: slot, at: now)
  }

  private func isForbidden(_ port: PortDescription) -> Bool {
    settings.receivers.contains { entry in
      entry.claim == false
        && ([port.node, port.identity, port.stableNode] + port.links).contains(entry.name)
    }
  }

  /// Where the receiver of this identity is kept; makes a place for a new one.
  private mutating func slot(
    for identity: String, names: [String], transport: ReceiverLink.Transport
  ) -> Slot? {
    if let known = receivers.firstIndex(where: { $0.session.identity == identity }) { return known }
    guard receivers.count < Self.receiverCountMax else { return nil }
    let configured = settings.receivers.first { ([identity] + names).contains($0.name) }
    let dates = DateSettings(buildDate: settings.buildDate, floor: settings.floor, hostTime: nil)
    receivers.append(
      Receiver(
        session: ReceiverSession(
          identity: identity, dates: dates, fixedBaud: configured?.baud,
          setup: setup(for: identity, transport, configured), demand: demand),
        descriptor: StreamDescriptor(receiverID: Self.receiverID(identity), name: identity),
        configured: configured))
    return receivers.count - 1
  }

  /// FNV-1a, 64 bits: the same identity has the same number in every log.
  static func receiverID(_ identity: String) -> UInt64 {
    identity.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }

  /// The named port does not exist yet; it is watched for.
  package mutating func missing(_ slot: Slot) {
    guard receivers.indices.contains(slot) else { return }
    receivers[slot].session.missing()
  }

  package mutating func opened(_ slot: Slot, speed: Int?, at now: Now) -> [Command] {
    guard receivers.indices.contains(slot) else { return [] }
    let commands = receivers[slot].session.opened(speed: speed, at: now.monotonic)
    return perform(commands, of: slot, at: now)
  }

  package mutating func openFailed(_ slot: Slot, _ reason: String, at now: Now) -> [Command] {
    guard receivers.indices.contains(slot) else { return [] }
    let commands = receivers[slot].session.openFailed(reason, at: now.monotonic)
    return perform(commands, of: slot, at: now)
  }

  package mutating func ended(_ slot: Slot, _ reason: String, at now: Now) -> [Command] {
    guard receivers.indices.contains(slot) else { return [] }
    receivers[slot].gaps.note(.detached)
    let commands = receivers[slot].session.ended(reason, at: now.monotonic)
    return perform(commands, of: slot, at: now)
  }

  // MARK: Demand

  /// What is wanted of the receivers from now on; `nil`: nobody wants anything.
  package mutating func want(_ demand: Demand?, at now: Now) -> [Command] {
    guard demand != self.demand else { return [] }
    self.demand = demand
    return receivers.indices.flatMap { slot in
      perform(receivers[slot].session.tell(.demand(demand), at: now.monotonic), of: slot, at: now)
    }
  }

  // MARK: Bytes and time

  /// The port is not read until then, whatever comes.
  package mutating func leaveUnread(_ slot: Slot, until end: Monotonic) {
    guard receivers.indices.contains(slot) else { return }
    receivers[slot].session.leaveUnread(until: end)
  }

  package mutating func receive(
    _ slot: Slot, _ bytes: ByteView, errors: LineErrors?, at now: Now
  ) -> [Command] {
    guard receivers.indices.contains(slot) else { return [] }
    let commands = receivers[slot].session.receive(
      bytes, errors: errors, at: now.monotonic)
    return perform(commands, of: slot, at: now)
  }

  /// The deadline has passed.
  package mutating func timer(at now: Now) -> [Command] {
    var commands: [Command] = []
    for slot in receivers.indices {
      guard let due = receivers[slot].session.deadline, due <= now.monotonic else { continue }
      let steps = receivers[slot].session.timer(at: now.monotonic)
      commands += perform(steps, of: slot, at: now)
    }
    return commands
  }

  mutating func perform(
    _ steps: [ReceiverSession.Command], of slot: Slot, at now: Now
  ) -> [Command] {
    var commands: [Command] = []
    for step in steps {
      switch step {
      case .open(let node): commands.append(.open(slot, node: node))
      case .close: commands.append(.close(slot))
      case .setSpeed(let baud): commands.append(.setSpeed(slot, baud: baud))
      case .write(let bytes): commands.append(.write(slot, bytes))
      case .dropInput: commands.append(.dropInput(slot))
      case .holdLineLow(let span): commands.append(.holdLineLow(slot, span))
      case .pulseWakePin(let span): commands.append(.pulseWakePin(slot, span))
      case .setSupply(let isOn): commands.append(.setSupply(slot, isOn))
      case .say(let text): commands.append(.say(text))
      case .log(let kind, let fields): commands.append(event(kind, fields, at: now))
      case .identified(let identity): commands += identified(identity, slot, at: now)
      case .epoch(let epoch): commands += take(epoch, of: slot, at: now)
      case .remember(let facts): commands += remember(facts, of: slot)
      case .keepDatabase(let owner, let messages):
        commands += keep(owner, messages, of: slot, at: now)
      case .wantsAid: commands += aid(slot, at: now)
      case .expectGap(let cause): receivers[slot].gaps.note(cause)
      case .slept(let isAsleep): commands.append(.slept(slot, isAsleep))
      case .searchFailed: commands.append(.searchFailed(slot))
      case .ordered(let order, let failure):
        commands += ordered(order, failure: failure, slot, at: now)
      }
    }
    return commands
  }
}
