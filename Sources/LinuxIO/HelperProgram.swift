import Glibc

/// A program of the system's that does one thing for us.
package enum HelperProgram {
  /// Runs `words`, the first of which is looked up in PATH, and waits for its end.
  /// - Returns: Its exit code; `nil` where it did not start or a signal ended it.
  package static func run(_ words: [String]) -> Int32? {
    guard let name = words.first else { return nil }
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    guard posix_spawnp(&process, name, nil, nil, &arguments, environ) == 0 else { return nil }
    var status: CInt = 0
    while waitpid(process, &status, 0) == -1 {
      guard errno == EINTR else { return nil }
    }
    return status & 0x7f == 0 ? status >> 8 & 0xff : nil
  }
}
