import BinnacleClient
import BinnacleDaemon
import ControlProtocol
import FixLog
import GNSS
import Glibc
import LinuxIO
import LocationServices

/// What is left of the log for a reader with reduced accuracy: one rough position in each quarter
/// of an hour, the same whatever is asked for, and no event that tells of a place.
struct Reduction {
  private var track = ReducedTrack()
  private let since: UTCTime?
  private let isWanted: (@Sendable (LogRecord) -> Bool)?

  /// Conditions are applied to what is left, not to what is hidden: the log is read from the
  /// beginning of the day.
  init(takingOver query: inout LogQuery) {
    (since, isWanted) = (query.since, query.isWanted)
    query.isWanted = nil
    query.since = query.since.map { time in
      let day: Int64 = 86_400_000_000
      return UTCTime(
        microseconds: time.microseconds - (time.microseconds % day + day) % day)
    }
  }

  mutating func restart() { track = ReducedTrack() }

  /// - Returns: `nil` for what is left out.
  mutating func reduce(_ record: LogRecord) -> LogRecord? {
    var rough = record
    switch record.content {
    case .fix(let exact, let stream):
      var dated = exact
      dated.time = exact.time ?? record.time
      guard let fix = track.reduce(dated) else { return nil }
      rough = LogRecord(content: .fix(fix, stream), time: fix.time, boottime: record.boottime)
      if let since, let time = fix.time, time < since { return nil }
    case .event(let event):
      guard Self.isHarmless(event.kind) else { return nil }
      if let since, let time = record.time ?? event.time, time < since { return nil }
    case .clock: break
    }
    return isWanted?(rough) == false ? nil : rough
  }

  /// Whether it says nothing of where the board is, or whether it moves.
  private static func isHarmless(_ kind: EventKind) -> Bool {
    switch kind {
    case .sessionStart, .sessionStop, .attach, .detach, .clockStep, .configuration, .recordsLost,
      .recovery, .leapAnnouncement, .authorization:
      true
    case .gap, .power, .regionEnter, .regionExit, .visitArrival, .visitDeparture, .interference:
      false
    }
  }
}

/// What the policy says of the user who reads the log.
enum DumpPrivacy {
  /// Whether only rough positions may be shown.
  ///
  /// Who may read the file at all is for its permissions to say. Of those, the daemon says who is
  /// to see it roughly, or the policy file while no daemon runs; one's own log is one's own.
  static func isReduced(_ path: String) throws(CommandError) -> Bool {
    let user = geteuid()
    guard user != 0, fileOwner(path) != user else { return false }
    let configuration = (try? Configuration.read(nil)) ?? Configuration()
    let socket = configuration.control.socket ?? Control.defaultPath
    if let daemon = try? BinnacleConnection(path: socket, clientName: DaemonCommand.clientName),
      let answer = try? daemon.perform(.authorization)
    {
      let status = answer["authorization"]?.string ?? ""
      guard status.hasPrefix("authorized") else { throw denied }
      return answer["accuracy"]?.string == "reducedAccuracy"
    }
    guard let policy = try? configuration.policy.read() else { return false }
    let reader = Credentials(
      userID: user, userName: UserDatabase.userName(user),
      groups: UserDatabase.groups(ofUser: user), clientName: DaemonCommand.clientName)
    let authorization = Authorizations(policy: policy).authorization(
      for: reader, at: LocationServices.Now(boottime: Clocks.monotonic()))
    guard authorization.isAuthorized else { throw denied }
    return authorization.isReduced
  }

  private static let denied = CommandError.failed(
    "the policy denies the location to this user; an administrator can allow it with "
      + "'binnacle grant'")
}
