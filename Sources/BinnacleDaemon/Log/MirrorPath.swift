import Glibc
import LinuxIO

/// Where the copy of a ring's end lies that outlives a killed process but not the boot: the writer
/// and every reader must agree on it without asking each other.
package enum MirrorPath {
  /// Directories on tmpfs, the best first: the service's own, and one for runs by hand.
  private static var directories: [String] {
    let service = getenv("RUNTIME_DIRECTORY").map { String(cString: $0) }
    return [service ?? "/run/binnacle", "/dev/shm/binnacle-\(geteuid())"]
  }

  /// The mirror's path for writing to the ring at `ring`; makes the directory where it can.
  package static func forWriting(ring: String) -> String {
    let name = fileName(ring)
    for directory in directories {
      mkdir(directory, 0o755)
      if access(directory, W_OK | X_OK) == 0 { return "\(directory)/\(name)" }
    }
    return "\(directories[0])/\(name)"
  }

  /// The mirror of the ring at `ring`, where there is one.
  package static func existing(ring: String) -> String? {
    let name = fileName(ring)
    return (directories + ["/run/binnacle", "/dev/shm/binnacle-0"]).map { "\($0)/\(name)" }
      .first { access($0, R_OK) == 0 }
  }

  /// `/var/lib/binnacle/fixes.ring` is mirrored in `var-lib-binnacle-fixes.ring.tail`.
  static func fileName(_ ring: String) -> String {
    let path = absolute(ring).utf8.map { $0 == UInt8(ascii: "/") ? UInt8(ascii: "-") : $0 }
    // A file name has at most 255 bytes; the end of the path tells more than its start.
    return String(decoding: path.drop { $0 == UInt8(ascii: "-") }.suffix(200), as: UTF8.self)
      + ".tail"
  }

  /// With links followed as far as the path exists: the directory at least, before the ring is
  /// made.
  private static func absolute(_ path: String) -> String {
    if let real = realPath(path) { return real }
    let slash = path.lastIndex(of: "/")
    let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    return (realPath(directory) ?? directory) + "/" + name
  }
}
