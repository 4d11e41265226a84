import FixLog
import GNSS
import Glibc
import LinuxIO
import Testing

@testable import BinnacleDaemon

@Suite("Log keeper") struct LogKeeperTests {
  private final class Scratch {
    let path: String
    let loop: EventLoop
    /// Runs faster than the clock, so that waits are short.
    var now = Clocks.monotonic()

    init() throws {
      var template = Array("/tmp/binnacle-keeper-XXXXXX".utf8CString)
      path = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
      loop = try EventLoop()
    }

    deinit {
      for name in ["ring", "ring.new", "old"] { unlink("\(path)/\(name)") }
      if let mirror = MirrorPath.existing(ring: ring) { unlink(mirror) }
      chmod(path, 0o700)
      rmdir(path)
    }

    var ring: String { path + "/ring" }

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
  }

  private func append(_ numbers: Range<Int64>, to keeper: LogKeeper, _ scratch: Scratch) {
    for number in numbers {
      let event = LogEvent(
        .attach, time: UTCTime(seconds: number), boottime: .zero,
        fields: [.init(.count, .number(number))])
      keeper.append(.event(event), boottime: .zero, at: scratch.now)
      keeper.pump(at: scratch.now)
    }
  }

  /// Lets time pass, faster than it does, until the keeper writes again and has written all.
  private func settle(_ keeper: LogKeeper, _ scratch: Scratch) {
    for _ in 0..<4000 {
      keeper.pump(at: scratch.now)
      if keeper.trouble == nil, keeper.status.appendedCount == keeper.status.durableCount { return }
      usleep(5000)
      scratch.now = scratch.now + .seconds(1)
    }
  }

  @Test("a ring that is removed is made again, and its open block goes into the new one")
  func removed() throws {
    let scratch = try Scratch()
    let keeper = try scratch.keeper()
    append(0..<5, to: keeper, scratch)
    settle(keeper, scratch)
    unlink(scratch.ring)
    append(5..<10, to: keeper, scratch)
    settle(keeper, scratch)
    keeper.finish()
    let found = try scratch.logged()
    #expect(found.numbers == Array(0..<10))
    #expect(found.outages == ["\(scratch.ring): the file was removed or replaced"])
    #expect(found.lost == [0])
  }

  @Test("a ring that is moved away keeps what it has; a file in its place is left alone")
  func replaced() throws {
    let scratch = try Scratch()
    let keeper = try scratch.keeper()
    append(0..<5, to: keeper, scratch)
    settle(keeper, scratch)
    rename(scratch.ring, scratch.path + "/old")
    let file = Glibc.open(scratch.ring, O_WRONLY | O_CREAT, 0o600)
    write(file, "precious", 8)
    close(file)
    append(5..<10, to: keeper, scratch)
    settle(keeper, scratch)
    #expect(keeper.trouble?.contains("not a ring") == true)
    #expect(smallFile(scratch.ring) == "precious")
    unlink(scratch.ring)
    append(10..<12, to: keeper, scratch)
    settle(keeper, scratch)
    #expect(try scratch.logged().numbers == Array(0..<12))
    let old = try LogReader(RingFile(opening: scratch.path + "/old", for: .reading))
    #expect(old.next() != nil)
  }

  @Test("a ring that is cut is not made longer; mended, it goes on without a loss")
  func cut() throws {
    let scratch = try Scratch()
    let keeper = try scratch.keeper()
    append(0..<5, to: keeper, scratch)
    settle(keeper, scratch)
    truncate(scratch.ring, 300_000)
    append(5..<10, to: keeper, scratch)
    settle(keeper, scratch)
    #expect(keeper.trouble?.contains("cut to 300000 of") == true)
    var status = stat()
    stat(scratch.ring, &status)
    #expect(status.st_size == 300_000)
    let geometry = try #require(RingGeometry(byteCount: 400_000))
    truncate(scratch.ring, geometry.byteCount)
    append(10..<12, to: keeper, scratch)
    settle(keeper, scratch)
    keeper.finish()
    #expect(try scratch.logged().numbers == Array(0..<12))
  }

  @Test("without a ring at the start the daemon goes on, unless the path was typed")
  func noRing() throws {
    let scratch = try Scratch()
    mkdir(scratch.ring, 0o700)
    #expect(throws: DaemonError.self) { try scratch.keeper(isNamedByHand: true) }
    let keeper = try scratch.keeper()
    #expect(keeper.recovery == nil && keeper.trouble != nil)
    append(0..<5, to: keeper, scratch)
    rmdir(scratch.ring)
    settle(keeper, scratch)
    keeper.finish()
    #expect(try scratch.logged().numbers == Array(0..<5))
  }

  @Test("memory holds an hour of records; what falls out is counted")
  func bound() throws {
    let scratch = try Scratch()
    mkdir(scratch.ring, 0o700)
    let keeper = try scratch.keeper()
    append(0..<5000, to: keeper, scratch)
    rmdir(scratch.ring)
    settle(keeper, scratch)
    keeper.finish()
    let found = try scratch.logged()
    #expect(found.lost == [1024])
    #expect(found.numbers.first == 1024 && found.numbers.last == 4999)
  }

  @Test("two daemons do not share a log")
  func shared() throws {
    let scratch = try Scratch()
    let keeper = try scratch.keeper()
    #expect(throws: DaemonError.self) { try scratch.keeper() }
    keeper.finish()
  }
}
