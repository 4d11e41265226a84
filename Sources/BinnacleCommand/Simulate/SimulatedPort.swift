import Bytes
import LinuxIO

/// The pseudo-terminal that a simulation is heard on, its link, and the loop that watches it.
final class SimulatedPort {
  enum Token {
    static let terminal = EventLoop.Token(0)
    static let watch = EventLoop.Token(1)
  }

  let terminal: Pseudoterminal
  let loop: EventLoop
  private let link: SymbolicLink?

  /// Opens it and makes the link.
  init(link path: String?) throws(CommandError) {
    func named<T>(_ thing: String, _ body: () throws(Errno) -> T) throws(CommandError) -> T {
      do throws(Errno) { return try body() } catch { throw .failed("\(thing): \(error.text)") }
    }
    loop = try named("event loop") { () throws(Errno) in try EventLoop() }
    let terminal = try named("pseudo-terminal") { () throws(Errno) in try Pseudoterminal() }
    self.terminal = terminal
    guard let path else {
      link = nil
      return
    }
    do throws(Errno) {
      link = try SymbolicLink(at: path, to: terminal.path)
    } catch {
      let hint = error == .exists ? ", and it is no link: remove it or choose another name" : ""
      throw .failed("--link \(path): \(error.text)\(hint)")
    }
  }

  /// Prints its path and watches it from now on.
  func announce() throws(CommandError) {
    try attempt { () throws(Errno) in
      var line = OutputBuffer()
      line.append(text: terminal.path + "\n")
      try StandardOutput.write(line)
      try loop.add(terminal.watch, token: Token.watch)
      try loop.add(terminal.descriptor, token: Token.terminal)
    }
  }

  func say(_ text: String) { StandardError.line("binnacle: \(text)") }

  /// Runs what may fail with an error of the kernel, and names the port in the message.
  func attempt<T>(_ body: () throws(Errno) -> T) throws(CommandError) -> T {
    do throws(Errno) { return try body() } catch {
      throw .failed("\(terminal.path): \(error.text)")
    }
  }
}
