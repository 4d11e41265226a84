import FixLog
import GNSS
import Glibc
import LinuxIO
import Testing

@testable import BinnacleDaemon

@Suite("Log files") struct LogFilesTests {
  private final class Scratch {
    let path: String
    init() {
      var template = Array("/tmp/binnacle-log-XXXXXX".utf8CString)
      path = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
    }
    deinit {
      for name in ["ring", "ring.new", "tail"] { unlink("\(path)/\(name)") }
      rmdir(path)
    }
    var ring: String { path + "/ring" }
    var tail: String { path + "/tail" }

    func open() throws -> LogFiles {
      var new = LogFiles.NewRing(
        ringID: RingID(high: 1, low: 2), created: UTCTime(seconds: 0), creator: "test")
      new.byteCount = 400_000
      return try LogFiles(path: ring, mirrorPath: tail, new: new)
    }
  }

  private func event(_ index: Int) -> LogRecord.Content {
    .event(LogEvent(.attach, time: UTCTime(seconds: Int64(index)), boottime: .zero))
  }

  @Test("a killed process loses nothing: the mirror has what was not committed")
  func kill() throws {
    let scratch = Scratch()
    do {
      let files = try scratch.open()
      var writer = LogWriter(try files.recover(), bootTag: 1)
      for index in 0..<300 {
        writer.append(event(index), boottime: .zero, at: .zero)
        try writer.mirror(to: try #require(files.mirror))
      }
    }
    let files = try scratch.open()
    var writer = LogWriter(try files.recover(), bootTag: 1)
    while let order = writer.nextOrder(at: .zero) {
      writer.orderFinished(order.execute(on: files.ring), at: .zero)
    }
    #expect(writer.isDurable)
    let reader = try LogReader(RingFile(opening: scratch.ring, for: .reading))
    var times: [Int64] = []
    while let item = reader.next() {
      guard case .record(let record, _) = item else { continue }
      times.append((record.time?.microseconds ?? 0) / 1_000_000)
    }
    #expect(times == Array(0..<300))
  }

  @Test("a file that is no ring is left alone", arguments: ["", "some text", "$GPRMC,"])
  func foreign(text: String) throws {
    let scratch = Scratch()
    let file = Glibc.open(scratch.ring, O_WRONLY | O_CREAT, 0o600)
    write(file, text, text.utf8.count)
    close(file)
    #expect(throws: LogFilesError.log(path: scratch.ring, .notARing)) { try scratch.open() }
    #expect(smallFile(scratch.ring) == text)
    #expect(!fileExists(scratch.tail))
  }

  @Test("too small a size is refused before anything is made")
  func tooSmall() throws {
    let scratch = Scratch()
    var new = LogFiles.NewRing(
      ringID: RingID(high: 1, low: 2), created: UTCTime(seconds: 0), creator: "test")
    new.byteCount = 270_000
    #expect(throws: LogFilesError.self) {
      try LogFiles(path: scratch.ring, mirrorPath: scratch.tail, new: new)
    }
    #expect(!fileExists(scratch.ring))
  }
}
