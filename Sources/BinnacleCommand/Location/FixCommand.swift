import BinnacleClient
import Bytes
import ControlProtocol
import GNSS
import LinuxIO
import LocationServices

extension Subcommand {
  static let fix = Subcommand(
    name: "fix", summary: "Get the position once",
    details: """
      Asks the daemon for one position, wakes the receiver for it, and waits until a fix is
      as accurate as wanted. When the time is up, the best one so far is printed and marked;
      exit code 3 if there was none at all. 'binnacle doctor' tells what hinders it.
      """,
    options: [
      Option(
        "accuracy", "TIER", choices: DaemonCommand.tierNames,
        help: "How accurate; without it best"),
      Option("timeout", "S", help: "How long to wait, in seconds; without it 10"),
      Option("max-age", "S", help: "A known position may be so old; without it 5"),
      DaemonCommand.format, DaemonCommand.json, DaemonCommand.socket,
    ],
    examples: [
      ("binnacle fix", "Where is this board?"),
      (
        "binnacle fix --accuracy hundredMeters --timeout 60 --json",
        "a rough position, for a program"
      ),
    ]
  ) { invocation throws(CommandError) in
    try invocation.expectNoOperands()
    var options = OneShot.Options(
      tier: try DaemonCommand.tier(invocation.value("accuracy")) ?? .best)
    if let timeout = try invocation.number("timeout", in: 0...3600) {
      options.timeout = .milliseconds(Int64(timeout * 1000))
    }
    if let age = try invocation.number("max-age", in: 0...86_400) {
      options.maximumAge = .milliseconds(Int64(age * 1000))
    }
    let daemon = try DaemonCommand.connect(invocation)
    let answer = try daemon.ask(
      .service(.requestLocation(options)), timeout: options.timeout + .seconds(10))
    guard let location = LocationUpdate(answer) else {
      throw .failed("the daemon's answer holds no fix; is it of another version?")
    }
    if DaemonCommand.wantsJSON(invocation) {
      try DaemonCommand.write(json: answer["fix"] ?? .null)
      if !location.meetsTier {
        StandardError.line("binnacle: no fix was accurate enough in time; this is the best one")
      }
    } else {
      try DaemonCommand.write(text: FixText.line(location))
    }
    return .ok
  }
}
