import Glibc

/// Tells when a name appears in a directory, without asking again and again: inotify(7).
package final class DirectoryWatch {
  /// For `EventLoop`.
  package let descriptor: CInt
  private let name: String

  /// Watches for `path`, whose directory must exist.
  package init(for path: String) throws(Errno) {
    let slash = path.lastIndex(of: "/")
    name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    descriptor = try systemCall { inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC)) }
    let interest = UInt32(IN_CREATE | IN_MOVED_TO | IN_ATTRIB)
    try systemCall { inotify_add_watch(descriptor, directory, interest) }
  }

  deinit { close(descriptor) }

  /// Takes what happened since the last call.
  /// - Returns: Whether the name appeared, or its permissions changed. Also true where so much
  ///   happened that the kernel dropped some of it.
  package func appeared() -> Bool {
    var found = false
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return found }
      found = found || scan(buffer.prefix(count))
    }
  }

  /// The layout of `struct inotify_event`: watch, mask, cookie, length (4 bytes each), name.
  private func scan(_ events: ArraySlice<UInt8>) -> Bool {
    var rest = events
    while rest.count >= 16 {
      let header = [UInt8](rest.prefix(16))
      let mask = Self.integer(header[4..<8])
      let nameByteCount = Int(Self.integer(header[12..<16]))
      let text = rest.dropFirst(16).prefix(nameByteCount).prefix { $0 != 0 }
      if mask & UInt32(IN_Q_OVERFLOW) != 0 || text.elementsEqual(name.utf8) { return true }
      rest = rest.dropFirst(16 + nameByteCount)
    }
    return false
  }

  private static func integer(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
