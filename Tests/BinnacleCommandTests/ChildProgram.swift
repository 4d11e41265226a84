import Glibc

@testable import LinuxIO

/// A program that a test started, and what it prints.
final class ChildProgram {
  let processID: pid_t
  private let output: CInt
  private var printed: [UInt8] = []
  private(set) var exitStatus: CInt?

  /// Starts `binnacle`, the program that lies next to the running test program.
  convenience init?(binnacle arguments: [String]) {
    guard let test = realPath("/proc/self/exe") else { return nil }
    let folder = test.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    self.init([folder.joined(separator: "/") + "/binnacle"] + arguments)
  }

  /// Starts a program; its standard output and error come through one pipe.
  init?(_ arguments: [String]) {
    var pipeEnds: [CInt] = [0, 0]
    guard pipe(&pipeEnds) == 0 else { return nil }
    for end in pipeEnds { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_adddup2(&actions, pipeEnds[1], descriptor)
    }
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let status = posix_spawn(&process, arguments[0], &actions, nil, &words, environ)
    close(pipeEnds[1])
    output = pipeEnds[0]
    processID = process
    if status != 0 { return nil }
  }

  deinit {
    if exitStatus == nil { _ = end(with: SIGKILL) }
    close(output)
  }

  /// What it printed up to the end of the next line; `nil` at the end, or after ten seconds.
  func nextLine() -> String? {
    while true {
      if let end = printed.firstIndex(of: 10) {
        defer { printed.removeFirst(end + 1) }
        return String(decoding: printed[..<end], as: UTF8.self)
      }
      var ready = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      var buffer = [UInt8](repeating: 0, count: 4096)
      guard poll(&ready, 1, 10_000) == 1, case let count = read(output, &buffer, buffer.count),
        count > 0
      else { return nil }
      printed += buffer[..<count]
    }
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
