import Glibc

@testable import LinuxIO

/// A program that a test started, and what it prints.
final class ChildProgram {
  let processID: pid_t
  private let output: CInt
  /// Where its standard input is written to; -1 where it was given none.
  private var input: CInt
  private var printed: [UInt8] = []
  private(set) var exitStatus: CInt?

  /// Starts `binnacle`, the program that lies next to the running test program.
  convenience init?(binnacle arguments: [String], variables: [String] = []) {
    guard let folder = Self.folder else { return nil }
    self.init([folder + "/binnacle"] + arguments, variables: variables)
  }

  /// Where the running test program lies.
  static let folder = realPath("/proc/self/exe").map {
    $0.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
  }

  /// Starts a program; its standard output and error come through one pipe.
  /// - Parameters:
  ///   - variables: Set in its environment besides our own: `NAME=value`.
  ///   - hasInput: Whether `say` is going to be called; else it shares our standard input.
  init?(_ arguments: [String], variables: [String] = [], hasInput: Bool = false) {
    var pipeEnds: [CInt] = [0, 0]
    var inputEnds: [CInt] = [-1, -1]
    guard pipe(&pipeEnds) == 0, !hasInput || pipe(&inputEnds) == 0 else { return nil }
    for end in pipeEnds + inputEnds { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_adddup2(&actions, pipeEnds[1], descriptor)
    }
    if hasInput { posix_spawn_file_actions_adddup2(&actions, inputEnds[0], STDIN_FILENO) }
    // Threads of the tests block signals for their event loops; the program must not inherit that.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    // env(1) sets the variables and looks the program up in PATH.
    var words: [UnsafeMutablePointer<CChar>?] =
      (["/usr/bin/env"] + variables + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let status = posix_spawn(&process, "/usr/bin/env", &actions, &attributes, &words, environ)
    close(pipeEnds[1])
    if hasInput { close(inputEnds[0]) }
    output = pipeEnds[0]
    input = inputEnds[1]
    processID = process
    if status != 0 { return nil }
  }

  deinit {
    if exitStatus == nil { _ = end(with: SIGKILL) }
    close(output)
    endInput()
  }

  /// It reads the end of its standard input then.
  func endInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  /// Writes a line to its standard input.
  func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(input, bytes, bytes.count)
  }

  /// What it printed up to the end of the next line; `nil` at the end, or after so many seconds
  /// without a word.
  func nextLine(patience: CInt = 10) -> String? {
    while true {
      if let end = printed.firstIndex(of: 10) {
        defer { printed.removeFirst(end + 1) }
        return String(decoding: printed[..<end], as: UTF8.self)
      }
      var ready = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      var buffer = [UInt8](repeating: 0, count: 4096)
      guard poll(&ready, 1, patience * 1000) == 1,
        case let count = read(output, &buffer, buffer.count),
        count > 0
      else { return nil }
      printed += buffer[..<count]
    }
  }

  /// What it prints from here to its end.
  func allLines() -> [String] {
    var lines: [String] = []
    while let line = nextLine() { lines.append(line) }
    return lines
  }

  /// Sends a signal and waits for the end. Returns the exit code, or minus the deadly signal.
  func end(with signal: CInt) -> CInt {
    kill(processID, signal)
    return wait()
  }

  /// Waits for the end. Returns the exit code, or minus the deadly signal.
  func wait() -> CInt {
    var status: CInt = 0
    waitpid(processID, &status, 0)
    let result = status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
    exitStatus = result
    return result
  }
}
