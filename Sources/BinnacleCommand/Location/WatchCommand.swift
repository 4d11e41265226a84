import BinnacleClient
import Bytes
import ControlProtocol
import GNSS
import LinuxIO
import LocationServices

extension Subcommand {
  static let watch = Subcommand(
    name: "watch", summary: "Follow the position",
    details: """
      Opens a session and shows position, sky, signals and the receiver's state, until q is
      pressed. In a pipe, or with --lines, it prints a line for every fix that it is told of,
      until it is interrupted. With --json every line is an object of the control protocol,
      satellites and the receivers' state too.
      """,
    options: [
      Option(
        "accuracy", "TIER", choices: DaemonCommand.tierNames,
        help: "How accurate; without it bestForNavigation"),
      Option("filter", "M", help: "Metres between fixes; without it every one"),
      Option("count", "N", help: "End after so many fixes"),
      Option("timeout", "S", help: "End when no fix came for so many seconds"),
      Option("lines", help: "Print lines, also on a terminal"),
      DaemonCommand.json, DaemonCommand.socket,
    ],
    examples: [
      ("binnacle watch", "The whole picture"),
      ("binnacle watch --lines", "Every fix, as it comes"),
      ("binnacle watch --accuracy nearestTenMeters --filter 50", "Only moves of 50 m"),
    ]
  ) { invocation throws(CommandError) in
    try invocation.expectNoOperands()
    var options = SessionOptions()
    options.tier = try DaemonCommand.tier(invocation.value("accuracy")) ?? .bestForNavigation
    options.filter = .everyEpoch
    if let metres = try invocation.number("filter", in: 0...1e7) {
      options.filter = .distance(metres)
    }
    (options.purpose, options.pausesAutomatically) = ("binnacle watch", false)
    let count = try invocation.integer("count", in: 1...1_000_000_000)
    let timeout = try invocation.number("timeout", in: 0...1e6)
    let daemon = try DaemonCommand.connect(invocation)
    _ = try daemon.ask(.service(.openSession(options)))
    let isJSON = invocation.has("json")
    let wantsLines = isJSON || invocation.has("lines") || count != nil || timeout != nil
    if !wantsLines, let screen = TerminalScreen() { return try show(daemon, on: screen) }
    // With reduced accuracy nothing can be looked at besides.
    if isJSON { _ = try? daemon.ask(.observe([.satellites, .receivers])) }
    return try follow(
      daemon, count: count, timeout: timeout.map { .milliseconds(Int64($0 * 1000)) }, isJSON: isJSON
    )
  }

  private static func show(
    _ daemon: BinnacleConnection, on screen: TerminalScreen
  ) throws(CommandError) -> ExitCode {
    let view: LiveView
    do throws(Errno) { view = try LiveView(daemon, on: screen) } catch {
      throw .failed("the terminal: \(error.text)")
    }
    do throws(BinnacleError) { try view.run() } catch { throw CommandError(error) }
    return .ok
  }

  private static func follow(
    _ daemon: BinnacleConnection, count: Int?, timeout: Duration?, isJSON: Bool
  ) throws(CommandError) -> ExitCode {
    var seen = 0
    var end = timeout.map { Clocks.monotonic() + $0 }
    while count.map({ seen < $0 }) ?? true {
      guard let line = try daemon.next(timeout: end.map { $0 - Clocks.monotonic() }) else {
        throw .nothingFound("no fix came in time; 'binnacle doctor' tells what hinders it")
      }
      if line["update"]?.string == "location" {
        seen += 1
        end = timeout.map { Clocks.monotonic() + $0 }
      }
      if isJSON {
        try DaemonCommand.write(json: line)
      } else {
        try show(line)
      }
    }
    return .ok
  }

  private static func show(_ line: JSONValue) throws(CommandError) {
    switch line["type"]?.string {
    case "lost": StandardError.line("binnacle: \(line.text("count")) updates came too fast")
    case "update":
      switch Update(line) {
      case .location(let location): try DaemonCommand.write(text: FixText.line(location))
      case .failure(let error): StandardError.line("binnacle: \(error.message)")
      case .diagnostics(let diagnostics) where !diagnostics.isEmpty:
        StandardError.line("binnacle: \(diagnostics.names.joined(separator: ", "))")
      default: break
      }
    default: break
    }
  }
}
