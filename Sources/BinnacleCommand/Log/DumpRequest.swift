import Bytes
import FixLog
import GNSS
import TrackExport

/// What was asked of `log-dump`.
struct DumpRequest {
  var path: String
  var since: UTCTime?
  var until: UTCTime?
  var last: Int?
  var follows = false
  var filter = RecordFilter()
  /// `nil` where all fixes are shown.
  var thinner: TrackThinner?
  var smooths = false
  var datum: ChineseDatum?
  var showsEvents = false
  var showsStatistics = false
  var namesPlaces = false
  var placesPath = PlaceFile.defaultPath
  var format = DumpFormat.text
  /// The background of the map in `html`.
  var tiles: String?
  var outputPath = "-"
  var cursorPath: String?
  /// Where to begin, given by hand.
  var cursor: LogCursor?
  var showsCursor = false

  /// Records shown before `--follow` goes on with new ones.
  private static let lastBeforeFollowing = 10
  private static let spanAround = Duration.seconds(300)

  init(_ invocation: Invocation, now: UTCTime) throws(CommandError) {
    path = invocation.value("log") ?? DaemonLog.path
    since = try Self.time("since", of: invocation, now)
    until = try Self.time("until", of: invocation, now)
    last = try invocation.integer("last", in: 1...Int(Int32.max))
    follows = invocation.has("follow")
    format = invocation.value("format").flatMap { DumpFormat(rawValue: $0) } ?? format
    showsEvents = invocation.has("events") || format == .html
    tiles = invocation.value("tiles")
    showsStatistics = invocation.has("stats")
    namesPlaces = invocation.has("places")
    placesPath = invocation.value("index") ?? placesPath
    outputPath = invocation.value("output") ?? outputPath
    try setCursor(invocation)
    if let around = invocation.value("around") { try setPeriod(around: around, now) }
    if let since, let until, until < since {
      throw .usage("--until lies before --since: \(until.iso8601) and \(since.iso8601)")
    }
    try setPlaces(invocation)
    try checkFormat()
    if follows, last == nil, since == nil, until == nil, cursorPath == nil, cursor == nil {
      last = Self.lastBeforeFollowing
    }
  }

  private mutating func setCursor(_ invocation: Invocation) throws(CommandError) {
    cursorPath = invocation.value("cursor-file")
    showsCursor = invocation.has("show-cursor")
    guard let text = invocation.value("cursor") else { return }
    guard cursorPath == nil else { throw .usage("--cursor and --cursor-file: give one of them") }
    cursor = LogCursor(text: text)
    if cursor == nil {
      throw .usage("--cursor \(text): not a cursor; --show-cursor of an earlier dump tells one")
    }
  }

  /// Refuses what the format, or following, has no room for.
  private func checkFormat() throws(CommandError) {
    if showsEvents, !format.hasEvents {
      let others = DumpFormat.allCases.filter { $0.hasEvents }.map(\.rawValue)
      throw .usage(
        "--events has no place in \(format.rawValue); use --format "
          + others.joined(separator: ", ")
      )
    }
    if namesPlaces, !PlaceWriter.canName(in: format) {
      throw .usage("--places has no place in \(format.rawValue); use --format text, json or csv")
    }
    if placesPath != PlaceFile.defaultPath, !namesPlaces {
      throw .usage("--index is for --places; add that")
    }
    if let tiles {
      guard format == .html else { throw .usage("--tiles is for --format html") }
      guard ["{z}", "{x}", "{y}"].allSatisfy({ tiles.holds($0) }) else {
        throw .usage("--tiles \(tiles): holds no {z}, {x} and {y} for the numbers of a tile")
      }
    }
    guard follows else { return }
    if format == .html { throw .usage("html cannot --follow; use another --format") }
    if smooths { throw .usage("--smooth looks ahead and cannot --follow; leave one away") }
    if showsEvents, format.hasTracks {
      throw .usage("--events with --follow has no place in \(format.rawValue); use text or json")
    }
  }

  private mutating func setPlaces(_ invocation: Invocation) throws(CommandError) {
    filter.receiver = invocation.value("receiver")
    filter.accuracyMax = try invocation.number("max-accuracy", in: 0...Self.metresMax)
    if let text = invocation.value("within") { filter.areas.append(try AreaText.circle(text)) }
    if let text = invocation.value("bbox") { filter.areas.append(try AreaText.box(text)) }
    let distance = try invocation.number("min-distance", in: 0...Self.metresMax)
    var period: Duration?
    if let text = invocation.value("every") {
      period = TimeExpression.span(text)
      guard period != nil else {
        throw .usage("--every \(text): no length of time such as 30s or 5min")
      }
    }
    if distance != nil || period != nil {
      thinner = TrackThinner(distanceMin: distance, period: period)
    }
    smooths = invocation.has("smooth")
    datum = invocation.value("datum").flatMap { ChineseDatum(rawValue: $0) }
  }

  /// Longer than any way on Earth.
  private static let metresMax = 1e8

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
