import Bytes
import Glibc

/// A file that is written from front to back, or standard output.
///
/// A regular file gets its name when it is complete: until `finish` the old one, if there is one,
/// can still be read. Devices and pipes, and files that are to be read as they grow, are written in
/// place.
package final class OutputFile {
  package let path: String
  private let descriptor: CInt
  private let draft: String?

  /// - Parameters:
  ///   - path: `-` is standard output.
  ///   - isGrowing: Whether others shall read it before it is complete.
  package init(path: String, isGrowing: Bool = false) throws(Errno) {
    self.path = path
    guard path != "-" else {
      (descriptor, draft) = (STDOUT_FILENO, nil)
      return
    }
    var status = stat()
    let isOther = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    let name = isGrowing || isOther ? path : "\(path).new"
    descriptor = try systemCall {
      open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0o644)
    }
    draft = isGrowing || isOther ? nil : name
  }

  deinit { if descriptor != STDOUT_FILENO { close(descriptor) } }

  /// Writes everything. Where standard output's reader went away the program ends with success.
  package func write(_ buffer: OutputBuffer) throws(Errno) {
    guard descriptor != STDOUT_FILENO else { return try StandardOutput.write(buffer) }
    var outcome: Result<Void, Errno> = .success(())
    buffer.withByteView { view in
      do throws(Errno) { try writeAll(view, to: descriptor) } catch { outcome = .failure(error) }
    }
    try outcome.get()
  }

  /// Gives a complete file its name.
  package func finish() throws(Errno) {
    guard let draft else { return }
    try systemCall { fsync(descriptor) }
    try systemCall { rename(draft, path) }
  }
}
