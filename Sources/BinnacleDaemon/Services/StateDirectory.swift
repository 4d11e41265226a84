import Bytes
import LinuxIO

/// The files in which the daemon keeps what it learned of receivers: beside the log, each written
/// whole or not at all.
struct StateDirectory {
  let path: String

  /// Files of receivers, and what one of them may hold.
  static let fileCountMax = 64
  static let byteCountMax = 256 << 10

  init(besideLog log: String) {
    let parts = log.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    path = parts.isEmpty ? "." : parts.joined(separator: "/")
  }

  /// All of them, by their names. What cannot be read is learned anew.
  func contents() -> [String: [UInt8]] {
    var contents: [String: [UInt8]] = [:]
    for name in directoryEntries(path)
    where name.hasPrefix("receiver-") && (name.hasSuffix(".facts") || name.hasSuffix(".navdb")) {
      guard contents.count < Self.fileCountMax else { break }
      contents[name] = smallFileBytes("\(path)/\(name)", byteLimit: Self.byteCountMax)
    }
    return contents
  }

  func write(_ name: String, _ bytes: [UInt8]) throws(Errno) {
    let file = try OutputFile(path: "\(path)/\(name)")
    var buffer = OutputBuffer(capacity: bytes.count)
    buffer.append(bytes: bytes)
    try file.write(buffer)
    try file.finish()
  }
}
