import ControlProtocol
import FixLog
import GNSS
import GPSDProtocol
import LinuxIO
import LocationServices

// The location services: what happens goes in, and what they say is done.
extension Daemon {
  /// Reads policy and state.
  static func services(
    _ configuration: Configuration, _ log: LogKeeper, _ wakeUp: WakeUp
  ) throws(DaemonError) -> ServiceHost {
    let policy: Policy
    do throws(PolicyError) { policy = try configuration.policy.read() } catch {
      throw .policy(error.message)
    }
    let state: StateKeeper
    do throws(Errno) {
      state = try StateKeeper(path: configuration.statePath, notify: { wakeUp.signal() })
    } catch {
      throw .kernel("state thread", error)
    }
    return ServiceHost(
      policy, sessions: configuration.standingSessions, state: state,
      logged: { log.lastServiceEvent(since: $0) })
  }

  func startServices() {
    for line in services.takeLines() { Journal.line(line) }
    perform(services.start(at: serviceTime(clock.now())))
    if devices.isEmpty { serve(.receiverLost(reason: Self.noReceiver)) }
  }

  static let noReceiver = "no receiver is connected; 'binnacle devices' tells what is there"

  func serve(_ event: LocationService.Event, at now: Now? = nil) {
    perform(services.handle(event, at: serviceTime(now ?? clock.now())))
  }

  func serviceTime(_ now: Now) -> LocationServices.Now {
    LocationServices.Now(
      boottime: now.monotonic, time: DaemonCore.trustedTime(core.trustedOffset, at: now))
  }

  /// While location is off for the whole system, the log learns no place either.
  func isLogged(_ content: LogRecord.Content) -> Bool {
    guard case .fix(let fix, let stream) = content else { return true }
    return !services.isOff
      && logFilter.keeps(fix, of: stream.receiverID, at: serviceTime(clock.now()))
  }

  /// What a receiver says of where the board is.
  func serve(_ epoch: Epoch, from slot: DaemonCore.Slot, at now: Now) {
    guard choice.takes(slot, hasPosition: epoch.fix.hasPosition, at: now.monotonic) else { return }
    serve(.fix(epoch.fix), at: now)
  }

  /// A receiver that sleeps is not lost: clients of gpsd go on with its last fix.
  func slept(_ slot: DaemonCore.Slot, _ isAsleep: Bool, at now: Now) {
    if let node = core.receivers[slot].session.node {
      gpsd.device(node, isAsleep: isAsleep, at: now)
    }
    tellState(of: slot)
  }

  func searchFailed(_ slot: DaemonCore.Slot, at now: Now) {
    if choice.isOpen(to: slot) { serve(.searchFailed, at: now) }
  }

  /// Tells the services what came of their writes and events meanwhile.
  func pumpServices() {
    for event in services.takeOutcomes() { serve(event) }
    if log.trouble == nil, let event = services.durable(log.status) { serve(event) }
    for line in services.takeLines() { Journal.line(line) }
  }

  /// SIGHUP: only the policy can change while the daemon runs.
  func reload() {
    do throws(PolicyError) {
      serve(.policyLoaded(try options.configuration.policy.read()))
      Journal.line("binnacle: the policy was read again; all else is read at start only")
    } catch {
      Journal.line("\(error.message); the policy stays as it was")
    }
  }

  func perform(_ commands: [LocationService.Command]) {
    var isPolicyChanged = false
    for command in commands {
      switch command {
      case .deliver(let update, let recipient): deliver(update, to: recipient)
      case .answer(let answer, let request, let client):
        control.answer(ControlLine.line(answer, request), to: client)
      case .wantReceiver(let demand): perform(core.want(demand, at: clock.now()))
      case .log(let event):
        append(event.logEvent(boottime: Clocks.monotonic()))
        // Without a ring it waits for the next one, whose count it then gets.
        services.told(
          event, recordCount: log.trouble == nil ? log.status.appendedCount : .max)
      case .audit(let event):
        isPolicyChanged = true
        append(event.logEvent(boottime: Clocks.monotonic()))
      // Timer and state file are the host's.
      case .armTimer, .persist: break
      }
    }
    if isPolicyChanged { policyChanged() }
  }

  private func append(_ event: LogEvent) {
    let now = Clocks.monotonic()
    log.append(.event(event), boottime: now, at: now)
  }

  private func deliver(_ update: Update, to recipient: LocationService.Recipient) {
    switch recipient {
    case .session(_, let client), .monitor(_, let client):
      control.update(ControlUpdate.line(update, for: recipient), to: client)
    }
  }

  private func policyChanged() {
    perform(gpsd.policyChanged())
    endObservations()
  }

  // MARK: Sessions of gpsd's clients

  /// Client numbers from here on are of the gpsd protocol.
  static let gpsdClients: ClientID = 1 << 63

  func beginSession(_ id: GPSDHub.ClientID, _ peer: SocketPeer) {
    let client = Self.gpsdClients + ClientID(id.rawValue)
    serve(.disconnected(client))
    serve(.connected(client, ServiceHost.credentials(of: peer)))
    var session = SessionOptions()
    (session.tier, session.filter) = (options.configuration.gpsd.tier, .everyEpoch)
    (session.purpose, session.pausesAutomatically) = ("gpsd protocol", false)
    serve(.asked(.openSession(session), 0, client))
  }

  func endSession(_ id: GPSDHub.ClientID) {
    serve(.disconnected(Self.gpsdClients + ClientID(id.rawValue)))
  }
}
