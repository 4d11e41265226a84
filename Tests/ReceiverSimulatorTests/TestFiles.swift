import Glibc
import Testing

/// Files of the package and beside it.
enum TestFiles {
  private static let root: String = {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    return parts.dropLast(3).joined(separator: "/")
  }()

  /// Whether the recorded logs lie where a development checkout has them.
  static var hasCorpus: Bool { access("\(root)/../shared/corpus/gpsd", R_OK) == 0 }

  /// - Parameter path: From the package's folder.
  static func contents(of path: String) throws -> [UInt8] {
    let file = try #require(fopen("\(root)/\(path)", "r"), "\(path) cannot be read")
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
      bytes += chunk[..<count]
    }
    return bytes
  }
}
