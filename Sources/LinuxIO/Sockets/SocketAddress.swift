import Glibc

/// Where a stream socket listens or connects to: an IPv4 or IPv6 address with a port, or the path
/// of a Unix socket.
package struct SocketAddress: Hashable, Sendable {
  /// As it is written: `127.0.0.1:2947`, `[::1]:2947`, `/run/binnacle/control.sock`.
  package let text: String
  /// The bytes of the `sockaddr`.
  let bytes: [UInt8]

  /// Reads an address. There is no look-up of names.
  /// - Parameters:
  ///   - text: `127.0.0.1`, `127.0.0.1:2947`, `[::1]`, `[::1]:2947`, or an absolute path.
  ///   - defaultPort: Where the text gives none.
  package init?(_ text: String, defaultPort: UInt16) {
    if text.hasPrefix("/") {
      self.init(path: text)
      return
    }
    let host: Substring
    let rest: Substring
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      host = text[text.index(after: text.startIndex)..<end]
      rest = text[text.index(after: end)...]
    } else {
      host = text.prefix { $0 != ":" }
      rest = text[host.endIndex...]
    }
    var port = defaultPort
    if !rest.isEmpty {
      guard rest.first == ":", let given = UInt16(rest.dropFirst()) else { return nil }
      port = given
    }
    self.init(host: String(host), port: port, isIPv6: text.hasPrefix("["))
  }

  /// The address of a Unix socket; `nil` where the path is too long for one.
  package init?(path: String) {
    var address = sockaddr_un()
    let name = Array(path.utf8)
    guard !name.isEmpty, name.count < MemoryLayout.size(ofValue: address.sun_path),
      !name.contains(0)
    else { return nil }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    bytes = withUnsafeBytes(of: &address) { Array($0) }
    text = path
  }

  private init?(host: String, port: UInt16, isIPv6: Bool) {
    if isIPv6 {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      guard inet_pton(AF_INET6, host, &address.sin6_addr) == 1 else { return nil }
      bytes = withUnsafeBytes(of: &address) { Array($0) }
      text = "[\(host)]:\(port)"
    } else {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else { return nil }
      bytes = withUnsafeBytes(of: &address) { Array($0) }
      text = "\(host):\(port)"
    }
  }

  /// What the kernel says of a socket; `nil` for families that we do not use.
  init?(_ storage: sockaddr_storage, byteCount: Int) {
    var storage = storage
    let all = withUnsafeBytes(of: &storage) { Array($0) }
    bytes = Array(all.prefix(max(0, min(byteCount, all.count))))
    switch CInt(storage.ss_family) {
    case AF_INET where bytes.count >= MemoryLayout<sockaddr_in>.size:
      text = "\(bytes[4]).\(bytes[5]).\(bytes[6]).\(bytes[7]):\(Self.port(bytes))"
    case AF_INET6 where bytes.count >= MemoryLayout<sockaddr_in6>.size:
      var name = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
      guard inet_ntop(AF_INET6, Array(bytes[8..<24]), &name, socklen_t(name.count)) != nil else {
        return nil
      }
      let host = String(
        decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      text = "[\(host)]:\(Self.port(bytes))"
    case AF_UNIX: text = String(decoding: bytes.dropFirst(2).prefix { $0 != 0 }, as: UTF8.self)
    default: return nil
    }
  }

  private static func port(_ bytes: [UInt8]) -> Int { Int(bytes[2]) << 8 | Int(bytes[3]) }

  var family: CInt {
    bytes.withUnsafeBytes { CInt($0.loadUnaligned(as: sa_family_t.self)) }
  }

  package var isUnix: Bool { family == AF_UNIX }

  /// The port; `nil` for a Unix socket.
  package var port: UInt16? { isUnix ? nil : UInt16(Self.port(bytes)) }

  /// Whether it is of this machine alone: 127.0.0.0/8, ::1, or the former written as IPv6.
  package var isLoopback: Bool {
    switch family {
    case AF_INET: bytes[4] == 127
    case AF_INET6:
      Array(bytes[8..<24]) == [UInt8](repeating: 0, count: 15) + [1]
        || Array(bytes[8..<21]) == [UInt8](repeating: 0, count: 10) + [255, 255, 127]
    default: false
    }
  }

  /// Lends the address to a system call.
  func withSockaddr<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
    var storage = sockaddr_storage()
    withUnsafeMutableBytes(of: &storage) { $0.copyBytes(from: bytes.prefix($0.count)) }
    return withUnsafePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(bytes.count))
      }
    }
  }

  /// The address that a call such as getpeername(2) fills in.
  static func filled(
    by call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> CInt
  ) -> SocketAddress? {
    var storage = sockaddr_storage()
    var count = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, &count) }
    }
    return result == 0 ? SocketAddress(storage, byteCount: Int(count)) : nil
  }
}

/// What kept a socket from listening or connecting.
package enum SocketError: Error, Equatable {
  case cannotListen(SocketAddress, Errno)
  case cannotConnect(SocketAddress, Errno)

  /// One line: what failed, on what, and what to do.
  package var message: String {
    switch self {
    case .cannotListen(let address, .addressInUse):
      "\(address.text): another program listens there; "
        + (address.port.map { "ss -ltnp sport = :\($0) names it" } ?? "stop it first")
    case .cannotListen(let address, let errno):
      "\(address.text): cannot listen: \(errno.text)"
    case .cannotConnect(let address, let errno):
      "\(address.text): cannot connect: \(errno.text)"
    }
  }
}
