import Bytes
import Glibc

/// The text of a small file of the kernel's or the system's; `nil` where it cannot be read.
/// - Parameter byteLimit: Where reading stops.
package func smallFile(_ path: String, byteLimit: Int = 65_536) -> String? {
  smallFileBytes(path, byteLimit: byteLimit).map { String(decoding: $0, as: UTF8.self) }
}

/// The bytes of a small file; `nil` where it cannot be read.
/// - Parameter byteLimit: Where reading stops.
package func smallFileBytes(_ path: String, byteLimit: Int = 65_536) -> [UInt8]? {
  guard let file = try? InputFile(path: path) else { return nil }
  var text: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 4096)
  while text.count < byteLimit {
    guard let count = try? chunk.withUnsafeMutableBytes({ try file.read(into: $0) }) else {
      return nil
    }
    guard count > 0 else { break }
    text += chunk.prefix(min(count, byteLimit - text.count))
  }
  return text
}

/// The names in a directory, sorted; empty where it cannot be read.
package func directoryEntries(_ path: String) -> [String] {
  guard let directory = opendir(path) else { return [] }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    let name = withUnsafeBytes(of: entry.pointee.d_name) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names.sorted()
}

/// `path` with every symbolic link followed, as /dev/ttyACM0 for a link below /dev/serial; `nil`
/// where it leads nowhere.
package func realPath(_ path: String) -> String? {
  guard let resolved = realpath(path, nil) else { return nil }
  defer { free(resolved) }
  return String(cString: resolved)
}

package func fileExists(_ path: String) -> Bool { access(path, F_OK) == 0 }

extension String {
  /// Without the white space at either end.
  var trimmingSpace: String {
    let trimmed = drop(while: \.isWhitespace)
    guard let last = trimmed.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(trimmed[...last])
  }
}

/// The user who owns a file; `nil` where there is none.
package func fileOwner(_ path: String) -> UInt32? {
  var status = stat()
  return stat(path, &status) == 0 ? status.st_uid : nil
}
