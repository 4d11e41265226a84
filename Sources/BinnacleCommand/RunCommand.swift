import BinnacleDaemon
import GNSS
import LinuxIO
import LocationServices

extension Subcommand {
  static let run = Subcommand(
    name: "run", summary: "Run the daemon in the foreground: receivers in, log out",
    details: """
      Finds GNSS receivers through udev, listens to them at whatever speed they talk,
      and keeps every fix in a ring file that survives a power cut at any instant. Ports
      that are not known to be a receiver's are not opened: 'binnacle devices' lists them
      and says why. Messages go to standard error, for the journal.

      The configuration is \(Configuration.defaultPath); without that file the
      defaults hold. SIGTERM and SIGINT end the daemon, with everything on disk.
      """,
    options: [
      Option("config", "FILE", help: "Read this configuration instead"),
      Option("check", help: "Only check the configuration, and end"),
      Option(
        "device", "PATH", isRepeatable: true,
        help: "Use this port, whatever it is, and discover none"),
      Option("log", "FILE", help: "The ring file, instead of the configured one"),
      Option("socket", "PATH", help: "The control socket, instead of the configured one"),
      Option(
        "build-date", "D",
        help: "No date lies before this day; an earlier one lets an old log be replayed"),
    ],
    examples: [
      ("binnacle run", "as the service does"),
      (
        "binnacle run --device /dev/ttyAMA0 --log /tmp/test.ring",
        "one receiver by hand, into a log of its own"
      ),
    ]
  ) { invocation throws(CommandError) in
    try invocation.expectNoOperands()
    var configuration = try Configuration.read(invocation.value("config"))
    if let path = invocation.value("log") {
      (configuration.log.path, configuration.log.isNamedByHand) = (path, true)
    }
    if let path = invocation.value("socket") { configuration.control.socket = path }
    guard !invocation.has("check") else { return try check(configuration) }
    let buildDate = try earliestDate(invocation.value("build-date"))
    var options = Daemon.Options(
      configuration: configuration, version: Build.version, buildDate: buildDate)
    options.nodes = invocation.allValues("device")
    do throws(DaemonError) {
      try Daemon(options).run()
    } catch {
      throw .failed(error.message)
    }
    return .ok
  }

  /// The policy file belongs to the configuration, too.
  private static func check(_ configuration: Configuration) throws(CommandError) -> ExitCode {
    do throws(PolicyError) { _ = try configuration.policy.read() } catch {
      throw .failed(error.message)
    }
    return .ok
  }

  private static func earliestDate(_ text: String?) throws(CommandError) -> UTCTime {
    guard let text else { return Build.date }
    guard let time = UTCTime(iso8601: text) else {
      throw .usage("--build-date \(text): not a day such as 2026-06-01")
    }
    return time
  }
}
