import BinnacleDaemon
import Bytes
import FixLog
import GNSS
import Glibc
import LinuxIO

/// A small ring in a folder of its own, written to as the daemon does, removed at the end.
final class TemporaryRing {
  let folder: String
  let path: String
  private var files: LogFiles?
  private var writer: LogWriter

  static let boat = StreamDescriptor(receiverID: 0xb0a7, name: "u-blox boat", wireProtocol: .ubx)
  static let car = StreamDescriptor(receiverID: 0xca5, name: "car", wireProtocol: .nmea)

  /// - Parameter blockCount: Of the ring, where it is to be smaller than usual.
  init(blockCount: Int? = nil) throws {
    var template = Array("/tmp/binnacle-dump-XXXXXX".utf8CString)
    folder = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
    path = folder + "/ring"
    var new = LogFiles.NewRing(
      ringID: RingID(high: 1, low: 2), created: UTCTime(seconds: 0), creator: "test")
    new.byteCount = blockCount.map { RingGeometry.byteCountMin + ($0 - 3) * 4096 } ?? 400_000
    let files = try LogFiles(path: path, mirrorPath: path + ".tail", new: new)
    writer = LogWriter(try files.recover(), bootTag: 1)
    self.files = files
  }

  deinit {
    for name in ["ring", "ring.tail", "out", "out.new", "cursor"] { unlink("\(folder)/\(name)") }
    rmdir(folder)
  }

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

  func append(_ fixes: [Fix], of stream: StreamDescriptor = boat) {
    for fix in fixes { add(.fix(fix, stream)) }
    commit()
  }

  func append(_ content: LogRecord.Content) {
    add(content)
    commit()
  }

  /// What was being written when the power went away.
  enum TornWrite {
    /// An image of the open block, over the older one of the two.
    case olderSlot
    /// A full block, over the oldest one in the ring.
    case oldestBlock
  }

  /// Leaves the file as a power cut does, without its mirror, and opens it again.
  func cutPower(tearing write: TornWrite) throws {
    if let ring = files?.ring { try tear(write, in: ring) }
    files = nil  // and with it the lock
    unlink(path + ".tail")
    let unused = LogFiles.NewRing(ringID: .none, created: UTCTime(seconds: 0), creator: "")
    let found = try LogFiles(path: path, mirrorPath: path + ".tail", new: unused)
    writer = LogWriter(try found.recover(), bootTag: 2)
    files = found
  }

  private func tear(_ write: TornWrite, in ring: RingFile) throws {
    let geometry = try Superblock(readingFrom: ring).geometry
    let headers = try [0, 1].map { slot in
      var bytes: [UInt8] = []
      try ring.read(at: geometry.offset(ofSlot: slot), count: geometry.blockSize, into: &bytes)
      return LogBlock(checking: bytes, ringID: RingID(high: 1, low: 2))?.header ?? BlockHeader()
    }
    let older = headers[0].isOlder(than: headers[1]) ? 0 : 1
    let offset =
      switch write {
      case .olderSlot: geometry.offset(ofSlot: older)
      case .oldestBlock: geometry.offset(of: headers[1 - older].sequence)
      }
    let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7]
    try bytes.withByteView { try ring.write(at: offset, $0) }
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
    while let ring = files?.ring, let order = writer.nextOrder(at: .zero) {
      writer.orderFinished(order.execute(on: ring), at: .zero)
    }
  }
}
