import Bytes
import Glibc

/// A file, pipe or standard input, read from front to back.
package final class InputFile {
  package let path: String
  private let descriptor: CInt
  private let isOwned: Bool

  /// Opens `path`; `-` is standard input.
  package init(path: String) throws(Errno) {
    self.path = path
    isOwned = path != "-"
    descriptor =
      isOwned ? try systemCall { open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) } : STDIN_FILENO
  }

  deinit { if isOwned { close(descriptor) } }

  /// The size in bytes where it is a regular file; `nil` for pipes and terminals.
  package var byteCount: Int? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Fills `buffer` as far as one read does; 0 at the end of the file.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    guard let start = buffer.baseAddress else { return 0 }
    return try systemCall { Glibc.read(descriptor, start, buffer.count) }
  }

  /// Fills `buffer` from its start, as `read(into:)` of raw memory does.
  package func read(into buffer: inout [UInt8]) throws(Errno) -> Int {
    let outcome = buffer.withUnsafeMutableBytes { bytes -> Result<Int, Errno> in
      do throws(Errno) { return .success(try read(into: bytes)) } catch { return .failure(error) }
    }
    return try outcome.get()
  }
}
