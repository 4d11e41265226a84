import Bytes
import GNSS
import GPSDProtocol
import Glibc
import LinuxIO
import Testing

@testable import BinnacleDaemon

@Suite("gpsd server") struct GPSDServerTests {
  static let watch = #"?WATCH={"enable":true,"json":true};"#

  @Test("a client is greeted, watches, is told of epochs and ends its session by leaving")
  func client() throws {
    let server = try ServerHarness()
    let client = try server.connect()
    #expect(try server.lines(client, 1)[0].hasPrefix(#"{"class":"VERSION","release":"3.25-"#))
    _ = client.send(Array(Self.watch.utf8))
    #expect(try server.lines(client, 3)[1].contains(#""enable":true"#))
    server.publish(mode: .threeD)
    #expect(try server.lines(client, 1)[0].contains(#""mode":3"#))
    shutdown(client.descriptor, CInt(SHUT_RDWR))
    try server.turn { $0.server.clientCount == 0 }
    let me = SocketPeer.local(user: getuid(), process: nil)
    guard case .beginSession(let id, me, device: nil)? = server.orders.first else {
      Issue.record("no session: \(server.orders)")
      return
    }
    #expect(server.orders.dropFirst() == [.endSession(id)])
  }

  @Test("a client that does not read is dropped with a count and delays nobody")
  func slow() throws {
    let server = try ServerHarness()
    let (slow, quick) = (try server.connect(), try server.connect())
    for client in [slow, quick] {
      _ = client.send(Array(Self.watch.utf8))
      _ = try server.lines(client, 4)
    }
    for _ in 0..<20_000 where server.server.counts.tooSlow == 0 {
      server.publish(mode: .threeD)
      #expect(try server.lines(quick, 1).count == 1)
    }
    #expect(server.server.counts == .init(accepted: 2, tooSlow: 1))
    #expect(server.server.clientCount == 1)
    withExtendedLifetime(slow) {}
  }

  @Test("a thousand clients that vanish in every way leave nothing behind")
  func vanishing() throws {
    let server = try ServerHarness()
    for round in 0..<20 {
      var clients = try (0..<50).map { _ in try server.connect() }
      for (index, client) in clients.enumerated() {
        switch (index + round) % 5 {
        case 0: break
        case 1: _ = client.send(Array(Self.watch.utf8))
        case 2: _ = client.send(Array(#"?WATCH={"enab"#.utf8))
        case 3: shutdown(client.descriptor, CInt(SHUT_WR))
        default:
          _ = client.send([UInt8](repeating: 0x7b, count: 100_000))
          // Closing with SO_LINGER 0 resets the connection.
          var option = linger(l_onoff: 1, l_linger: 0)
          setsockopt(
            client.descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        }
      }
      try server.turn { $0.server.counts.accepted == 50 * (round + 1) }
      server.publish(mode: .twoD)
      clients = []
      try server.turn { $0.server.clientCount == 0 }
    }
    #expect(server.server.watchingCount == 0)
    #expect(server.sessions.isEmpty)
  }

  @Test("a Unix socket gives sentences from the start")
  func sentences() throws {
    let server = try ServerHarness()
    let client = try server.connect(.nmea)
    try server.turn { $0.server.clientCount == 1 }
    server.publish(mode: .threeD)
    #expect(try server.lines(client, 1)[0].hasPrefix("$GPRMC,"))
  }

  @Test("denied clients are told so; a change of the policy ends sessions")
  func policy() throws {
    let server = try ServerHarness()
    let client = try server.connect()
    _ = client.send(Array(Self.watch.utf8))
    _ = try server.lines(client, 4)
    server.policy.access = .denied
    server.take(server.server.policyChanged())
    #expect(try server.lines(client, 1)[0].hasPrefix(#"{"class":"ERROR""#))
    #expect(server.sessions.isEmpty)
  }

  @Test("one family is enough; a port in use is told with what to do")
  func inUse() throws {
    let server = try ServerHarness()
    var configuration = Configuration()
    configuration.gpsd.port = try #require(server.address.port)
    configuration.gpsd.listen = ["127.0.0.1"]
    configuration.nmea.socket = nil
    let lines = try ServerHarness.start(configuration)
    #expect(lines.count == 2)
    #expect(lines[0].contains("another program listens there"))
    #expect(
      lines[1]
        == "gpsd protocol: not served; if that is gpsd: systemctl disable --now gpsd.socket gpsd")
    configuration.gpsd.listen = ["127.0.0.1", "127.0.0.2"]
    #expect(
      try ServerHarness.start(configuration) == [
        "gpsd protocol: at 127.0.0.2:\(configuration.gpsd.port)"
      ])
  }
}

/// A server on its event loop, at a free port, with one receiver.
private final class ServerHarness {
  final class Policy { var access = GPSDHub.Access.full }

