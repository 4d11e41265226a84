import Bytes
import LinuxIO

/// Bytes of a receiver that all contenders get.
struct Corpus {
  let name: String
  let bytes: [UInt8]
  /// Empty where it is not known.
  var epochs: [CorpusEpoch] = []
  /// How many valid messages there are; `nil` where it is not known.
  var messageCount: Int?

  /// Cut behind the epoch that reaches `byteCount`.
  func prefix(_ byteCount: Int) -> Corpus {
    guard byteCount < bytes.count else { return self }
    guard let last = epochs.firstIndex(where: { $0.end >= byteCount }) else {
      return Corpus(name: name, bytes: Array(bytes[..<byteCount]))
    }
    return Corpus(
      name: name, bytes: Array(bytes[..<epochs[last].end]), epochs: Array(epochs[...last]))
  }

  var megabytes: Double { Double(bytes.count) / 1e6 }

  /// Writes it to a file for other programs.
  func write(to path: String) throws(BenchError) {
    var output = OutputBuffer()
    output.append(bytes: bytes)
    do throws(Errno) {
      try OutputFile(path: path, isGrowing: true).write(output)
    } catch {
      throw BenchError("\(path): cannot write: \(error.text)")
    }
  }
}

/// Where an epoch of a corpus ends, and its time as reports write it: `2026-09-01T00:00:00.000Z`.
struct CorpusEpoch {
  let end: Int
  let time: String
}
