import Glibc

/// A symbolic link that lasts as long as this object.
package final class SymbolicLink {
  package let path: String
  private let target: String

  /// Makes the link. One that is there already, as after a crash, is replaced; any other file is
  /// not: `.exists`.
  package init(at path: String, to target: String) throws(Errno) {
    (self.path, self.target) = (path, target)
    if Self.target(of: path) != nil { unlink(path) }
    try systemCall { symlink(target, path) }
  }

  /// Removes the link, unless it now leads somewhere else.
  deinit { if Self.target(of: path) == target { unlink(path) } }

  private static func target(of path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = buffer.withUnsafeMutableBytes { bytes in
      readlink(path, bytes.baseAddress!.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    return count >= 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }
}
