import Glibc
import Testing

@testable import LinuxIO

@Suite("Sockets") struct SocketTests {
  static let addresses: [(text: String, shown: String, port: UInt16?, isLoopback: Bool)] = [
    ("127.0.0.1", "127.0.0.1:2947", 2947, true), ("0.0.0.0:80", "0.0.0.0:80", 80, false),
    ("[::1]", "[::1]:2947", 2947, true), ("[fe80::1]:65535", "[fe80::1]:65535", 65535, false),
    ("[::ffff:127.0.0.1]:1", "[::ffff:127.0.0.1]:1", 1, true), ("/run/x", "/run/x", nil, false),
  ]

  @Test("addresses are read and written", arguments: addresses)
  func address(text: String, shown: String, port: UInt16?, isLoopback: Bool) throws {
    let address = try #require(SocketAddress(text, defaultPort: 2947))
    #expect(address.text == shown)
    #expect(address.port == port)
    #expect(address.isLoopback == isLoopback)
    #expect(SocketAddress(shown, defaultPort: 0) == address)
  }

  @Test(
    "what is no address",
    arguments: [
      "", "localhost", "1.2.3", "1.2.3.4:", "1.2.3.4:65536", "1.2.3.4:-1", "::1", "[::1", "[::1]x",
      "[1.2.3.4]", "x/y", "/" + String(repeating: "x", count: 108),
    ])
  func noAddress(text: String) { #expect(SocketAddress(text, defaultPort: 1) == nil) }

  /// IPv6 is switched off on some machines.
  static let kinds = ["127.0.0.1:0", "[::1]:0", "path"].filter { text in
    SocketAddress(text, defaultPort: 0).map { (try? ListenSocket($0)) != nil } ?? true
  }

  @Test(
    "bytes go both ways, by IPv4, IPv6 and path", arguments: kinds)
  func bothWays(text: String) throws {
    let (listener, client, server) = try connected(text)
    #expect(server.send([1, 2]) == .sent)
    #expect(try awaited(client) == [1, 2])
    #expect(client.send([3]) == .sent)
    #expect(try awaited(server) == [3])
    #expect(try read(server) == nil)
    shutdown(client.descriptor, CInt(SHUT_WR))
    #expect(try awaited(server) == [])
    withExtendedLifetime(listener) {}
  }

  @Test("the other end's user is known", arguments: kinds)
  func peer(text: String) throws {
    let (listener, client, server) = try connected(text)
    let process = text == "path" ? getpid() : nil
    #expect(server.peer == .local(user: getuid(), process: process))
    withExtendedLifetime((listener, client)) {}
  }

  @Test("a peer that does not read is too slow, at a bound, and gets all that was taken")
  func slow() throws {
    let (listener, client, server) = try connected("path")
    let chunk = [UInt8](repeating: 7, count: 4096)
    var taken = 0
    var outcomes: [StreamSocket.Outcome] = []
    while outcomes.last != .tooSlow, taken < 64 << 20 {
      let outcome = server.send(chunk)
      if outcomes.last != outcome { outcomes.append(outcome) }
      if outcome != .tooSlow { taken += chunk.count }
    }
    #expect(outcomes == [.sent, .queued, .tooSlow])
    #expect(taken < 1 << 20)
    var received = 0
    while received < taken {
      if let bytes = try read(client) { received += bytes.count }
      if server.hasQueued { _ = server.flush() }
    }
    #expect(server.send(chunk) == .sent)
    withExtendedLifetime(listener) {}
  }

  @Test("a peer that has gone is broken, and no signal")
  func gone() throws {
    let (listener, client, server) = try connected("path")
    shutdown(client.descriptor, CInt(SHUT_RDWR))
    #expect(server.send([1]) == .broken(.brokenPipe))
    withExtendedLifetime((listener, client)) {}
  }

  @Test("an address in use is told; an abandoned path is not in use")
  func inUse() throws {
    let path = Self.temporaryPath()
    let address = try #require(SocketAddress(path: path))
    let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
    #expect(address.withSockaddr { bind(descriptor, $0, $1) } == 0)
    close(descriptor)
    do {
      let first = try ListenSocket(address)
      #expect(throws: SocketError.cannotListen(address, .addressInUse)) {
        _ = try ListenSocket(address)
      }
      withExtendedLifetime(first) {}
    }
    #expect(access(path, F_OK) == -1)

    let other = try ListenSocket(#require(SocketAddress("127.0.0.1:0", defaultPort: 0)))
    let taken = try #require(other.boundAddress)
    #expect {
      _ = try ListenSocket(taken)
    } throws: { error in
      (error as? SocketError)?.message
        == "\(taken.text): another program listens there; ss -ltnp sport = :\(taken.port ?? 0)"
        + " names it"
    }
  }

  @Test("a path's permissions are set, and ordinary files are not replaced")
  func permissions() throws {
    let path = Self.temporaryPath()
    let address = try #require(SocketAddress(path: path))
    do {
      let listener = try ListenSocket(address, mode: 0o600)
      var status = stat()
      #expect(stat(path, &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600)
      withExtendedLifetime(listener) {}
    }
    close(open(path, O_CREAT | O_WRONLY, 0o600))
    #expect(throws: SocketError.cannotListen(address, .addressInUse)) {
      _ = try ListenSocket(address)
    }
    unlink(path)
  }

  // MARK: Help

  private func connected(_ text: String) throws -> (ListenSocket, StreamSocket, StreamSocket) {
    let wanted =
      text == "path"
      ? SocketAddress(path: Self.temporaryPath()) : SocketAddress(text, defaultPort: 0)
    let listener = try ListenSocket(#require(wanted))
    let address = try #require(listener.boundAddress)
    let client = try StreamSocket(connectingTo: address)
    return (listener, client, try #require(listener.accept()))
  }

  private func read(_ socket: StreamSocket) throws -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = try buffer.withUnsafeMutableBytes { try socket.read(into: $0) }
    return count.map { Array(buffer.prefix($0)) }
  }

  private func awaited(_ socket: StreamSocket) throws -> [UInt8]? {
    var poll = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(Glibc.poll(&poll, 1, 5000) == 1)
    return try read(socket)
  }

  private static func temporaryPath() -> String {
    "/tmp/binnacle-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).sock"
  }
}
