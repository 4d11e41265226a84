import Bytes
import CBaselines
import Glibc
import LinuxIO

/// Recorded logs of real receivers, joined to one stream for each kind and repeated up to a size:
/// gpsd's regression logs, whose lines of `#` are about the log.
struct RealCorpora {
  private(set) var nmea: Corpus?
  private(set) var ubx: Corpus?
  private(set) var mixed: Corpus?

  /// - Parameter folder: Where files end in `.log`; none: everything is `nil`.
  init(folder: String?, byteCount: Int) {
    guard let folder else { return }
    var (sentences, frames, both): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
    for name in Self.logs(in: folder) {
      let log = Self.withoutComments(Self.contents(of: "\(folder)/\(name)"))
      guard !log.isEmpty else { continue }
      let binary = baseline_ubx(log, log.count)
      let text = baseline_nmea(log, log.count)
      if binary == 0, Self.isText(log) {
        sentences += Self.withLineEnds(log)
      } else if binary > 10, text == 0 {
        frames += log
      } else if binary > 10 {
        both += log
      }
    }
    nmea = Self.corpus("nmea-real", sentences, byteCount)
    ubx = Self.corpus("ubx-real", frames, byteCount)
    mixed = Self.corpus("mixed-real", both, byteCount)
  }

  private static func corpus(_ name: String, _ base: [UInt8], _ byteCount: Int) -> Corpus? {
    guard !base.isEmpty else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(byteCount + base.count)
    while bytes.count < byteCount { bytes += base }
    return Corpus(name: name, bytes: bytes)
  }

  private static func logs(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(".log") { names.append(name) }
    }
    return names.sorted()
  }

  private static func contents(of path: String) -> [UInt8] {
    guard let file = try? InputFile(path: path) else { return [] }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while let count = try? file.read(into: &chunk), count > 0 { bytes += chunk[..<count] }
    return bytes
  }

  private static func withoutComments(_ log: [UInt8]) -> [UInt8] {
    var rest = log[...]
    while rest.first == UInt8(ascii: "#"), let end = rest.firstIndex(of: 10) {
      rest = rest[(end + 1)...]
    }
    return Array(rest)
  }

  /// Printable throughout, and nine lines of ten begin as a sentence does.
  private static func isText(_ log: [UInt8]) -> Bool {
    guard log.allSatisfy({ (32..<127).contains($0) || $0 == 10 || $0 == 13 || $0 == 9 }) else {
      return false
    }
    let lines = log.split(separator: 10)
    return lines.count { $0.first == UInt8(ascii: "$") } * 10 >= lines.count * 9
  }

  private static func withLineEnds(_ log: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    for line in log.split(separator: 10) where line.first != UInt8(ascii: "#") {
      bytes += line.last == 13 ? line.dropLast() : line
      bytes += [13, 10]
    }
    return bytes
  }
}
