import Bytes
import FixLog
import LinuxIO

/// Where a dump ended, kept in a file for the next one.
enum CursorFile {
  /// Longer than any cursor. Bytes.
  private static let byteCountMax = 256

  /// The cursor in the file at `path`; `nil` where there is no file yet.
  static func read(_ path: String) throws(CommandError) -> LogCursor? {
    guard fileExists(path) else { return nil }
    guard let text = smallFile(path, byteLimit: byteCountMax),
      let line = text.split(separator: "\n").first, let cursor = LogCursor(text: String(line))
    else {
      throw .failed("\(path): holds no cursor; remove it to start at the oldest record")
    }
    return cursor
  }

  static func write(_ cursor: LogCursor, _ path: String) throws(CommandError) {
    var buffer = OutputBuffer()
    buffer.append(text: cursor.text + "\n")
    do throws(Errno) {
      let file = try OutputFile(path: path)
      try file.write(buffer)
      try file.finish()
    } catch {
      throw .failed("\(path): cannot write: \(error.text)")
    }
  }
}
