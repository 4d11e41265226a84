import BinnacleClient
import BinnacleDaemon
import Bytes
import ControlProtocol
import GNSS
import LinuxIO
import LocationServices

extension Subcommand {
  static let grant = Subcommand(
    name: "grant", summary: "Let a user, a group or a program know the location",
    operands: "user|group|client NAME VERDICT...",
    details: """
      The verdict is one of

        allow      while the program is connected
        always     also without: areas and sessions that outlive the program
        reduced    only roughly, to about 5 km; 'always reduced' and 'allow reduced', too
        ask        nobody has decided yet
        deny       not at all; 'binnacle revoke' does the same

      and 'temporary' behind reduced lets the program ask for full accuracy for a time. It
      holds over the policy file, except where that restricts the subject, and survives a
      restart. A client is a program by the name that it gives itself.

      With --full-accuracy, one that is reduced gets full accuracy for a time and a purpose.
      For root.
      """,
    options: [
      Option("full-accuracy", "PURPOSE", help: "For a time; takes 'user NAME' alone"),
      Option("span", "S", help: "For how long, in seconds, at most 3600; without it 3600"),
      Option(
        "client", "NAME",
        help: "With --full-accuracy: for this program; without it the command line"),
      DaemonCommand.socket,
    ],
    examples: [
      ("binnacle grant user pi always", "pi may do everything"),
      ("binnacle grant group gps reduced", "the group gps is told roughly"),
      ("binnacle grant user pi --full-accuracy rescue --span 600", "for ten minutes"),
    ]
  ) { invocation throws(CommandError) in
    let words = invocation.operands
    let subject = try subject(words.prefix(2))
    if let purpose = invocation.value("full-accuracy") {
      guard words.count == 2, case .user(let name) = subject else {
        throw .usage("--full-accuracy takes 'user NAME' alone")
      }
      guard let user = UInt32(name) ?? UserDatabase.userID(named: name) else {
        throw .failed("\(name): no such user; 'getent passwd' lists them")
      }
      let span = try invocation.integer("span", in: 1...3600) ?? 3600
      let owner = Owner(
        userID: user, clientName: invocation.value("client") ?? DaemonCommand.clientName)
      return try change(.grantFullAccuracy(owner, purpose: purpose, .seconds(span)), invocation)
    }
    let verdict: Verdict
    do throws(VerdictError) {
      verdict = try Verdict(words: words.dropFirst(2).map { Substring($0) })
    } catch {
      throw .usage("\(subject.text): \(error.problem)")
    }
    let code = try change(.grant(subject, verdict), invocation)
    warn(of: subject)
    return code
  }

  static let revoke = Subcommand(
    name: "revoke", summary: "Take the right to know the location away",
    operands: "user|group|client NAME",
    details: """
      Denies location to a user, a group or a program from now on, over what the policy file
      says. With --forget what was granted or revoked is forgotten, and the policy file holds
      again. For root.
      """,
    options: [
      Option("forget", help: "Back to what the policy file says"), DaemonCommand.socket,
    ],
    examples: [("binnacle revoke user guest", "guest is told nothing any more")]
  ) { invocation throws(CommandError) in
    let subject = try subject(invocation.operands[...])
    return try change(invocation.has("forget") ? .forget(subject) : .revoke(subject), invocation)
  }

  static let policy = Subcommand(
    name: "policy", summary: "Show who may know the location; switch it off for all",
    operands: "[on | off | file]",
    details: """
      Without operand, lists the rules of the policy file and what was granted and revoked
      since. off: nobody is located, and nothing is logged, until on or file; file: as the
      policy file says.

      The file is \(Configuration.PolicyFile.defaultPath), one rule a line. It is
      read at the start and on SIGHUP ('systemctl reload binnacle'); binnacle.conf at the start
      alone:

        location on              # or off
        default deny             # for whom no rule is
        gpsd allow               # for clients of the gpsd protocol for whom no rule is
        require-session no
        user pi always
        group gps reduced temporary
        client com.example.map allow
        user guest restrict      # cannot be granted

      Without a file the group binnacle may do everything, others nothing, and clients of
      the gpsd protocol are served as gpsd does. Root may do everything.
      """,
    options: [DaemonCommand.format, DaemonCommand.json, DaemonCommand.socket]
  ) { invocation throws(CommandError) in
    switch invocation.operands.first {
    case nil: return try list(invocation)
    case "on" where invocation.operands.count == 1: return try change(.setEnabled(true), invocation)
    case "off" where invocation.operands.count == 1:
      return try change(.setEnabled(false), invocation)
    case "file" where invocation.operands.count == 1:
      return try change(.setEnabled(nil), invocation)
    default: throw .usage("policy takes on, off, file or nothing; see 'policy --help'")
    }
  }

  private static func list(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let daemon = try DaemonCommand.connect(invocation)
    let rules = try daemon.list("rules") { _, count in .policy(from: count) }
    var table = TextTable(["subject", "verdict", "by"])
    for rule in rules {
      if DaemonCommand.wantsJSON(invocation) { try DaemonCommand.write(json: rule) }
      table.add([rule.text("subject"), rule.text("verdict"), rule.text("source")])
    }
    guard !DaemonCommand.wantsJSON(invocation) else { return .ok }
    var output = OutputBuffer()
    table.write(to: &output)
    try DaemonCommand.write(output)
    return .ok
  }

  private static func subject(_ words: ArraySlice<String>) throws(CommandError) -> Subject {
    guard words.count == 2, let subject = Subject(text: words.joined(separator: " ")) else {
      throw .usage("whom? give 'user NAME', 'group NAME' or 'client NAME'")
    }
    return subject
  }

  /// A user may be granted something before there is one; more often the name is mistyped.
  private static func warn(of subject: Subject) {
    let (name, kind, database): (String, String, String)
    switch subject {
    case .user(let user) where UInt32(user) == nil && UserDatabase.userID(named: user) == nil:
      (name, kind, database) = (user, "user", "passwd")
    case .group(let group) where !UserDatabase.hasGroup(named: group):
      (name, kind, database) = (group, "group", "group")
    case .user, .group, .client: return
    }
    StandardError.line(
      "\(name): no such \(kind) yet, so that this holds for nobody; 'getent \(database)' lists "
        + "them")
  }

  private static func change(
    _ change: PolicyChange, _ invocation: Invocation
  ) throws(CommandError) -> ExitCode {
    _ = try DaemonCommand.connect(invocation).ask(.service(.administer(change)))
    return .ok
  }
}
