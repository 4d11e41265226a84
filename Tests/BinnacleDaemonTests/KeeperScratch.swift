import FixLog
import GNSS
import Glibc
import LinuxIO
import Testing

@testable import BinnacleDaemon

/// A folder for a log, and a clock that runs faster than time.
final class KeeperScratch {
  let path: String
  let loop: EventLoop
  /// Where the log is to be.
  var ring: String
  /// Runs faster than the clock, so that waits are short.
  var now = Clocks.monotonic()

  init() throws {
    var template = Array("/tmp/binnacle-keeper-XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
    ring = path + "/ring"
    loop = try EventLoop()
  }

  deinit {
    for name in ["ring", "ring.new", "old"] { unlink("\(path)/\(name)") }
    if let mirror = MirrorPath.existing(ring: ring) { unlink(mirror) }
    chmod(path, 0o700)
    rmdir(path)
  }

  func keeper(isNamedByHand: Bool = false) throws -> LogKeeper {
    var settings = Configuration.Log()
    (settings.path, settings.byteCount) = (ring, 400_000)
    settings.isNamedByHand = isNamedByHand
    return try LogKeeper(
      settings, bootTag: 1, created: UTCTime(seconds: 0), creator: "test", wakeUp: loop.wakeUp)
  }

  /// The numbers of the events that `append` wrote, and the reasons for which records were lost.
  func logged() throws -> (numbers: [Int64], outages: [String], lost: [Int64]) {
    var (numbers, outages, lost): ([Int64], [String], [Int64]) = ([], [], [])
    let reader = try LogReader(RingFile(opening: ring, for: .reading))
    while let item = reader.next() {
      guard case .record(let record, _) = item, case .event(let event) = record.content else {
        continue
      }
      if event.kind == .attach, case .number(let number)? = event[.count] {
        numbers.append(number)
      }
      guard event.kind == .recordsLost else { continue }
      if case .text(let text)? = event[.reason] { outages.append(text) }
      if case .number(let count)? = event[.count] { lost.append(count) }
    }
    return (numbers, outages, lost)
  }

  /// Has events with these numbers logged.
  func append(_ numbers: Range<Int64>, to keeper: LogKeeper) {
    for number in numbers {
      let event = LogEvent(
        .attach, time: UTCTime(seconds: number), boottime: .zero,
        fields: [.init(.count, .number(number))])
      keeper.append(.event(event), boottime: .zero, at: now)
      keeper.pump(at: now)
    }
  }

  /// Lets time pass, faster than it does, until the keeper writes again and has written all.
  func settle(_ keeper: LogKeeper) {
    for _ in 0..<4000 {
      keeper.pump(at: now)
      if keeper.trouble == nil, keeper.status.appendedCount == keeper.status.durableCount { return }
      usleep(5000)
      now = now + .seconds(1)
    }
  }
}
