import Glibc

/// The system's gzip between a compressed file and its reader.
struct GzipInput {
  /// What a compressed file begins with (RFC 1952, 2.3.1).
  private static let magic: [UInt8] = [0x1f, 0x8b]

  private let process: pid_t
  /// Where the bytes come out. The reader's to close.
  let output: CInt

  /// - Parameter descriptor: At its start.
  /// - Returns: `nil` where it is not compressed, or cannot be read twice, as a pipe.
  init?(_ descriptor: CInt) throws(Errno) {
    var start: [UInt8] = [0, 0]
    guard pread(descriptor, &start, start.count, 0) == start.count, start == Self.magic else {
      return nil
    }
    var ends: [CInt] = [-1, -1]
    try systemCall { pipe(&ends) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, descriptor, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    // What it has to say of a damaged file is said by its exit code.
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    let arguments = ["gzip", "-dc"]
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let failure = posix_spawnp(&process, "gzip", &actions, nil, &words, environ)
    close(ends[1])
    guard failure == 0 else {
      close(ends[0])
      throw Errno(rawValue: failure)
    }
    self.process = process
    output = ends[0]
  }

  /// Waits for its end, once `output` is closed or has come to its end.
  /// - Returns: Whether the file was whole.
  func finish() -> Bool {
    var status: CInt = 0
    while waitpid(process, &status, 0) == -1 {
      guard errno == EINTR else { return false }
    }
    return status == 0
  }
}
