import Glibc
import Testing

@testable import LinuxIO

@Suite("Service manager") struct ServiceManagerTests {
  /// A datagram socket that plays the manager.
  private func listener(at path: String) -> CInt {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) {
      $0.copyBytes(from: path.utf8)
      if path.hasPrefix("@") { $0[0] = 0 }
    }
    let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0)
    let length = socklen_t(MemoryLayout<sa_family_t>.size + path.utf8.count)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    }
    return result == 0 ? descriptor : -1
  }

  @Test(
    "messages arrive, in the file system and in the abstract namespace",
    arguments: ["/tmp/binnacle-notify-", "@binnacle-notify-"])
  func arrive(prefix: String) {
    let path = prefix + String(getpid())
    let manager = listener(at: path)
    defer {
      close(manager)
      unlink(path)
    }
    let messages: [(ServiceManager.Message, String)] = [
      (.ready, "READY=1"), (.stopping, "STOPPING=1"), (.status("two\nlines"), "STATUS=two lines"),
    ]
    for (message, text) in messages {
      #expect(ServiceManager.send(message.text, to: path))
      var buffer = [UInt8](repeating: 0, count: 256)
      let count = recv(manager, &buffer, buffer.count, 0)
      #expect(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self) == text)
    }
  }

  @Test(
    "a manager that cannot be reached is no error",
    arguments: [
      "", "/nonexistent/notify", String(repeating: "x", count: 4096),
    ])
  func unreachable(path: String) {
    #expect(!ServiceManager.send("READY=1", to: path))
  }
}
