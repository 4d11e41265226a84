import BinnacleDaemon
import GNSS
import LinuxIO

extension Subcommand {
  static let logDump = Subcommand(
    name: "log-dump", summary: "Print the logged fixes as a table, track or data",
    details: """
      Reads the ring log, also while the daemon writes to it, from the oldest record to
      the newest. All times in the output are UTC.

      \(TimeExpression.help)
      """,
    options: [
      Option("log", "FILE", help: "The ring to read; without it \(DaemonLog.help)"),
      Option("since", "TIME", help: "Nothing older"),
      Option("until", "TIME", help: "Nothing newer"),
      Option(
        "around", "TIME[,SPAN]", help: "What lies within SPAN (5min) before and after TIME"),
      Option("last", "N", help: "Only the newest N records of these"),
      Option(
        "follow", help: "Go on with new records as they come; without a start, from the last 10"),
      Option(
        "receiver", "ID", help: "Only of the receivers whose id or name contains ID"),
      Option(
        "within", "LAT,LON,RADIUS",
        help: "Only fixes at most RADIUS (metres, or 2km) from a place"),
      Option(
        "bbox", "LAT,LON,LAT,LON",
        help: "Only fixes in a box, given by its south-west and north-east corners"),
      Option("max-accuracy", "METRES", help: "Only fixes that are as accurate as this or better"),
      Option(
        "min-distance", "METRES", help: "Leave out fixes nearer than this to the last one shown"),
      Option("every", "SPAN", help: "Leave out fixes sooner than this after the last one shown"),
      Option(
        "smooth",
        help: "Smooth the track by the accuracies in the log, and leave out what no motion explains"
      ),
      Option(
        "datum", "DATUM", choices: ChineseDatum.allCases.map(\.rawValue),
        help: "Positions as maps in China draw them; without it WGS-84"),
      Option("events", help: "Show what else happened, too: attach, detach, gap, power, ..."),
      Option(
        "stats", help: "Tell on standard error what it adds up to: distance, time moving, ..."),
      Option(
        "format", "FORMAT", choices: DumpFormat.allCases.map(\.rawValue),
        help: "What to print; without it text"),
      Option("places", help: "Name the nearest place of each fix: text, json and csv"),
      Option(
        "index", "FILE", help: "The index for --places; without it \(PlaceFile.defaultPath)"),
      Option(
        "tiles", "URL",
        help: "For html: a map behind the track, such as https://HOST/{z}/{x}/{y}.png; the page "
          + "then loads it from there"),
      Option("output", "FILE", help: "Write to FILE, which gets its name when it is complete"),
      Option(
        "cursor-file", "FILE",
        help: "Go on where the last dump with FILE ended, and note there where this one does"),
      Option(
        "cursor", "CURSOR", help: "Go on behind the record that an earlier --show-cursor named"),
      Option("show-cursor", help: "Tell on standard error which record was the last"),
    ],
    examples: [
      ("binnacle log-dump --since yesterday --format gpx --output track.gpx", "A track file"),
      ("binnacle log-dump --since -1d --format html --output day.html", "A page with a map"),
      ("binnacle log-dump --around '2026-10-14 05:06,30s' --events", "What happened then"),
      ("binnacle log-dump --within 52.5,13.4,2km --stats", "When it was there, and how long"),
      ("binnacle log-dump --follow --format json", "Every fix as it is logged"),
    ],
    run: { invocation throws(CommandError) in
      try invocation.expectNoOperands()
      var dump = try LogDump(DumpRequest(invocation, now: Clocks.utc()))
      return try dump.run()
    })
}

/// The log that the daemon writes, for commands that are given none.
enum DaemonLog {
  /// As the configuration says. One that cannot be read says nothing; the daemon tells of it.
  static var path: String {
    ((try? Configuration.read(nil)) ?? Configuration()).log.path
  }

  /// What the help says of it.
  static let help = "the daemon's: \(Configuration().log.path) unless configured"
}
