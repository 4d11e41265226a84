import Bytes
import GNSS
import LinuxIO

/// A client of the gpsd protocol that notes when it hears of which epoch.
final class ReportClient {
  private let socket: StreamSocket
  /// Of the daemon that it listens to.
  let port: Int
  var descriptor: CInt { socket.descriptor }
  /// When the last report of an epoch came, by the epoch's time.
  private(set) var heard: [String: Monotonic] = [:]
  /// How many reports of a position came.
  private(set) var reportCount = 0
  private(set) var byteCount = 0
  private(set) var firstFix: Monotonic?
  private(set) var isClosed = false
  private var line: [UInt8] = []
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)

  /// `nil` while nobody listens there.
  init?(port: Int) {
    guard let address = SocketAddress("127.0.0.1:\(port)", defaultPort: 2947),
      let socket = try? StreamSocket(connectingTo: address)
    else { return nil }
    (self.socket, self.port) = (socket, port)
    _ = socket.send(Array("?WATCH={\"enable\":true,\"json\":true};\n".utf8))
  }

  func forget() { (heard, reportCount, byteCount) = ([:], 0, 0) }

  /// Takes what has come.
  func receive(at now: Monotonic) {
    while true {
      var count: Int? = 0
      do { count = try chunk.withUnsafeMutableBytes { try socket.read(into: $0) } } catch {}
      guard let count else { return }
      guard count > 0 else {
        isClosed = true
        return
      }
      byteCount += count
      for part in chunk[..<count].split(separator: 10, omittingEmptySubsequences: false)
        .enumerated()
      {
        if part.offset > 0 { endLine(at: now) }
        line += part.element
      }
    }
  }

  private func endLine(at now: Monotonic) {
    defer { line.removeAll(keepingCapacity: true) }
    guard line.starts(with: Self.head) else { return }
    reportCount += 1
    if firstFix == nil, value(of: Self.mode).map({ $0 >= UInt8(ascii: "2") }) == true {
      firstFix = now
    }
    guard let start = end(of: Self.time) else { return }
    let text = line[start...].prefix { $0 != UInt8(ascii: "\"") }
    heard[String(decoding: text, as: UTF8.self)] = now
  }

  private static let head = Array(#"{"class":"TPV""#.utf8)
  private static let mode = Array(#""mode":"#.utf8)
  private static let time = Array(#""time":""#.utf8)

  private func value(of key: [UInt8]) -> UInt8? {
    end(of: key).flatMap { $0 < line.count ? line[$0] : nil }
  }

  /// Where `key` ends in the line.
  private func end(of key: [UInt8]) -> Int? {
    guard line.count > key.count else { return nil }
    return (0...(line.count - key.count)).first { line[$0...].starts(with: key) }
      .map { $0 + key.count }
  }
}
