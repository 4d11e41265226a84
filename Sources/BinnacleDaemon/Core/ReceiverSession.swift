import Bytes
import FixLog
import GNSS
import GNSSWire
import ReceiverControl

/// Our talk with one receiver, from its first appearance on: finds its speed, turns its bytes into
/// epochs, lets its pilot lead it, and lives on through unplugging, under whatever name the port
/// comes back. Decides; the daemon does.
package struct ReceiverSession: Sendable {
  package enum Phase: Equatable, Sendable {
    /// There is no port.
    case absent
    /// The port is there but cannot be used before `until`.
    case waiting(until: Monotonic)
    /// The port is being opened.
    case opening
    /// The port is read; its speed may still be sought.
    case open
  }

  /// What is to be done. Lists of them are handed on for every lot of bytes, so that each is small.
  package indirect enum Command: Sendable {
    case open(node: String)
    case close
    /// Set the line's speed in baud and drop what has come in.
    case setSpeed(Int)
    /// Send these bytes, behind those that are still on their way.
    case write([UInt8])
    /// Drop what has come in and was not read.
    case dropInput
    case holdLineLow(Duration)
    case pulseWakePin(Duration)
    case setSupply(Bool)
    /// Keep what was learned for the next start.
    case remember(ReceiverFacts)
    case keepDatabase(owner: String, messages: [[UInt8]])
    /// Say what may help a cold start.
    case wantsAid
    /// Fixes will be missing, for this reason.
    case expectGap(GapWatch.Cause)
    /// What became of an order; `nil`: it was carried out.
    case ordered(ReceiverPilot.Order, failure: String?)
    /// An epoch is complete.
    case epoch(Epoch)
    case identified(ReceiverIdentity)
    case log(EventKind, [LogEvent.Field])
    /// It was told to sleep, sleeps, or is awake again.
    case slept(Bool)
    /// A search for a fix was given up; another one follows.
    case searchFailed
    case say(String)
  }

  /// The stable identity: udev path and serial number, or the path that the user gave.
  package let identity: String
  package private(set) var phase = Phase.absent
  package private(set) var node: String?
  /// Baud; `nil` where the port has no line speed or it is not known yet.
  package private(set) var baud: Int? { didSet { revision &+= 1 } }
  package private(set) var decoder: StreamDecoder

  /// What leads the receiver.
  package internal(set) var pilot: ReceiverPilot
  private var listener = Listener()
  private var hasLineSpeed = true
  private let fixedBaud: Int?
  /// Seeks the speed, and watches it once found; `nil` where there is nothing to seek.
  private var hunt: BaudHunt?
  private var huntTimer = Monotonic.never
  private var lastCounts = (valid: UInt64(0), errors: LineErrors?.none)
  /// The driver's counts when the first valid message was heard.
  private var errorsAtStart: LineErrors?
  /// When the port was opened.
  private var openedAt = Monotonic.zero
  /// Whether a valid message was heard since the port was opened.
  private(set) var isAttached = false
  private var openFailures = 0
  /// Counts changes of what is told of the receiver to clients.
  private(set) var revision = 0
  /// What clients were told last.
  var described: (revision: Int, isBinary: Bool)?
  /// When something last happened.
  private(set) var clock = Monotonic.zero
  private let dates: DateSettings

  /// After a failure to open a port it is tried again after these; the last one repeats.
  private static let retryPauses: [Duration] = [1, 2, 5, 10, 30].map { .seconds($0) }

  /// - Parameters:
  ///   - fixedBaud: The rate that the configuration gives; `nil` finds it out.
  ///   - setup: What the receiver's pilot needs to know of the port.
  package init(
    identity: String, dates: DateSettings, fixedBaud: Int?, setup: ReceiverPilot.Setup,
    demand: Demand?
  ) {
    (self.identity, self.dates, self.fixedBaud) = (identity, dates, fixedBaud)
    decoder = StreamDecoder(dates: dates)
    var setup = setup
    setup.hasFixedBaud = fixedBaud != nil
    pilot = ReceiverPilot(setup)
    _ = pilot.handle(.demand(demand), at: .zero)
    baud = setup.facts.flatMap { $0.baud > 0 ? $0.baud : nil }
  }

  /// What the driver counted since the first valid message; `nil` where it does not count.
  package var lineErrors: LineErrors? {
    guard isAttached, let last = lastCounts.errors else { return nil }
    return last.since(errorsAtStart ?? last)
  }

  /// For how long the port has been open.
  package func openTime(at now: Monotonic) -> Duration? {
    if case .open = phase { now - openedAt } else { nil }
  }

  /// When `timer(at:)` must be called; `nil` while only bytes or events can move it.
  package var deadline: Monotonic? {
    // Changes nothing; but a session is large, and would be copied to be asked.
    mutating get {
      switch phase {
      case .absent, .opening: return nil
      case .waiting(let until): return until
      case .open:
        let due = min(decoder.deadline ?? .never, huntTimer, pilot.deadline)
        return due == .never ? nil : due
      }
    }
  }

  /// Tells the pilot of something, such as an order or a change of the demand.
  package mutating func tell(_ event: ReceiverPilot.Event, at now: Monotonic) -> [Command] {
    if clock < now { clock = now }
    return perform(pilot.handle(event, at: now), at: now)
  }

  /// What a client wants written to the receiver, as far as that ends no session.
  package mutating func passThrough(_ bytes: [UInt8], at now: Monotonic) -> [Command] {
    perform(pilot.passThrough(bytes), at: now)
  }

  // MARK: The port

  /// The port is there, under this name.
  package mutating func appeared(
    node: String, hasLineSpeed: Bool, at now: Monotonic
  ) -> [Command] {
    switch phase {
    case .opening, .open:
      // Told twice of the same port, as at the start; or it came back before it was seen to go.
      guard self.node != node else { return [] }
      let closing = end(reason: "moved to \(node)", at: now)
      return closing + open(node: node, hasLineSpeed: hasLineSpeed)
    case .absent, .waiting: return open(node: node, hasLineSpeed: hasLineSpeed)
    }
  }

  private mutating func open(node: String, hasLineSpeed: Bool) -> [Command] {
    (self.node, self.hasLineSpeed, openFailures) = (node, hasLineSpeed, 0)
    phase = .opening
    return [.open(node: node)]
  }

  /// The port was opened.
  /// - Parameter speed: What it is set to, in baud; `nil` for a pseudo-terminal.
  package mutating func opened(speed: Int?, at now: Monotonic) -> [Command] {
    guard case .opening = phase else { return [.close] }
    (phase, openFailures, isAttached) = (.open, 0, false)
    (openedAt, revision) = (now, revision &+ 1)
    decoder = StreamDecoder(dates: dates)
    (hunt, huntTimer, lastCounts, listener) = (nil, .never, (0, nil), Listener())
    guard hasLineSpeed, let speed else { return tell(.opened(baud: 0, isProven: true), at: now) }
    if let fixedBaud {
      baud = fixedBaud
      return [.setSpeed(fixedBaud)] + tell(.opened(baud: fixedBaud, isProven: true), at: now)
    }
    let commands = startHunt(from: speed, at: now)
    return commands + tell(.opened(baud: baud ?? speed, isProven: false), at: now)
  }

  /// The port could not be opened; it is tried again later.
  package mutating func openFailed(_ reason: String, at now: Monotonic) -> [Command] {
    guard case .opening = phase else { return [] }
    let pause = Self.retryPauses[min(openFailures, Self.retryPauses.count - 1)]
    defer { openFailures += 1 }
    phase = .waiting(until: now + pause)
    return openFailures == 0 ? [.say(reason)] : []
  }

  /// The device is gone.
  package mutating func removed(at now: Monotonic) -> [Command] {
    let commands = end(reason: "unplugged", at: now)
    (phase, node) = (.absent, nil)
    return commands
  }

  /// Reading or writing told that no more bytes will come. If the device stays, it is tried again.
  package mutating func ended(_ reason: String, at now: Monotonic) -> [Command] {
    let commands = end(reason: reason, at: now)
    phase = node == nil ? .absent : .waiting(until: now + Self.retryPauses[0])
    return commands
  }

  private mutating func end(reason: String, at now: Monotonic) -> [Command] {
    switch phase {
    case .absent, .waiting: return []
    case .opening, .open: break
    }
    let last = tell(.closed, at: now)
    guard isAttached else { return last + [.close] }
    isAttached = false
    return last + [
      .close, .say("\(identity): \(reason)"),
      .log(
        .detach,
        [.init(.receiver, .text(identity)), .init(.reason, .text(reason))] + energy(pilot.meter)),
    ]
  }

  /// There is no such port yet; the daemon watches for it.
  package mutating func missing() { phase = .absent }

  // MARK: Bytes

  /// The port is not read until then, so that silence means nothing.
  package mutating func leaveUnread(until end: Monotonic) { decoder.leaveUnread(until: end) }

  /// Takes in what was read.
  /// - Parameter errors: The driver's counts; `nil` where it does not count.
  package mutating func receive(
    _ bytes: ByteView, errors: LineErrors?, at now: Monotonic
  ) -> [Command] {
    guard case .open = phase else { return [] }
    _ = pilot.handle(.bytes, at: now)
    var commands: [Command] = []
    var heard: [Heard] = []
    decoder.decode(bytes, at: now) { Self.take($0, into: &commands, &heard) }
    let reports = commands.indices
    commands += attach()
    commands += followHunt(bytes, errors: errors, at: now)
    inform(heard, of: reports, at: now, &commands)
    return commands
  }

  /// The deadline has passed.
  package mutating func timer(at now: Monotonic) -> [Command] {
    if case .waiting(let until) = phase {
      guard let node, until <= now else { return [] }
      phase = .opening
      return [.open(node: node)]
    }
    var commands: [Command] = []
    var heard: [Heard] = []
    decoder.expire(at: now) { Self.take($0, into: &commands, &heard) }
    inform(heard, of: commands.indices, at: now, &commands)
    if huntTimer <= now, var hunt {
      huntTimer = .never
      let steps = hunt.handle(.timerFired, at: now)
      self.hunt = hunt
      commands += take(steps, at: now)
    }
    if pilot.deadline <= now { commands += tell(.timerFired, at: now) }
    return commands
  }

  private static func take(
    _ report: StreamReport, into commands: inout [Command], _ heard: inout [Heard]
  ) {
    switch report {
    case .epoch(let epoch): commands.append(.epoch(epoch.pointee))
    case .receiver(let identity): commands.append(.identified(identity))
    case .reply(let reply): heard.append(Heard(reply))
    }
  }

  /// Tells the pilot what came in.
  /// - Parameter reports: Which of the commands came of the bytes.
  private mutating func inform(
    _ replies: [Heard], of reports: Range<Int>, at now: Monotonic, _ commands: inout [Command]
  ) {
    for heard in replies { commands += tell(.heard(heard), at: now) }
    for heard in listener.hear(decoder.counts) { commands += tell(.heard(heard), at: now) }
    for index in reports {
      switch commands[index] {
      case .epoch(let epoch): commands += tell(.epoch(epoch), at: now)
      default: revision &+= 1
      }
    }
  }

  /// Notices the first valid message.
  private mutating func attach() -> [Command] {
    guard !isAttached, decoder.counts.accepted > 0, hunt?.isLocked ?? true else { return [] }
    (isAttached, errorsAtStart) = (true, lastCounts.errors)
    var fields: [LogEvent.Field] = [.init(.receiver, .text(identity))]
    if let node { fields.append(.init(.node, .text(node))) }
    if let baud { fields.append(.init(.baud, .number(Int64(baud)))) }
    let speed = baud.map { " at \($0) baud" } ?? ""
    return [
      .say("\(identity): receiving on \(node ?? "its port")\(speed)"), .log(.attach, fields),
    ]
  }

  // MARK: The line's speed

  private mutating func startHunt(from speed: Int, at now: Monotonic) -> [Command] {
    var hunt = BaudHunt(remembered: baud, current: speed)
    let steps = hunt.handle(.start, at: now)
    self.hunt = hunt
    return take(steps, at: now)
  }

  private mutating func followHunt(
    _ bytes: ByteView, errors: LineErrors?, at now: Monotonic
  ) -> [Command] {
    defer { lastCounts.errors = errors }
    guard var hunt, !pilot.ownsLine else { return [] }
    let valid = decoder.counts.accepted
    let activity = LineActivity(
      byteCount: bytes.count,
      transitionCount: hunt.isLocked ? 0 : LineActivity.transitions(in: bytes),
      validFrameCount: Int(clamping: valid &- lastCounts.valid),
      frameErrorCount: errors.map { Int($0.since(lastCounts.errors ?? $0).frame) })
    lastCounts.valid = valid
    let wasLocked = hunt.isLocked
    let steps = hunt.handle(.received(activity), at: now)
    self.hunt = hunt
    let lost = wasLocked && !hunt.isLocked ? tell(.lineLost, at: now) : []
    return lost + take(steps, at: now) + attach()
  }

  private mutating func take(_ steps: [BaudHunt.Command], at now: Monotonic) -> [Command] {
    var commands: [Command] = []
    for step in steps {
      switch step {
      case .setSpeed(let rate): commands += setSpeed(rate)
      case .armTimer(let instant): huntTimer = instant
      case .locked(let rate):
        baud = rate
        commands += tell(.lineFound(baud: rate), at: now)
      case .gaveUp:
        commands.append(
          .say("\(identity): only noise at every speed; is it a receiver, and wired right?"))
      }
    }
    return commands
  }

  private mutating func setSpeed(_ rate: Int) -> [Command] {
    dropInput()
    baud = rate
    return [.setSpeed(rate)]
  }

  /// What was half received before is no part of what comes now.
  private mutating func dropInput() {
    decoder = StreamDecoder(dates: dates)
    (lastCounts.valid, listener) = (0, Listener())
  }

  // MARK: The pilot

  private mutating func perform(
    _ steps: [ReceiverPilot.Command], at now: Monotonic
  ) -> [Command] {
    // As after nearly every epoch.
    guard !steps.isEmpty else { return [] }
    return steps.flatMap { perform($0, at: now) }
  }

  private mutating func perform(
    _ command: ReceiverPilot.Command, at now: Monotonic
  ) -> [Command] {
    switch command {
    case .write(let bytes): return [.write(bytes)]
    case .setSpeed(let rate):
      if hunt != nil { (hunt, huntTimer) = (BaudHunt(proven: rate), .never) }
      return setSpeed(rate)
    case .dropInput:
      dropInput()
      return [.dropInput]
    case .holdLineLow(let span): return [.holdLineLow(span)]
    case .pulseWakePin(let span): return [.pulseWakePin(span)]
    case .setSupply(let isOn): return [.setSupply(isOn)]
    case .hunt: return hunt == nil ? [] : startHunt(from: baud ?? 0, at: now)
    case .wantsAid: return [.wantsAid]
    case .remember(let facts): return [.remember(facts)]
    case .keepDatabase(let owner, let messages):
      return [.keepDatabase(owner: owner, messages: messages)]
    case .report(let report):
      if case .identified = report { revision &+= 1 }
      return take(report)
    }
  }
}
