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
      Option("log", "FILE", help: "The ring to read; without it \(defaultLogPath)"),
      Option("since", "TIME", help: "Nothing older"),
      Option("until", "TIME", help: "Nothing newer"),
      Option(
        "around", "TIME[,SPAN]", help: "What lies within SPAN (5min) before and after TIME"),
      Option("last", "N", help: "Only the newest N records of these"),
      Option(
        "follow", help: "Go on with new records as they come; without a start, from the last 10"),
      Option(
        "receiver", "ID", help: "Only of the receivers whose id or name contains ID"),
      Option("events", help: "Show what else happened, too: attach, detach, gap, power, ..."),
      Option(
        "format", "FORMAT", choices: DumpFormat.allCases.map(\.rawValue),
        help: "What to print; without it text"),
      Option("places", help: "Name the nearest place of each fix: text, json and csv"),
      Option("output", "FILE", help: "Write to FILE, which gets its name when it is complete"),
      Option(
        "cursor-file", "FILE",
        help: "Go on where the last dump with FILE ended, and note there where this one does"),
    ],
    examples: [
      ("binnacle log-dump --since yesterday --format gpx --output track.gpx", "A track file"),
      ("binnacle log-dump --around '2026-10-14 05:06,30s' --events", "What happened then"),
      ("binnacle log-dump --follow --format json", "Every fix as it is logged"),
    ],
    run: { invocation throws(CommandError) in
      try invocation.expectNoOperands()
      var dump = try LogDump(DumpRequest(invocation, now: Clocks.utc()))
      return try dump.run()
    })
}

/// Where the daemon logs unless the configuration says otherwise.
let defaultLogPath = "/var/lib/binnacle/fixes.ring"

/// What was asked of `log-dump`.
struct DumpRequest {
  var path = defaultLogPath
  var since: UTCTime?
  var until: UTCTime?
  var last: Int?
  var follows = false
  var receiver: String?
  var showsEvents = false
  var format = DumpFormat.text
  var outputPath = "-"
  var cursorPath: String?
  var namesPlaces = false

  /// Records shown before `--follow` goes on with new ones.
  private static let lastBeforeFollowing = 10
  private static let spanAround = Duration.seconds(300)

  init(_ invocation: Invocation, now: UTCTime) throws(CommandError) {
    path = invocation.value("log") ?? path
    since = try Self.time("since", of: invocation, now)
    until = try Self.time("until", of: invocation, now)
    last = try invocation.integer("last", in: 1...Int(Int32.max))
    follows = invocation.has("follow")
    receiver = invocation.value("receiver")
    showsEvents = invocation.has("events")
    format = invocation.value("format").flatMap { DumpFormat(rawValue: $0) } ?? format
    outputPath = invocation.value("output") ?? outputPath
    cursorPath = invocation.value("cursor-file")
    namesPlaces = invocation.has("places")
    if let around = invocation.value("around") { try setPeriod(around: around, now) }
    if let since, let until, until < since {
      throw .usage("--until lies before --since: \(until.iso8601) and \(since.iso8601)")
    }
    if showsEvents, !format.hasEvents {
      throw .usage("--events has no place in \(format.rawValue); use --format text or json")
    }
    if namesPlaces, !PlaceWriter.canName(in: format) {
      throw .usage("--places has no place in \(format.rawValue); use --format text, json or csv")
    }
    if follows, last == nil, since == nil, until == nil, cursorPath == nil {
      last = Self.lastBeforeFollowing
    }
  }

  private mutating func setPeriod(around text: String, _ now: UTCTime) throws(CommandError) {
    guard since == nil, until == nil else {
      throw .usage("--around stands alone; leave --since and --until away")
    }
    let parts = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
    let span = parts.count == 1 ? Self.spanAround : TimeExpression.span(parts[1])
    guard let span else {
      throw .usage("--around \(text): \(parts[1]) is no length of time such as 30s or 5min")
    }
    guard let middle = TimeExpression.time(String(parts[0]), now: now) else {
      throw Self.noTime("around", String(parts[0]))
    }
    (since, until) = (middle + (.zero - span), middle + span)
  }

  private static func time(
    _ option: String, of invocation: Invocation, _ now: UTCTime
  ) throws(CommandError) -> UTCTime? {
    guard let text = invocation.value(option) else { return nil }
    guard let time = TimeExpression.time(text, now: now) else { throw noTime(option, text) }
    return time
  }

  private static func noTime(_ option: String, _ text: String) -> CommandError {
    .usage("--\(option) \(text): no time; write 'yesterday', '-2h' or '2026-10-14 05:06'")
  }
}
