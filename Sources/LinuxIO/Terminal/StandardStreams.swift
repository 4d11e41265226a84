import Bytes
import Glibc

/// Standard output. A reader that went away (a closed pipe) is no error: the program has then said
/// all that anybody wants to hear.
package enum StandardOutput {
  /// Writes everything, or ends the program quietly with success where nobody reads any more.
  package static func write(_ buffer: OutputBuffer) throws(Errno) {
    do {
      try buffer.withByteView { try writeAll($0, to: STDOUT_FILENO) }
    } catch let error as Errno {
      if error == .brokenPipe { exit(0) }
      throw error
    } catch {}
  }

  package static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
}

/// Standard error, for messages to people: one line each.
package enum StandardError {
  /// How urgent a line is, in the numbers of syslog(3).
  package enum Level: Int {
    case error = 3
    case warning = 4
    case information = 6
  }

  /// Whether the journal reads it, which takes the level from the start of a line: sd-daemon(3).
  private static let isJournal = getenv("JOURNAL_STREAM") != nil

  /// A line of a service: for the journal with its level.
  package static func line(_ text: String, _ level: Level) {
    line(isJournal ? "<\(level.rawValue)>\(text)" : text)
  }

  package static func line(_ text: String) {
    var buffer = OutputBuffer()
    buffer.append(text: text)
    buffer.append(byte: UInt8(ascii: "\n"))
    buffer.withByteView { try? writeAll($0, to: STDERR_FILENO) }
  }

  /// On a terminal, `text` in place of what the cursor's line shows.
  package static func replaceLine(_ text: String) {
    var buffer = OutputBuffer()
    buffer.append("\r\u{1b}[K")
    buffer.append(text: text)
    buffer.withByteView { try? writeAll($0, to: STDERR_FILENO) }
  }

  package static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}

/// Writes all of `view`, waiting where the descriptor does not take it at once.
package func writeAll(_ view: ByteView, to descriptor: CInt) throws(Errno) {
  var start = 0
  while start < view.count {
    let rest = view.extracting(start..<view.count)
    do {
      start += try systemCall {
        rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress!, $0.count) }
      }
    } catch .wouldBlock {
      var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      try systemCall { Glibc.poll(&poll, 1, -1) }
    }
  }
}

extension StandardOutput {
  /// Whether colours are welcome: on a terminal, unless NO_COLOR is set (https://no-color.org).
  package static var takesColour: Bool {
    isTerminal && (getenv("NO_COLOR").map { $0.pointee == 0 } ?? true)
  }
}
