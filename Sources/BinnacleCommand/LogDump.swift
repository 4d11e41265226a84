import BinnacleDaemon
import Bytes
import FixLog
import GNSS
import LinuxIO
import TrackExport

/// Carries out `binnacle log-dump`.
struct LogDump {
  private let request: DumpRequest
  private let output: OutputFile
  private let loop: EventLoop
  private var writer: any RecordWriter
  private var segmenter = Segmenter()
  private var buffer = OutputBuffer(capacity: 2 * Self.bufferByteCount)
  private var shownCount = 0
  private var isInterrupted = false

  /// Output is gathered up to about this size before it is written.
  private static let bufferByteCount = 65_536
  /// How often new records are looked for where nothing tells of them.
  private static let followPeriod = Duration.seconds(1)
  /// Receivers that get a track of their own; those beyond are left out with a message.
  private static let trackCountMax = 64

  init(_ request: DumpRequest) throws(CommandError) {
    self.request = request
    writer = request.format.makeWriter()
    if request.namesPlaces {
      writer = PlaceWriter(writer, request.format, try PlaceFile(path: PlaceFile.defaultPath))
    }
    do throws(Errno) {
      loop = try EventLoop()
      output = try OutputFile(path: request.outputPath, isGrowing: request.follows)
    } catch {
      throw .failed("\(request.outputPath): cannot write: \(error.text)")
    }
  }

  mutating func run() throws(CommandError) -> ExitCode {
    let log = try DumpSource(path: request.path, query: query())
    writer.begin(to: &buffer)
    if request.format.hasTracks, !request.follows {
      try writeTracks(of: log)
    } else {
      try write(log) { _ in true }
      if request.follows { try follow(log) }
    }
    writer.end(to: &buffer)
    try flush()
    do throws(Errno) { try output.finish() } catch { throw failure(error) }
    if let path = request.cursorPath, let cursor = log.cursor { try CursorFile.write(cursor, path) }
    guard shownCount > 0 || isInterrupted else {
      throw .nothingFound("\(request.path): no record matches; ask for a longer time or less else")
    }
    return .ok
  }

  private func query() throws(CommandError) -> LogQuery {
    var query = LogQuery()
    query.kinds = request.showsEvents ? [.fixes, .events] : .fixes
    (query.since, query.until, query.last) = (request.since, request.until, request.last)
    if let path = request.cursorPath { query.cursor = try CursorFile.read(path) }
    if let receiver = request.receiver {
      query.isWanted = { $0.isOf(receiver) }
    }
    return query
  }

  /// One pass over the log for each receiver, so that memory stays constant however the fixes of
  /// several are mixed.
  private mutating func writeTracks(of log: DumpSource) throws(CommandError) {
    var receivers: [UInt64] = []
    var passed = 0
    repeat {
      let current = passed
      try write(log) { record in
        guard case .fix(_, let stream) = record.content else { return false }
        if let index = receivers.firstIndex(of: stream.receiverID) { return index == current }
        guard receivers.count < Self.trackCountMax else { return false }
        receivers.append(stream.receiverID)
        return receivers.count - 1 == current
      }
      passed += 1
      if passed < receivers.count { try log.rewind() }
    } while passed < receivers.count && !isInterrupted
  }

  /// Writes what the log holds now, as far as `isWanted` lets it through.
  private mutating func write(
    _ log: DumpSource, isWanted: (LogRecord) -> Bool
  ) throws(CommandError) {
    while !isInterrupted, let record = log.next() {
      guard isWanted(record) else { continue }
      writer.write(record, startsSegment: segmenter.startsSegment(record), to: &buffer)
      shownCount += 1
      guard buffer.count >= Self.bufferByteCount else { continue }
      try flush()
      try wait(until: .zero)
    }
  }

  /// Shows new records as they come, until the user ends it.
  private mutating func follow(_ log: DumpSource) throws(CommandError) {
    while !isInterrupted {
      // The watch comes first: what is written while records are looked for wakes the next wait up.
      do throws(Errno) { try log.watch(in: loop) } catch { throw failure(error) }
      try log.refresh()
      try write(log) { _ in true }
      try flush()
      try wait(until: Clocks.monotonic() + Self.followPeriod)
    }
  }

  /// Notes a signal that ends the program. With an instant that has passed it does not wait.
  private mutating func wait(until deadline: Monotonic) throws(CommandError) {
    loop.deadline = deadline
    do throws(Errno) {
      isInterrupted = try loop.wait().contains(.signal(.terminate)) || isInterrupted
    } catch {
      throw failure(error)
    }
  }

  private mutating func flush() throws(CommandError) {
    do throws(Errno) { try output.write(buffer) } catch { throw failure(error) }
    buffer.removeAll()
  }

  private func failure(_ error: Errno) -> CommandError {
    .failed("\(request.outputPath): cannot write: \(error.text)")
  }
}

extension LogRecord {
  /// Whether it is of a receiver whose id or name contains `text`; events that name none are of
  /// all.
  fileprivate func isOf(_ text: String) -> Bool {
    switch content {
    case .fix(_, let stream):
      return stream.name.holds(text) || Self.hexadecimal(stream.receiverID).holds(text)
    case .event(let event):
      guard case .text(let name)? = event[.receiver] else { return true }
      return name.holds(text)
    case .clock: return false
    }
  }

  private static func hexadecimal(_ id: UInt64) -> String {
    var buffer = OutputBuffer()
    buffer.append(hex: id, width: 16)
    return buffer.text
  }
}
