import Bytes
import ControlProtocol
import FixLog
import GNSS
import GNSSWire
import GPSDProtocol
import Glibc
import LinuxIO
import LocationServices
import ReceiverControl

/// The running daemon: one thread that waits for whatever comes first, asks the core what follows
/// from it, and does that. Nothing polls: with nothing to do it sleeps.
package final class Daemon {
  package struct Options: Sendable {
    package var configuration: Configuration
    /// Use only these ports; empty discovers them.
    package var nodes: [String] = []
    package var version: String
    package var buildDate: UTCTime

    package init(configuration: Configuration, version: String, buildDate: UTCTime) {
      (self.configuration, self.version, self.buildDate) = (configuration, version, buildDate)
    }
  }

  private enum Source {
    case port(DaemonCore.Slot)
    case udev
    /// A named port that was not there; its directory is watched.
    case directory(DirectoryWatch, node: String)
  }

  final class OpenPort {
    let port: SerialPort
    let token: EventLoop.Token
    /// What the port has yet to take.
    var pending: [UInt8] = []
    /// Tells when it need not be read.
    var forecast: BurstForecast
    var lastRead = Monotonic.zero
    /// Until when an answer to what was written may come.
    var answersUntil = Monotonic.zero
    /// What the loop tells of it.
    var interest = EventLoop.Interest.readable

    init(_ port: SerialPort, token: EventLoop.Token, forecast: BurstForecast) {
      (self.port, self.token, self.forecast) = (port, token, forecast)
    }
  }

  /// What is read from a port at once.
  private static let readByteCount = 4096

  let options: Options
  let loop: EventLoop
  let log: LogKeeper
  let gpsd: GPSDServer
  let control: ControlServer
  let services: ServiceHost
  /// Whose fixes place the board.
  var choice = ReceiverChoice()
  var logFilter: LogFilter
  /// Who looks on, and at what.
  var observers: [ClientID: Observation] = [:]
  /// What they were last told of each receiver, and when.
  var toldStates: [DaemonCore.Slot: (standing: DaemonCore.Standing, at: Monotonic)] = [:]
  let time: TimeService
  /// The open ports as clients of gpsd see them, by node.
  var devices: [String: GPSDDevice] = [:]
  let started = Clocks.monotonic()
  let clock = DaemonClock()
  private let tokens: TokenSource
  var core: DaemonCore
  private var udev: UdevMonitor?
  var ports: [DaemonCore.Slot: OpenPort] = [:]
  /// Pins of receivers, once they were used.
  var pins: [String: GPIOLine] = [:]
  /// What ends a pulse on a line or a pin, and when.
  var pulses: [Pulse] = []
  let memory: StateDirectory
  var powerWatch: PowerWatch
  /// The port whose bytes are being taken in.
  private(set) var beingRead: DaemonCore.Slot?
  private var sources: [EventLoop.Token: Source] = [:]
  private var buffer = [UInt8](repeating: 0, count: Daemon.readByteCount)
  private var isEnding = false

  /// Opens the log and takes the signals over; nothing is opened yet that has a receiver behind it.
  package init(_ options: Options) throws(DaemonError) {
    self.options = options
    Memory.giveLargeBlocksBack()
    do throws(Errno) { loop = try EventLoop() } catch { throw .kernel("event loop", error) }
    let boot = BootID.current
    log = try LogKeeper(
      options.configuration.log, bootTag: boot.tag, created: Clocks.utc(),
      creator: "binnacle \(options.version)", wakeUp: loop.wakeUp)
    var settings = DaemonCore.Settings(
      bootTag: boot.tag, bootID: boot.text, version: options.version,
      buildDate: options.buildDate)
    settings.nodes = options.nodes
    settings.receivers = options.configuration.receivers
    settings.floor = Self.floor(log.newestTime, buildDate: options.buildDate)
    memory = StateDirectory(besideLog: options.configuration.log.path)
    settings.memories = memory.contents()
    powerWatch = PowerWatch(options.configuration.power)
    settings.supply = powerWatch.supply
    settings.profiles = ReceiverProfile.shipped
    core = DaemonCore(settings, at: clock.now())
    logFilter = LogFilter(options.configuration.log)
    let services = try Self.services(options.configuration, log, loop.wakeUp)
    self.services = services
    let tokens = TokenSource()
    self.tokens = tokens
    gpsd = GPSDServer(
      options.configuration, version: options.version, loop: loop, nextToken: tokens.next,
      rights: { Self.rights(of: $0, services) }, reduce: { services.reduced($0) })
    control = ControlServer(
      loop: loop, daemonVersion: "binnacle \(options.version)", nextToken: tokens.next)
    time = TimeService(options.configuration.time)
  }

  static let ownUser = geteuid()

  /// Runs until SIGTERM or SIGINT. All that was appended is then on disk, if that still works.
  package func run() throws(DaemonError) {
    startClients()
    startServices()
    if options.nodes.isEmpty { try discover() }
    perform(core.start(recovery: log.recovery, at: clock.now()))
    log.pump(at: Clocks.monotonic())
    ServiceManager.notify(.ready)
    let began = Clocks.monotonic()
    // Half of what the manager allows, so that one late turn costs nothing.
    var watchdog = Recurrence(every: ServiceManager.watchdogPeriod.map { $0 / 2 }, at: began)
    // Soon after the start, which needs code that is never needed again, and after other rare work;
    // but nothing wakes up for it.
    var codeRelease = Recurrence(first: .seconds(10), every: .seconds(60), at: began)
    while !isEnding {
      var due = min(core.deadline ?? .never, log.deadline ?? .never, gpsd.deadline ?? .never)
      due = min(due, services.deadline, watchdog.deadline)
      loop.deadline = min(due, linesDeadline ?? .never, holdDeadline ?? .never)
      let events: [EventLoop.Event]
      do throws(Errno) { events = try loop.wait() } catch { throw .kernel("epoll", error) }
      for event in events { handle(event) }
      perform(control.takeBroken())
      let now = Clocks.monotonic()
      if watchdog.isDue(at: now) { ServiceManager.notify(.watchdog) }
      if codeRelease.isDue(at: now) { ProcessMemory.releaseCode() }
      let hasOutcomes = events.contains(.wokenUp)
      if hasOutcomes || log.isDue(at: now) { log.pump(at: now) }
      if hasOutcomes { pumpServices() }
    }
    ServiceManager.notify(.stopping)
    for event in services.finish() { serve(event) }
    perform(core.stop(reason: "asked to end", at: clock.now()))
    log.finish()
  }

  /// The latest time in the log, unless it is so far off that a receiver's error must have put it
  /// there: then it would push good dates 1024 weeks ahead.
  private static func floor(_ newest: UTCTime?, buildDate: UTCTime) -> UTCTime? {
    guard let newest, newest - buildDate < .seconds(1024 * 7 * 86_400) else { return nil }
    return Clocks.isSynchronised ? min(newest, Clocks.utc()) : newest
  }

  private func handle(_ event: EventLoop.Event) {
    switch event {
    case .ready(let token, let readable, let writable, let hungUp):
      guard sources[token] == nil else {
        return ready(token, readable: readable || hungUp, writable: writable)
      }
      if let orders = control.ready(
        token, readable: readable, writable: writable, hungUp: hungUp)
      {
        return perform(orders)
      }
      perform(
        gpsd.ready(
          token, readable: readable, writable: writable, hungUp: hungUp, at: clock.now()))
    case .deadline:
      let now = clock.now()
      endPulses(at: now.monotonic)
      endHolds(at: now.monotonic)
      perform(core.timer(at: now))
      perform(gpsd.timer(at: now))
      if services.deadline <= now.monotonic { serve(.timerFired, at: now) }
    case .signal(.terminate): isEnding = true
    case .signal(.reload): reload()
    case .clockStepped: perform(core.clockStepped(at: clock.now()))
    case .wokenUp: break
    }
  }

  private func ready(_ token: EventLoop.Token, readable: Bool, writable: Bool) {
    switch sources[token] {
    case .port(let slot)?:
      if writable { flush(slot) }
      if readable { read(slot) }
    case .udev?: receiveUdev()
    case .directory(let watch, let node)?:
      guard watch.appeared() else { return }
      loop.remove(watch.descriptor)
      sources[token] = nil
      perform(core.appeared(node: node, at: clock.now()))
    case nil: break
    }
  }

  // MARK: Discovery

  private func discover() throws(DaemonError) {
    do throws(Errno) {
      let monitor = try UdevMonitor(subsystems: PortDescription.subsystems)
      udev = monitor
      let token = tokens.next()
      sources[token] = .udev
      try loop.add(monitor.descriptor, token: token)
    } catch {
      throw .kernel("udev", error)
    }
    enumerate()
  }

  private func enumerate() {
    for device in udev?.devices() ?? [] { added(device) }
  }

  private func added(_ device: UdevDevice) {
    guard let port = PortDescription.current(device) else { return }
    perform(core.added(port, devicePath: device.devicePath, at: clock.now()))
  }

  private func receiveUdev() {
    while let udev {
      switch udev.receive() {
      case .event(.removed, let device):
        perform(core.removed(devicePath: device.devicePath, at: clock.now()))
      case .event(_, let device): added(device)
      case .overflow: enumerate()
      case .other: continue
      case .none: return
      }
    }
  }

  // MARK: Ports

  func perform(_ commands: [DaemonCore.Command]) {
    for command in commands {
      switch command {
      case .open(let slot, let node): open(slot, node)
      case .close(let slot): close(slot)
      case .setSpeed(let slot, let baud): setSpeed(slot, baud)
      case .write(let slot, let bytes): write(bytes, slot)
      case .dropInput(let slot): ports[slot]?.port.flushInput()
      case .holdLineLow(let slot, let span): holdLineLow(slot, span)
      case .pulseWakePin(let slot, let span): pulseWakePin(slot, span)
      case .setSupply(let slot, let isOn): setSupply(slot, isOn)
      case .keep(let name, let bytes): keep(name, bytes)
      case .slept(let slot, let isAsleep): slept(slot, isAsleep, at: clock.now())
      case .searchFailed(let slot): searchFailed(slot, at: clock.now())
      // Who gave the order is answered by a command of its own.
      case .ordered: break
      case .append(let content, let boottime):
        guard isLogged(content) else { continue }
        log.append(content, boottime: boottime, at: Clocks.monotonic())
      case .publish(let slot, let epoch):
        log.setLeapSeconds(core.leapSeconds(of: slot))
        notePace(epoch, slot)
        publish(epoch, from: slot, at: clock.now())
      case .serve(let slot, let epoch):
        serve(epoch, from: slot, at: clock.now())
        tellObservers(of: epoch, from: slot)
      case .answer(let ticket, .success(let members)):
        control.answer(ControlLine.answer(ticket.request, members), to: ticket.client)
      case .answer(let ticket, .failure(let error)): refuse(error, ticket)
      case .say(let text): Journal.line(text)
      }
    }
  }

  private func open(_ slot: DaemonCore.Slot, _ node: String) {
    close(slot)
    // What udev found was judged already.
    if !options.nodes.isEmpty, let obstacle = PortDescription.obstacle(on: node) {
      return perform(core.openFailed(slot, obstacle, at: clock.now()))
    }
    do throws(SerialPortError) {
      let port = try SerialPort(path: node)
      let token = tokens.next()
      do throws(Errno) {
        try loop.add(port.descriptor, token: token)
      } catch {
        throw .cannotConfigure(path: node, error)
      }
      sources[token] = .port(slot)
      let session = core.receivers[slot].session
      ports[slot] = OpenPort(
        port, token: token,
        forecast: BurstForecast(savesPower: savesPower(session)))
      let speed = port.isPseudoterminal ? nil : port.speed
      opened(
        node, descriptor: port.descriptor, speed: speed,
        identity: core.receivers[slot].session.identity)
      perform(core.opened(slot, speed: speed, at: clock.now()))
    } catch {
      if case .cannotOpen(_, .noSuchFile) = error, watch(for: node, slot) { return }
      perform(core.openFailed(slot, error.message, at: clock.now()))
    }
  }

  /// Waits for the node without asking again and again.
  private func watch(for node: String, _ slot: DaemonCore.Slot) -> Bool {
    guard !options.nodes.isEmpty, let watch = try? DirectoryWatch(for: node) else { return false }
    let token = tokens.next()
    guard (try? loop.add(watch.descriptor, token: token)) != nil else { return false }
    core.missing(slot)
    // It may have come between the attempt to open it and the watch.
    if fileExists(node) {
      loop.remove(watch.descriptor)
      return false
    }
    sources[token] = .directory(watch, node: node)
    return true
  }

  private func close(_ slot: DaemonCore.Slot) {
    guard let open = ports.removeValue(forKey: slot) else { return }
    loop.remove(open.port.descriptor)
    sources[open.token] = nil
    closed(open.port.path)
  }

  private func setSpeed(_ slot: DaemonCore.Slot, _ baud: Int) {
    guard let port = ports[slot]?.port else { return }
    do throws(SerialPortError) {
      try port.setSpeed(baud)
      port.flushInput()
    } catch {
      Journal.line(error.message, .warning)
    }
  }

  /// Takes what the port holds now; the rest comes with the next event.
  func read(_ slot: DaemonCore.Slot) {
    guard let open = ports[slot] else { return }
    let port = open.port
    switch buffer.withUnsafeMutableBytes({ port.read(into: $0) }) {
    case .bytes(let count):
      let errors = port.lineErrors.map(LineErrors.init)
      let now = clock.now()
      let orders = buffer.withByteView {
        gpsd.bytes($0.extracting(0..<count), from: port.path)
      }
      perform(orders)
      noteRead(count, open, at: now.monotonic)
      beingRead = slot
      perform(
        buffer.withByteView {
          core.receive(slot, $0.extracting(0..<count), errors: errors, at: now)
        })
      beingRead = nil
      pace(slot, at: now.monotonic)
    case .wouldBlock: break
    case .ended(let reason): perform(core.ended(slot, reason.text, at: clock.now()))
    }
  }
}

/// Names the loop's descriptors, each with a number of its own.
final class TokenSource {
  private var last: UInt32 = 0

  func next() -> EventLoop.Token {
    last &+= 1
    return EventLoop.Token(last)
  }
}