  static let path = "/dev/ttyTEST"
  let loop: EventLoop
  let server: GPSDServer
  let policy = Policy()
  let address: SocketAddress
  private let sentencesAddress: SocketAddress
  private(set) var orders: [GPSDServer.Order] = []
  private var clientLines = ClientLines()

  init() throws {
    let port = try Self.freePort()
    var configuration = Configuration()
    configuration.gpsd.port = port
    configuration.gpsd.listen = ["127.0.0.1"]
    let path = "/tmp/binnacle-nmea-\(getpid())-\(port).sock"
    configuration.nmea.socket = path
    address = try #require(configuration.gpsd.addresses.first)
    sentencesAddress = try #require(SocketAddress(path: path))
    loop = try EventLoop()
    var token: UInt32 = 0
    let policy = policy
    server = GPSDServer(
      configuration, version: "test", loop: loop,
      nextToken: {
        token += 1
        return EventLoop.Token(token)
      }, rights: { _ in .init(access: policy.access, mayWrite: false) }, reduce: { $0 })
    #expect(server.start(inherited: []).count == 2)
    _ = server.added(GPSDDevice(path: Self.path, activated: UTCTime(seconds: 0)))
  }

  static func start(_ configuration: Configuration) throws -> [String] {
    var token: UInt32 = 0
    let server = GPSDServer(
      configuration, version: "test", loop: try EventLoop(),
      nextToken: {
        token += 1
        return EventLoop.Token(token)
      }, rights: { _ in .init(access: .full, mayWrite: false) }, reduce: { $0 })
    return server.start(inherited: [])
  }

  func connect(_ dialect: GPSDHub.Dialect = .gpsd) throws -> StreamSocket {
    try StreamSocket(connectingTo: dialect == .gpsd ? address : sentencesAddress)
  }

  /// Serves until `isDone` or two seconds have passed.
  func turn(until isDone: (ServerHarness) throws -> Bool) throws {
    let end = Clocks.monotonic() + .seconds(2)
    while try !isDone(self), Clocks.monotonic() < end {
      loop.deadline = Clocks.monotonic() + .milliseconds(10)
      for event in try loop.wait() {
        guard case .ready(let token, let readable, let writable, let hungUp) = event else {
          continue
        }
        take(
          server.ready(
            token, readable: readable, writable: writable, hungUp: hungUp, at: now))
      }
    }
    #expect(try isDone(self))
  }

  /// The next `count` lines that the client gets.
  func lines(_ client: StreamSocket, _ count: Int) throws -> [String] {
    try clientLines.next(count, of: client) { isDone in try turn { _ in try isDone() } }
  }

  func publish(mode: FixMode) {
    var epoch = Epoch()
    (epoch.fix.mode, epoch.fix.position) = (mode, Coordinate(latitude: 10, longitude: 20))
    take(server.publish(epoch, from: Self.path, at: now))
  }

  func take(_ more: [GPSDServer.Order]) { orders += more }

  /// Clients whose session has begun and not ended.
  var sessions: Set<GPSDHub.ClientID> {
    var sessions: Set<GPSDHub.ClientID> = []
    for order in orders {
      switch order {
      case .beginSession(let id, _, _): sessions.insert(id)
      case .endSession(let id): sessions.remove(id)
      case .write: break
      }
    }
    return sessions
  }

  private var now: Now {
    Now(monotonic: Clocks.monotonic(), system: Clocks.utc(), isSynchronised: false)
  }

  private static func freePort() throws -> UInt16 {
    let listener = try ListenSocket(#require(SocketAddress("127.0.0.1:0", defaultPort: 0)))
    return try #require(listener.boundAddress?.port)
  }
}
