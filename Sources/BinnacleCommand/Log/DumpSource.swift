import BinnacleDaemon
import FixLog
import GNSS
import LinuxIO

/// The ring that a dump reads, with its mirror, opened again when the daemon replaced one of them.
final class DumpSource {
  let path: String
  /// Behind the last record that was read.
  private(set) var cursor: LogCursor?
  private var query: LogQuery
  private var ring: RingFile
  private var mirror: RingFile?
  private var reader: LogReader
  private var watch: FileWatch?
  private var toldGaps: [LogGap] = []
  /// Set for a reader who may know the location only roughly.
  private var reduction: Reduction?
  private let isReduced: Bool

  /// How long a block that is just being written is left alone. `LogReader` asks for some 2 ms.
  private static let pause = Duration.milliseconds(2)

  /// - Parameter isReduced: Whether only rough positions may come out, one in a quarter of an hour.
  init(path: String, query: LogQuery, isReduced: Bool = false) throws(CommandError) {
    (self.path, self.query, self.isReduced) = (path, query, isReduced)
    if isReduced { reduction = Reduction(takingOver: &self.query) }
    (ring, mirror) = try Self.open(path)
    reader = try Self.read(ring, mirror, self.query)
  }

  /// Whether the log is read from where an earlier dump ended.
  var startsAtCursor: Bool { query.cursor != nil }

  /// Hands the next records to `body`; what was lost is told on standard error in its place.
  /// - Returns: Whether more may follow of what is there now.
  func step(_ body: (LogRecord) -> Void) -> Bool {
    let step = reader.step { record, _ in
      guard isReduced else { return body(record) }
      if let rough = reduction?.reduce(record) { body(rough) }
    }
    switch step {
    case .records: cursor = reader.cursor
    case .gap(let gap):
      if !toldGaps.contains(gap) { StandardError.line("binnacle: \(path): \(gap.text)") }
      toldGaps = toldGaps.suffix(Self.toldGapCount - 1) + [gap]
    case .end: return false
    }
    return true
  }

  /// All records that are there now.
  func readAll(_ body: (LogRecord) -> Void) {
    while step(body) {}
  }

  /// Gaps remembered so as not to be told twice when the log is read in several passes.
  private static let toldGapCount = 256

  /// Starts over at the first record.
  func rewind() throws(CommandError) {
    reduction?.restart()
    reader = try Self.read(ring, mirror, query)
  }

  /// Looks for what was appended since.
  func refresh() throws(CommandError) {
    guard ring.isInPlace, mirror?.isInPlace ?? (MirrorPath.existing(ring: path) == nil) else {
      return try reopen()
    }
    watch?.clear()
    reader.refresh()
  }

  /// Has `loop` woken up when somebody writes to the log.
  func watch(in loop: EventLoop) throws(Errno) {
    guard watch == nil else { return }
    let watch = try FileWatch([ring.path] + (mirror.map { [$0.path] } ?? []))
    try loop.add(watch.descriptor, token: EventLoop.Token(0))
    self.watch = watch
  }

  private func reopen() throws(CommandError) {
    (ring, mirror) = try Self.open(path)
    if let cursor { (query.cursor, query.last) = (cursor, nil) }
    reader = try Self.read(ring, mirror, query)
    watch = nil  // closing it takes it out of the loop
  }

  private static func open(_ path: String) throws(CommandError) -> (RingFile, RingFile?) {
    do throws(RingFileError) {
      let ring = try RingFile(opening: path, for: .reading)
      let mirror = MirrorPath.existing(ring: path).flatMap {
        try? RingFile(opening: $0, for: .reading)
      }
      return (ring, mirror)
    } catch .cannotOpen(_, .noSuchFile) {
      throw .failed("\(path): no log; 'binnacle run' makes it, --log FILE names another one")
    } catch {
      throw .failed(error.message)
    }
  }

  private static func read(
    _ ring: RingFile, _ mirror: RingFile?, _ query: LogQuery
  ) throws(CommandError) -> LogReader {
    do throws(LogError) {
      return try LogReader(ring, mirror: mirror, query: query) { Clocks.sleep(pause) }
    } catch {
      throw .failed(error.message(path: ring.path))
    }
  }
}

extension LogGap {
  /// What is missing, for people.
  fileprivate var text: String {
    let blocks = blockCount == 1 ? "1 block" : "\(blockCount) blocks"
    return switch cause {
    case .overtaken: "\(blocks) were overwritten before they could be read"
    case .damaged: "\(blocks) damaged; 'binnacle log-check' tells more"
    case .missing: "\(blocks) missing; 'binnacle log-check' tells more"
    case .orphan: "\(blocks) do not belong to the log any more"
    case .otherRing: "the cursor is of another log; starting at the oldest record"
    }
  }
}
