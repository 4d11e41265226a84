import Bytes
import Glibc

/// The terminal, taken over for a view that fills it: the alternate screen, no cursor, keys one by
/// one without an echo. What was there before comes back when this is released.
package final class TerminalScreen {
  /// Where keys come from; for the event loop.
  package let descriptor = STDIN_FILENO
  private var saved = termios()
  /// Whether there is something to give back: `deinit` runs after a failed `init`, too.
  private var isTaken = false

  /// ECMA-48's and xterm's private modes: alternate screen (1049) and cursor (25).
  private static let enter = "\u{1b}[?1049h\u{1b}[?25l"
  private static let leave = "\u{1b}[0m\u{1b}[?25h\u{1b}[?1049l"

  /// `nil` where standard input and output are not both a terminal that can do this.
  package init?() {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, Self.kind != "dumb",
      tcgetattr(STDIN_FILENO, &saved) == 0
    else { return nil }
    var settings = saved
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    withUnsafeMutableBytes(of: &settings.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
      // A stopped view would leave the shell on the alternate screen. 0: no such key.
      characters[Int(VSUSP)] = 0
    }
    guard tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0 else { return nil }
    isTaken = true
    try? write(Array(Self.enter.utf8))
  }

  deinit {
    guard isTaken else { return }
    try? write(Array(Self.leave.utf8))
    tcsetattr(STDIN_FILENO, TCSANOW, &saved)
  }

  /// What the terminal has now; people resize it.
  package var size: (columnCount: Int, rowCount: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  package func write(_ bytes: [UInt8]) throws(Errno) {
    do {
      try bytes.withByteView { try writeAll($0, to: STDOUT_FILENO) }
    } catch let error as Errno {
      throw error
    } catch {}
  }

  /// The keys pressed since; call it when the descriptor is readable. `nil`: the terminal is gone.
  package func keys() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = buffer.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress!, $0.count) }
    return count > 0 ? Array(buffer.prefix(count)) : nil
  }

  /// Whether the locale's characters are UTF-8: locale(7), the first of these that is set decides.
  package static var hasUnicode: Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"]
    let locale = names.lazy.compactMap { variable($0) }.first { !$0.isEmpty } ?? ""
    let name = locale.uppercased()
    return name.hasSuffix("UTF-8") || name.hasSuffix("UTF8") || name.holds("UTF-8@")
  }

  /// By no-color.org: any value that is not empty.
  package static var hasColour: Bool { variable("NO_COLOR")?.isEmpty ?? true }

  private static var kind: String { variable("TERM") ?? "dumb" }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
