import GNSS
import Glibc
import LinuxIO

/// A program that was started to be measured.
final class ChildProcess {
  /// What it cost.
  struct Cost {
    /// User and system time in seconds, its own children's included.
    var seconds: Double
    /// As it was seen last: it grows only.
    var peakKilobytes: Int
    var exitCode: CInt
  }

  /// Where a stream of its goes.
  enum Output {
    case discarded
    case file(String)
  }

  let processID: pid_t
  private var hasEnded = false

  /// - Parameters:
  ///   - input: The file that is its standard input.
  ///   - output: Where its standard output goes.
  ///   - errors: Where its standard error goes.
  ///   - variables: Set in its environment besides our own: `NAME=value`.
  init(
    _ arguments: [String], input: String = "/dev/null", output: Output = .discarded,
    errors: Output = .discarded, variables: [String] = []
  ) throws(BenchError) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0)
    for (descriptor, output) in [(STDOUT_FILENO, output), (STDERR_FILENO, errors)] {
      var path = "/dev/null"
      if case .file(let name) = output { path = name }
      posix_spawn_file_actions_addopen(
        &actions, descriptor, path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    }
    // It must not inherit what our event loop blocks and ignores.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, pipe) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &pipe)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    // env(1) sets the variables.
    let all = variables.isEmpty ? arguments : ["/usr/bin/env"] + variables + arguments
    var words: [UnsafeMutablePointer<CChar>?] = all.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let status = posix_spawnp(&process, all[0], &actions, &attributes, &words, environ)
    guard status == 0 else {
      throw BenchError("\(arguments[0]): cannot be started: \(Errno(rawValue: status).text)")
    }
    processID = process
  }

  deinit { if !hasEnded { _ = end(with: SIGKILL) } }

  /// Waits for the end. Peak memory is read on the way: that of wait4(2) would include ours.
  func wait(limit: Duration = .seconds(600)) -> Cost {
    var usage = rusage()
    var status: CInt = 0
    var peak = 0
    let limit = Clocks.monotonic() + limit
    while true {
      let result = wait4(processID, &status, WNOHANG, &usage)
      guard result == 0 else { break }
      peak = max(peak, ProcessFigures.peakKilobytes(of: processID))
      if Clocks.monotonic() > limit { kill(processID, SIGKILL) }
      Clocks.sleep(.milliseconds(2))
    }
    hasEnded = true
    let seconds = Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
    let code = status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
    return Cost(seconds: seconds, peakKilobytes: peak, exitCode: code)
  }

  @discardableResult
  func end(with signal: CInt) -> Cost {
    kill(processID, signal)
    return wait(limit: .seconds(10))
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }

  /// Whether a program of this name can be found.
  static func exists(_ name: String) -> Bool {
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    let folders = path.split(separator: ":").map { String($0) } + ["/usr/sbin"]
    return folders.contains { access("\($0)/\(name)", X_OK) == 0 }
  }
}

/// What the kernel tells of a running process.
struct ProcessFigures {
  /// Time on a processor, of all threads, in seconds.
  let seconds: Double
  /// How often a thread went to sleep of itself, and so was woken.
  let wakeUps: Int
  let residentKilobytes: Int
  /// Of these, what is in no file: what grows where memory is lost.
  let ownKilobytes: Int

  init(of process: pid_t) {
    var (nanoseconds, switches) = (UInt64(0), 0)
    for thread in Self.threads(of: process) {
      let folder = "/proc/\(process)/task/\(thread)"
      let time = smallFile("\(folder)/schedstat")?.split(separator: " ").first
      nanoseconds += time.flatMap { UInt64($0) } ?? 0
      switches += Self.number("voluntary_ctxt_switches:", in: "\(folder)/status")
    }
    seconds = Double(nanoseconds) / 1e9
    wakeUps = switches
    residentKilobytes = Self.number("VmRSS:", in: "/proc/\(process)/status")
    ownKilobytes = Self.number("RssAnon:", in: "/proc/\(process)/status")
  }

  static func peakKilobytes(of process: pid_t) -> Int {
    number("VmHWM:", in: "/proc/\(process)/status")
  }

  private static func threads(of process: pid_t) -> [String] {
    guard let folder = opendir("/proc/\(process)/task") else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if Int(name) != nil { names.append(name) }
    }
    return names
  }

  private static func number(_ key: String, in path: String) -> Int {
    for line in (smallFile(path) ?? "").split(separator: "\n") where line.hasPrefix(key) {
      return Int(line.drop { !$0.isNumber }.prefix(while: \.isNumber)) ?? 0
    }
    return 0
  }
}
