import Bytes
import Glibc

/// A regular file whose bytes are read where the kernel keeps them, by as many processes as like.
///
/// For files that are only ever replaced, never changed in place: of one that somebody cuts while
/// it is mapped, reading what is gone ends the process.
package final class MappedFile: Sendable {
  package let path: String
  package let byteCount: Int
  private nonisolated(unsafe) let start: UnsafeMutableRawPointer?

  package init(path: String) throws(Errno) {
    self.path = path
    let descriptor = try systemCall { open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
    defer { close(descriptor) }
    var status = stat()
    try systemCall { fstat(descriptor, &status) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .isDirectory }
    byteCount = Int(status.st_size)
    guard byteCount > 0 else {
      start = nil
      return
    }
    start = mmap(nil, byteCount, PROT_READ, MAP_SHARED, descriptor, 0)
    let number = errno
    guard start != MAP_FAILED else { throw Errno(rawValue: number) }
  }

  deinit { if let start, start != MAP_FAILED { munmap(start, byteCount) } }

  /// Lends the bytes for the duration of `body`.
  package func withByteView<R>(_ body: (ByteView) throws -> R) rethrows -> R {
    try body(ByteView(UnsafeRawBufferPointer(start: start, count: byteCount)))
  }
}
