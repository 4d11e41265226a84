import BinnacleDaemon
import FixLog
import GNSS
import Glibc
import LinuxIO

/// A small ring in a folder of its own, written to as the daemon does, removed at the end.
final class TemporaryRing {
  let folder: String
  private let files: LogFiles
  private var writer: LogWriter

  static let boat = StreamDescriptor(receiverID: 0xb0a7, name: "u-blox boat", wireProtocol: .ubx)
  static let car = StreamDescriptor(receiverID: 0xca5, name: "car", wireProtocol: .nmea)

  init() throws {
    var template = Array("/tmp/binnacle-dump-XXXXXX".utf8CString)
    folder = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
    var new = LogFiles.NewRing(
      ringID: RingID(high: 1, low: 2), created: UTCTime(seconds: 0), creator: "test")
    new.byteCount = 400_000
    files = try LogFiles(path: folder + "/ring", mirrorPath: folder + "/ring.tail", new: new)
    writer = LogWriter(try files.recover(), bootTag: 1)
  }

  deinit {
    for name in ["ring", "ring.tail", "out", "out.new", "cursor"] { unlink("\(folder)/\(name)") }
    rmdir(folder)
  }

  var path: String { files.ring.path }

  /// The text of a file that a dump wrote to the folder.
  func text(of name: String) -> String? { smallFile("\(folder)/\(name)", byteLimit: 1 << 24) }

  /// Appends fixes one second apart that go north, and commits them.
  func append(
    _ count: Int, from start: String, of stream: StreamDescriptor = boat, accuracy: Double? = nil
  ) {
    guard let start = UTCTime(iso8601: start) else { return }
    for index in 0..<count {
      var fix = Fix()
      fix.time = start + .seconds(index)
      fix.mode = .threeD
      fix.position = Coordinate(latitude: 50 + Double(index) / 10_000, longitude: 20)
      fix.horizontalAccuracy = accuracy
      add(.fix(fix, stream))
    }
    commit()
  }

  func append(_ kind: EventKind, at time: String, _ fields: [LogEvent.Field] = []) {
    append(
      .event(
        LogEvent(kind, time: UTCTime(iso8601: time), boottime: .zero, fields: fields)))
  }

  func append(_ content: LogRecord.Content) {
    add(content)
    commit()
  }

  private func add(_ content: LogRecord.Content) {
    writer.append(content, boottime: .zero, at: .zero)
    write()
  }

  private func commit() {
    writer.commit()
    write()
  }

  private func write() {
    while let order = writer.nextOrder(at: .zero) {
      writer.orderFinished(order.execute(on: files.ring), at: .zero)
    }
  }
}
