import Glibc

/// Tells the service manager that started us how we are: sd_notify(3), without its library.
package enum ServiceManager {
  /// One assignment of the protocol, such as `READY=1`.
  package enum Message: Equatable, Sendable {
    case ready
    case stopping
    /// One line for `systemctl status`.
    case status(String)
    /// Still alive: due within `watchdogPeriod` of the last one.
    case watchdog

    var text: String {
      switch self {
      case .ready: "READY=1"
      case .stopping: "STOPPING=1"
      case .watchdog: "WATCHDOG=1"
      case .status(let line): "STATUS=\(line.split(separator: "\n").joined(separator: " "))"
      }
    }
  }

  /// Sends `message` to the socket that `NOTIFY_SOCKET` names.
  /// - Returns: False where nobody asked to be told, or the manager could not be reached; neither
  ///   is a reason to stop.
  @discardableResult
  package static func notify(_ message: Message) -> Bool {
    guard let path = getenv("NOTIFY_SOCKET") else { return false }
    return send(message.text, to: String(cString: path))
  }

  /// How often it wants to hear that we live: `sd_watchdog_enabled(3)`. `nil` where it does not.
  package static var watchdogPeriod: Duration? {
    func number(_ variable: String) -> Int64? {
      getenv(variable).flatMap { Int64(String(cString: $0)) }
    }
    guard let microseconds = number("WATCHDOG_USEC"), microseconds > 0,
      number("WATCHDOG_PID").map({ $0 == Int64(getpid()) }) ?? true
    else { return nil }
    return .microseconds(microseconds)
  }

  /// - Parameter path: Of a Unix datagram socket; a leading `@` means the abstract namespace.
  static func send(_ text: String, to path: String) -> Bool {
    var address = sockaddr_un()
    let name = Array(path.utf8)
    guard !name.isEmpty, name.count < MemoryLayout.size(ofValue: address.sun_path) else {
      return false
    }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    if name[0] == UInt8(ascii: "@") { withUnsafeMutableBytes(of: &address.sun_path) { $0[0] = 0 } }

    let type = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, type, 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    // The length ends the name: in the abstract namespace every byte counts.
    let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
    return Array(text.utf8).withUnsafeBytes { bytes in
      withUnsafePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          sendto(descriptor, bytes.baseAddress!, bytes.count, CInt(MSG_NOSIGNAL), $0, length)
        }
      }
    } == text.utf8.count
  }
}
