import BinnacleClient
import BinnacleDaemon
import Bytes
import ControlProtocol
import FixLog
import GNSS
import LinuxIO
import LocationServices

extension Subcommand {
  static let visits = Subcommand(
    name: "visits", summary: "Where the board stayed, from when until when",
    details: """
      Lists the places where the board stayed for five minutes or more, out of the log, the
      oldest first; the last one may still last. --follow asks the daemon instead, and prints
      a line at each arrival and departure. Exit code 3: there are none.
      """,
    options: [
      Option("log", "FILE", help: "The log; without it \(DaemonLog.help)"),
      Option("since", "TIME", help: "No older ones, with times as in 'log-dump --help'"),
      Option("follow", help: "Print new ones as they begin and end"),
      Option("count", "N", help: "For --follow: end after so many lines"),
      DaemonCommand.format, DaemonCommand.json, DaemonCommand.socket,
    ],
    examples: [("binnacle visits --since yesterday", "Where it was since yesterday")]
  ) { invocation throws(CommandError) in
    try invocation.expectNoOperands()
    if invocation.has("follow") { return try follow(invocation) }
    let path = invocation.value("log") ?? DaemonLog.path
    var query = LogQuery()
    query.kinds = .events
    if let since = invocation.value("since") {
      guard let time = TimeExpression.time(since, now: Clocks.utc()) else {
        throw .usage("--since \(since): not a time such as yesterday, -2h or 2026-10-14")
      }
      query.since = time
    }
    guard try !DumpPrivacy.isReduced(path) else {
      throw .failed("with reduced accuracy only 'visits --follow' tells of visits")
    }
    let source = try DumpSource(path: path, query: query)
    var visits: [Visit] = []
    source.readAll { record in
      guard case .event(let event) = record.content, let visit = Visit(event) else { return }
      // The departure tells all that the arrival did.
      if visits.last?.arrival == visit.arrival { visits.removeLast() }
      visits.append(visit)
    }
    guard !visits.isEmpty else { throw .nothingFound("\(path): no visits") }
    for visit in visits { try show(visit, isJSON: DaemonCommand.wantsJSON(invocation)) }
    return .ok
  }

  private static func follow(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let count = try invocation.integer("count", in: 1...1_000_000_000)
    let daemon = try DaemonCommand.connect(invocation)
    var options = SessionOptions()
    (options.services, options.purpose) = (.visits, "binnacle visits")
    _ = try daemon.ask(.service(.openSession(options)))
    var seen = 0
    while count.map({ seen < $0 }) ?? true, let line = try daemon.next() {
      guard case .visit(let visit) = Update(line) else { continue }
      seen += 1
      try show(visit, isJSON: DaemonCommand.wantsJSON(invocation))
    }
    return .ok
  }

  private static func show(_ visit: Visit, isJSON: Bool) throws(CommandError) {
    guard !isJSON else { return try DaemonCommand.write(json: .object(visit.members)) }
    let end = visit.departure.map { FixText.time($0) } ?? "still there"
    var accuracy = OutputBuffer()
    accuracy.append(fixed: visit.horizontalAccuracy, decimals: 0)
    try DaemonCommand.write(
      text: "\(FixText.time(visit.arrival)) - \(end)  \(FixText.position(visit.coordinate))"
        + "  ±\(accuracy.text) m")
  }
}
