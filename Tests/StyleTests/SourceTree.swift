import Glibc
import LinuxIO

/// One Swift file of this package.
struct SourceFile: Sendable {
  /// From the package's folder: `Sources/GNSS/Fix.swift`.
  let path: String
  let lines: [Substring]

  /// The module that it belongs to; for tests the name ends in `Tests`.
  var target: String {
    let parts = path.split(separator: "/")
    return parts.count > 1 ? String(parts[1]) : ""
  }

  var isTest: Bool { path.hasPrefix("Tests/") }
}

/// The package's own files, found from where this one lay when it was compiled.
enum SourceTree {
  static let root: String = {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    return parts.dropLast(3).joined(separator: "/")
  }()

  static let files: [SourceFile] = ["Sources", "Tests"].flatMap(swiftFiles(under:))

  private static func swiftFiles(under folder: String) -> [SourceFile] {
    entries(of: folder).flatMap { name, isFolder in
      let path = "\(folder)/\(name)"
      if isFolder { return swiftFiles(under: path) }
      guard name.hasSuffix(".swift") else { return [SourceFile]() }
      let text = String(decoding: contents(of: "\(root)/\(path)"), as: UTF8.self)
      return [
        SourceFile(path: path, lines: text.split(separator: "\n", omittingEmptySubsequences: false))
      ]
    }
  }

  private static func entries(of folder: String) -> [(name: String, isFolder: Bool)] {
    guard let stream = opendir("\(root)/\(folder)") else { return [] }
    defer { closedir(stream) }
    var found: [(name: String, isFolder: Bool)] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { found.append((name, Int(entry.pointee.d_type) == Int(DT_DIR))) }
    }
    return found.sorted { $0.name < $1.name }
  }

  /// All bytes of a file; none where it cannot be read.
  static func contents(of path: String) -> [UInt8] {
    guard let file = try? InputFile(path: path) else { return [] }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while let count = try? chunk.withUnsafeMutableBytes({ try file.read(into: $0) }), count > 0 {
      bytes.append(contentsOf: chunk[..<count])
    }
    return bytes
  }
}
