import BinnacleDaemon
import FixLog
import GNSS
import LinuxIO
import TrackExport

/// Carries out `binnacle log-dump`.
struct LogDump {
  private let request: DumpRequest
  private let sink: DumpSink
  private let loop: EventLoop
  private var pipeline: TrackPipeline
  private var isInterrupted = false

  /// How often new records are looked for where nothing tells of them.
  private static let followPeriod = Duration.seconds(1)
  /// Receivers that get a track of their own; those beyond are left out with a message.
  private static let trackCountMax = 64

  init(_ request: DumpRequest) throws(CommandError) {
    self.request = request
    do throws(Errno) { loop = try EventLoop() } catch {
      throw .failed("cannot wait for signals: \(error.text)")
    }
    var writer = request.format.makeWriter(tiles: request.tiles)
    if let datum = request.datum { writer = DatumWriter(writer, datum) }
    // Around the former: places are looked up by positions as they are.
    if request.namesPlaces {
      writer = PlaceWriter(writer, request.format, try PlaceFile(path: request.placesPath))
    }
    sink = try DumpSink(writer, path: request.outputPath, isGrowing: request.follows)
    pipeline = TrackPipeline(
      thinner: request.thinner, smooths: request.smooths,
      cutsSegments: request.format.hasSegments, keepsStatistics: request.showsStatistics)
  }

  mutating func run() throws(CommandError) -> ExitCode {
    let isReduced = try DumpPrivacy.isReduced(request.path)
    let isByPlace = request.last != nil || request.cursorPath != nil || request.cursor != nil
    guard !isReduced || !isByPlace else {
      throw .failed("with reduced accuracy a dump begins at a --since, not by --last or a cursor")
    }
    let log = try DumpSource(path: request.path, query: query(), isReduced: isReduced)
    if request.follows {
      try writeMixed(log)
      try follow(log)
    } else if request.format.hasTracks || request.smooths {
      if request.format.hasTracks, request.showsEvents { try writeEvents(of: log) }
      try writeTracks(of: log)
    } else {
      try writeMixed(log)
    }
    try sink.finish()
    try noteCursor(of: log)
    let statistics = pipeline.statistics
    if request.showsStatistics {
      for line in statistics.lines { StandardError.line(line) }
    } else if let count = statistics.spikeCount, count > 0 {
      StandardError.line("binnacle: \(count) fixes that no motion explains were left out")
    }
    guard sink.shownCount > 0 || isInterrupted else {
      throw .nothingFound(
        log.startsAtCursor
          ? "\(request.path): nothing new that matches behind the cursor"
          : "\(request.path): no record matches; ask for a longer time or less else")
    }
    return .ok
  }

  private func query() throws(CommandError) -> LogQuery {
    var query = LogQuery()
    query.kinds = request.showsEvents ? [.fixes, .events] : .fixes
    (query.since, query.until, query.last) = (request.since, request.until, request.last)
    query.cursor = request.cursor
    if let path = request.cursorPath { query.cursor = try CursorFile.read(path) }
    let filter = request.filter
    if !filter.isEmpty { query.isWanted = { filter.admits($0) } }
    return query
  }

  /// Keeps and tells where the dump ended. One that takes several passes and was interrupted ended
  /// nowhere: it may have shown less of one receiver than of another.
  private func noteCursor(of log: DumpSource) throws(CommandError) {
    let hasPasses = !request.follows && (request.format.hasTracks || request.smooths)
    guard let cursor = log.cursor, !(isInterrupted && hasPasses) else { return }
    if let path = request.cursorPath { try CursorFile.write(cursor, path) }
    if request.showsCursor { StandardError.line("cursor: \(cursor.text)") }
  }

  /// One pass over the log for the events of a format that has them before the tracks.
  private mutating func writeEvents(of log: DumpSource) throws(CommandError) {
    var places = EventPlaces()
    let sink = sink
    var pipeline = pipeline
    let emit = { (record: LogRecord, place: Coordinate?) in
      if let event = pipeline.placed(record, at: place) { sink.write(event) }
    }
    try forEachRecord(of: log) { places.add($0, emit: emit) }
    places.finish(emit: emit)
    self.pipeline = pipeline
    try log.rewind()
  }

  /// One pass over the log for each receiver, so that memory stays constant however the fixes of
  /// several are mixed. Events of a format that shows them among the fixes go with the first.
  private mutating func writeTracks(of log: DumpSource) throws(CommandError) {
    let showsEvents = !request.format.hasTracks
    var receivers: [UInt64] = []
    var passed = 0
    var hasMore = false
    repeat {
      try writeMixed(log) { record in
        guard case .fix(_, let stream) = record.content else {
          return passed == 0 && showsEvents
        }
        if let index = receivers.firstIndex(of: stream.receiverID) { return index == passed }
        guard receivers.count < Self.trackCountMax else {
          hasMore = true
          return false
        }
        receivers.append(stream.receiverID)
        return receivers.count - 1 == passed
      }
      passed += 1
      if passed < receivers.count { try log.rewind() }
    } while passed < receivers.count && !isInterrupted
    if hasMore {
      StandardError.line(
        "binnacle: only \(Self.trackCountMax) receivers are shown; --receiver chooses others")
    }
  }

  /// Writes what the log holds now, as far as `isWanted` lets it through.
  private mutating func writeMixed(
    _ log: DumpSource, isWanted: (LogRecord) -> Bool = { _ in true }
  ) throws(CommandError) {
    let sink = sink
    let emit = { sink.write($0, startsSegment: $1) }
    var pipeline = pipeline
    try forEachRecord(of: log) { if isWanted($0) { pipeline.add($0, emit: emit) } }
    pipeline.finish(emit: emit)
    self.pipeline = pipeline
  }

  private mutating func forEachRecord(
    of log: DumpSource, _ body: (LogRecord) -> Void
  ) throws(CommandError) {
    while !isInterrupted, log.step(body) {
      guard sink.isFull else { continue }
      try sink.flush()
      try wait(until: .zero)
    }
  }

  /// Shows new records as they come, until the user ends it.
  private mutating func follow(_ log: DumpSource) throws(CommandError) {
    while !isInterrupted {
      // The watch comes first: what is written while records are looked for wakes the next wait up.
      do throws(Errno) { try log.watch(in: loop) } catch {
        throw .failed("\(request.path): cannot follow: \(error.text)")
      }
      try log.refresh()
      try writeMixed(log)
      try sink.flush()
      try wait(until: Clocks.monotonic() + Self.followPeriod)
    }
  }

  /// Notes a signal that ends the program. With an instant that has passed it does not wait.
  private mutating func wait(until deadline: Monotonic) throws(CommandError) {
    loop.deadline = deadline
    do throws(Errno) {
      isInterrupted = try loop.wait().contains(.signal(.terminate)) || isInterrupted
    } catch {
      throw .failed("cannot wait for records: \(error.text)")
    }
  }
}
