import Bytes
import Glibc

/// A file, pipe or standard input, read from front to back.
package final class InputFile {
  package let path: String
  private let descriptor: CInt
  private let isOwned: Bool
  private var gzip: GzipInput?

  /// Opens `path`; `-` is standard input.
  /// - Parameter unpacking: Whether a file that gzip made is read as what went into it.
  package init(path: String, unpacking: Bool = false) throws(Errno) {
    self.path = path
    let opened =
      path != "-" ? try systemCall { open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) } : STDIN_FILENO
    do throws(Errno) { gzip = unpacking ? try GzipInput(opened) : nil } catch {
      if path != "-" { close(opened) }
      throw error
    }
    if gzip != nil, path != "-" { close(opened) }
    descriptor = gzip?.output ?? opened
    isOwned = gzip != nil || path != "-"
  }

  deinit {
    if isOwned { close(descriptor) }
    _ = gzip?.finish()
  }

  /// The size in bytes where it is a regular file; `nil` for pipes, terminals and what is unpacked.
  package var byteCount: Int? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Fills `buffer` as far as one read does; 0 at the end of the file.
  /// - Throws: `Errno.badMessage` at the end of a packed file that is damaged or cut off.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    guard let start = buffer.baseAddress else { return 0 }
    let count = try systemCall { Glibc.read(descriptor, start, buffer.count) }
    if count == 0, !buffer.isEmpty, let gzip {
      self.gzip = nil
      guard gzip.finish() else { throw .badMessage }
    }
    return count
  }

  /// Fills `buffer` from its start, as `read(into:)` of raw memory does.
  package func read(into buffer: inout [UInt8]) throws(Errno) -> Int {
    let outcome = buffer.withUnsafeMutableBytes { bytes -> Result<Int, Errno> in
      do throws(Errno) { return .success(try read(into: bytes)) } catch { return .failure(error) }
    }
    return try outcome.get()
  }
}
