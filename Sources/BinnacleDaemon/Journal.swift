import LinuxIO

/// Why the daemon cannot run.
package enum DaemonError: Error, Equatable {
  case kernel(String, Errno)
  case log(String)
  case policy(String)

  package var message: String {
    switch self {
    case .kernel(let what, let errno): "\(what): \(errno.text)"
    case .log(let text), .policy(let text): text
    }
  }
}

/// Lines for whoever reads what the daemon says: under systemd, the journal.
package enum Journal {
  package static func line(_ text: String, _ level: StandardError.Level = .information) {
    StandardError.line(text, level)
  }
}
