import Bytes
import Glibc

/// A file of which no write may be lost or half done: it grows at its end, or is replaced wholly.
package struct StateFile: Sendable {
  package let path: String

  package init(path: String) { self.path = path }

  /// All of it; empty where there is no such file.
  /// - Parameter byteCountMax: A longer file is refused, as `EFBIG`.
  package func read(byteCountMax: Int) throws(Errno) -> [UInt8] {
    let file: InputFile
    do throws(Errno) { file = try InputFile(path: path) } catch .noSuchFile { return [] }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = try file.read(into: &chunk)
      guard count > 0 else { return bytes }
      guard bytes.count + count <= byteCountMax else { throw Errno(rawValue: EFBIG) }
      bytes += chunk[..<count]
    }
  }

  /// Puts `bytes` in place of the file. Either all of them are there after a crash, or what was.
  package func replace(_ bytes: [UInt8]) throws(Errno) {
    let draft = path + ".new"
    let descriptor = try systemCall {
      open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }
    defer { close(descriptor) }
    try Self.write(bytes, to: descriptor)
    try systemCall { fsync(descriptor) }
    try systemCall { rename(draft, path) }
    try syncDirectory()
  }

  /// Adds `bytes` at the end, which must be at `offset`: else a write before went wrong.
  package func append(_ bytes: [UInt8], at offset: Int) throws(Errno) {
    let descriptor = try systemCall { open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW) }
    defer { close(descriptor) }
    var status = stat()
    try systemCall { fstat(descriptor, &status) }
    guard Int(status.st_size) == offset else { throw .inputOutput }
    try Self.write(bytes, to: descriptor)
    try systemCall { fdatasync(descriptor) }
  }

  /// Gives the file another name, in place of what has that.
  package func move(to path: String) throws(Errno) {
    try systemCall { rename(self.path, path) }
    try syncDirectory()
  }

  private static func write(_ bytes: [UInt8], to descriptor: CInt) throws(Errno) {
    var outcome: Result<Void, Errno> = .success(())
    bytes.withByteView { view in
      do throws(Errno) { try writeAll(view, to: descriptor) } catch { outcome = .failure(error) }
    }
    try outcome.get()
  }

  private func syncDirectory() throws(Errno) {
    let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let directory = try systemCall { open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    defer { close(directory) }
    try systemCall { fsync(directory) }
  }
}
