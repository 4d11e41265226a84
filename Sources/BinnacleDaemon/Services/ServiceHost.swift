import FixLog
import GNSS
import GPSDProtocol
import LinuxIO
import LocationServices

/// The location services with what they need around them: the state file, their timer, and what the
/// log holds of their events.
final class ServiceHost {
  private(set) var service: LocationService
  /// When the services want to be called.
  private(set) var deadline = Monotonic.never
  private let state: StateKeeper
  private let systemSessions: [Configuration.Session]
  /// Events that the log was told of: how many records it must have on disk for each.
  private var unlogged: [(sequence: UInt64, recordCount: Int)] = []
  /// As many as the services remember.
  private static let unloggedCountMax = 10_000
  private(set) var lines: [String] = []

  /// - Parameter logged: The highest number of an event that the log holds, of those since a time.
  init(
    _ policy: Policy, sessions: [Configuration.Session], state: StateKeeper,
    logged: (_ since: UTCTime?) -> UInt64
  ) {
    self.state = state
    systemSessions = sessions
    let (entries, problem) = state.read()
    if let problem { lines.append(problem) }
    let unlogged = StateEntry.unlogged(in: entries)
    let through = unlogged.isEmpty ? 0 : logged(Self.begin(of: unlogged))
    service = LocationService(
      policy: policy, restoring: entries,
      loggedThrough: unlogged.contains { $0.sequence == through } ? through : 0)
  }

  /// An event may be told late; older ones of the same number are of another state file.
  private static func begin(of events: [ServiceEvent]) -> UTCTime? {
    let times = events.compactMap(\.time)
    guard times.count == events.count, let first = times.min() else { return nil }
    return first + .seconds(-3600)
  }

  func start(at now: LocationServices.Now) -> [LocationService.Command] {
    for session in systemSessions { _ = service.openSystemSession(session.options, at: now) }
    return take(service.start(at: now))
  }

  func handle(
    _ event: LocationService.Event, at now: LocationServices.Now
  ) -> [LocationService.Command] {
    take(service.handle(event, at: now))
  }

  /// Does what concerns nobody outside, and gives back the rest.
  private func take(_ commands: [LocationService.Command]) -> [LocationService.Command] {
    commands.filter { command in
      switch command {
      case .armTimer(let instant): deadline = instant
      case .persist(let write, let ticket):
        state.write(write, ticket: ticket)
      default: return true
      }
      return false
    }
  }

  /// What came of writes meanwhile.
  func takeOutcomes() -> [LocationService.Event] {
    let (events, line) = state.takeOutcomes()
    if let line { lines.append(line) }
    return events
  }

  /// Waits for the writes that are under way.
  func finish() -> [LocationService.Event] { state.finish() }

  func takeLines() -> [String] {
    defer { lines = [] }
    return lines
  }

  /// Whether location is off for the whole system.
  var isOff: Bool {
    !(service.authorizations.isEnabled ?? service.authorizations.policy.isEnabled)
  }

  // MARK: The log

  /// The log was told of an event, as its record of this number.
  func told(_ event: ServiceEvent, recordCount: Int) {
    if unlogged.count >= Self.unloggedCountMax { unlogged.removeFirst() }
    unlogged.append((event.sequence, recordCount))
  }

  /// So many records were appended to the log, and are on disk.
  /// - Returns: The event that is now known to be there.
  func durable(_ status: LogWriterStatus) -> LocationService.Event? {
    // A ring that was lost and opened anew counts from the beginning. What it had not got comes
    // first in the new one.
    if let last = unlogged.last, last.recordCount > status.appendedCount {
      for index in unlogged.indices { unlogged[index].recordCount = status.appendedCount }
    }
    let count = unlogged.prefix { $0.recordCount <= status.durableCount }.count
    guard count > 0 else { return nil }
    defer { unlogged.removeFirst(count) }
    return .logged(through: unlogged[count - 1].sequence)
  }

  // MARK: Clients of the gpsd protocol

  /// Who is at the other end; of other machines nobody knows.
  static func credentials(of peer: SocketPeer) -> Credentials {
    var credentials = Credentials(userID: .max)
    if case .local(let user, _) = peer {
      credentials = Credentials(
        userID: user, userName: UserDatabase.userName(user),
        groups: UserDatabase.groups(ofUser: user))
    }
    credentials.isGPSD = true
    return credentials
  }

  /// What the policy grants to a client.
  func access(of peer: SocketPeer, at now: LocationServices.Now) -> GPSDHub.Access {
    let authorization = service.authorization(for: Self.credentials(of: peer), at: now)
    guard authorization.isAuthorized else { return .denied }
    return authorization.isReduced ? .reduced : .full
  }

  /// What clients with reduced accuracy get in place of an epoch.
  func reduced(_ epoch: Epoch) -> Epoch {
    var rough = Epoch()
    (rough.firstByte, rough.lastByte) = (epoch.firstByte, epoch.lastByte)
    if let fix = service.reducer.published { rough.fix = fix } else { rough.fix.mode = .none }
    return rough
  }
}

extension StateEntry {
  /// The events of a state file that it does not know to be in the log.
  fileprivate static func unlogged(in entries: [StateEntry]) -> [ServiceEvent] {
    var (through, events) = (UInt64(0), [ServiceEvent]())
    for entry in entries {
      switch entry {
      case .event(let event, _): events.append(event)
      case .logged(let sequence): through = max(through, sequence)
      default: break
      }
    }
    return events.filter { $0.sequence > through }
  }
}
