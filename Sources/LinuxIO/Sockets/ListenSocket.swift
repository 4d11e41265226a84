import Glibc

/// A stream socket that clients connect to. Never waits.
package final class ListenSocket {
  package let descriptor: CInt
  package let address: SocketAddress
  /// The name that the service manager gave an inherited socket; empty for one of our own.
  package let name: String
  private let isOwnPath: Bool
  /// Given up for a moment when there are no descriptors left, so that a client can be turned away
  /// instead of knocking for ever.
  private var spare = open("/dev/null", O_RDONLY | O_CLOEXEC)

  /// Clients that may wait to be accepted.
  private static let backlog: CInt = 128

  /// Starts to listen. A Unix socket that a dead program left behind is replaced.
  /// - Parameter mode: Permissions of a Unix socket: who may connect must be able to write.
  package init(_ address: SocketAddress, mode: mode_t = 0o660) throws(SocketError) {
    let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    descriptor = socket(address.family, type, 0)
    self.address = address
    (name, isOwnPath) = ("", address.isUnix)
    guard descriptor >= 0 else { throw .cannotListen(address, Errno(rawValue: errno)) }
    if address.isUnix {
      Self.removeAbandoned(address)
    } else {
      setOption(SOL_SOCKET, SO_REUSEADDR, 1)
    }
    // So that the IPv4 address can be listened at beside it.
    if address.family == AF_INET6 { setOption(CInt(IPPROTO_IPV6), IPV6_V6ONLY, 1) }
    do {
      try systemCall { address.withSockaddr { bind(descriptor, $0, $1) } }
      if address.isUnix { try systemCall { chmod(address.text, mode) } }
      try systemCall { listen(descriptor, Self.backlog) }
    } catch {
      throw .cannotListen(address, error)
    }
  }

  /// Takes a socket over that already listens.
  private init?(inherited descriptor: CInt, name: String) {
    guard let address = SocketAddress.filled(by: { getsockname(descriptor, $0, $1) }) else {
      return nil
    }
    self.descriptor = descriptor
    (self.address, self.name, isOwnPath) = (address, name, false)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
  }

  deinit {
    if isOwnPath, descriptor >= 0 { unlink(address.text) }
    for descriptor in [descriptor, spare] where descriptor >= 0 { close(descriptor) }
  }

  /// The sockets that the service manager listens at for us: sd_listen_fds(3). They are told once.
  package static func inherited() -> [ListenSocket] {
    let process = environment("LISTEN_PID").flatMap { Int32($0) }
    let count = environment("LISTEN_FDS").flatMap { CInt($0) } ?? 0
    let names = environment("LISTEN_FDNAMES")?.split(
      separator: ":", omittingEmptySubsequences: false)
    for variable in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(variable) }
    guard process == getpid(), (1...inheritedCountMax).contains(count) else { return [] }
    return (0..<count).compactMap { index in
      let name = names.flatMap { Int(index) < $0.count ? String($0[Int(index)]) : nil }
      return ListenSocket(inherited: 3 + index, name: name ?? "")
    }
  }

  private static let inheritedCountMax: CInt = 64

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Where it listens in fact: with the port that the kernel chose for port 0.
  package var boundAddress: SocketAddress? {
    SocketAddress.filled { getsockname(descriptor, $0, $1) }
  }

  /// The next client that waits; `nil` where none does.
  package func accept() -> StreamSocket? {
    while true {
      do throws(Errno) {
        return StreamSocket(accepted: try systemCall { Glibc.accept(descriptor, nil, nil) })
      } catch .noDescriptors, .noSystemDescriptors {
        guard spare >= 0 else { return nil }
        close(spare)
        let refused = Glibc.accept(descriptor, nil, nil)
        if refused >= 0 { close(refused) }
        spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
        if refused < 0 { return nil }
      } catch .connectionAborted {
        continue
      } catch {
        return nil
      }
    }
  }

  private func setOption(_ level: CInt, _ option: CInt, _ value: CInt) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<CInt>.size))
  }

  /// Removes a Unix socket at which nobody listens any more.
  private static func removeAbandoned(_ address: SocketAddress) {
    var status = stat()
    guard lstat(address.text, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
    do throws(SocketError) {
      _ = try StreamSocket(connectingTo: address)
    } catch .cannotConnect(_, .connectionRefused) {
      unlink(address.text)
    } catch {}
  }
}
