import Bytes
import LinuxIO

/// Files beside the sources and, where it is there, the public corpus.
enum TestFiles {
  static let root: String = {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    return parts.dropLast(3).joined(separator: "/")
  }()

  static let corpus = "\(root)/../shared/corpus/gpsd"
  static let hasCorpus = contents(corpus + "/ublox-glo.log") != nil

  /// `nil` where it cannot be read.
  static func contents(_ path: String) -> [UInt8]? {
    guard let file = try? InputFile(path: path) else { return nil }
    var (contents, buffer): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 65_536))
    while let count = try? file.read(into: &buffer), count > 0 {
      contents.append(contentsOf: buffer[..<count])
    }
    return contents
  }

  static func capture(_ name: String) -> [UInt8] {
    contents("\(root)/Tests/Captures/\(name)") ?? []
  }
}
