import Bytes
import ControlProtocol
import GNSS
import Glibc
import LinuxIO
import LocationServices
import Testing

@testable import BinnacleDaemon

@Suite("Control server") struct ControlServerTests {
  @Test("greets, knows who is there, and hands requests over in their order")
  func requests() throws {
    let server = try ControlHarness()
    let client = try server.connect()
    #expect(try server.lines(client, 1) == [#"{"type":"hello","protocol":1,"daemon":"test"}"#])
    server.send(
      #"{"id":1,"request":"hello","client":"map"}"# + "\n" + "rubbish\n"
        + #"{"id":2,"request":"status"}"# + "\n" + #"{"id":3,"request":"hello"}"# + "\n",
      client)
    let answers = try server.lines(client, 3)
    #expect(answers[0] == #"{"type":"answer","id":1}"#)
    #expect(answers[1].hasPrefix(#"{"type":"error","code":"malformed""#))
    #expect(answers[2].hasPrefix(#"{"type":"error","id":3,"code":"invalid""#))
    guard case .connected(let id, let credentials)? = server.orders.first else {
      Issue.record("nobody came")
      return
    }
    #expect(credentials.userID == getuid() && credentials.clientName == "map")
    #expect(server.orders.contains(.request(.status, 2, id)))
    shutdown(client.descriptor, CInt(SHUT_RDWR))
    try server.turn { $0.server.clientCount == 0 }
    #expect(server.orders.last == .disconnected(id))
  }

  @Test("a client that does not read loses the oldest updates, is told how many, and stays")
  func slow() throws {
    let server = try ControlHarness()
    let (slow, quick) = (try server.connect(), try server.connect())
    for client in [slow, quick] { _ = try server.lines(client, 1) }
    let padding = String(repeating: "x", count: 300)
    let count = 3000
    for number in 0..<count {
      let line = Array("{\"n\":\(number),\"\(padding)\":0}\n".utf8)
      for id in server.server.clients.map(\.id) { server.server.update(line, to: id) }
      #expect(try server.lines(quick, 1)[0].hasPrefix("{\"n\":\(number),"))
    }
    let lost = server.server.clients[0].lostCount
    #expect(lost > 0 && server.server.clients[1].lostCount == 0)
    let lines = try server.lines(slow, count - lost + 1)
    #expect(lines.contains("{\"type\":\"lost\",\"count\":\(lost)}"))
    #expect(lines.last?.hasPrefix("{\"n\":\(count - 1),") == true)
  }

  @Test("requests of a client that reads no answers are not taken, and memory stays bounded")
  func congested() throws {
    let server = try ControlHarness()
    let client = try server.connect()
    _ = try server.lines(client, 1)
    let line = Array((#"{"id":1,"request":"receiver.eat"}"# + "\n").utf8)
    let requests = Array(repeatElement(line, count: 100).joined())
    var outcome = client.send(requests)
    for _ in 0..<10_000 where outcome != .tooSlow {
      outcome = client.send(requests)
      try server.step()
    }
    #expect(outcome == .tooSlow)
    #expect(server.server.clientCount == 1)
  }

  @Test("hundreds of clients that vanish in every way leave nothing behind")
  func vanishing() throws {
    let server = try ControlHarness()
    for _ in 0..<4 {
      var clients = try (0..<60).map { _ in try server.connect() }
      for (index, client) in clients.enumerated() {
        switch index % 5 {
        case 0: break
        case 1: server.send(#"{"id":1,"request":"status"}"# + "\n", client)
        case 2: server.send(#"{"id":1,"requ"#, client)
        case 3: shutdown(client.descriptor, CInt(SHUT_WR))
        default: _ = client.send([UInt8](repeating: 0x7b, count: 100_000))
        }
      }
      try server.turn { $0.server.clientCount >= 48 }
      clients = []
      try server.turn { $0.server.clientCount == 0 }
    }
    let connected = server.orders.count { if case .connected = $0 { true } else { false } }
    let gone = server.orders.count { if case .disconnected = $0 { true } else { false } }
    #expect(connected == gone && connected == 4 * 12)
  }
}

/// A server on its event loop, at a socket of its own.
final class ControlHarness {
  let server: ControlServer
  private(set) var orders: [ControlServer.Order] = []
  private let loop: EventLoop
  private let address: SocketAddress
  private var clientLines = ClientLines()

  init() throws {
    let path = "/tmp/binnacle-control-\(getpid())-\(UInt32.random(in: 0 ... .max)).sock"
    address = try #require(SocketAddress(path: path))
    loop = try EventLoop()
    var token: UInt32 = 0
    server = ControlServer(loop: loop, daemonVersion: "test") {
      token += 1
      return EventLoop.Token(token)
    }
    #expect(server.start(path: path, inherited: []) == ["control: at \(path)"])
  }

  func connect() throws -> StreamSocket { try StreamSocket(connectingTo: address) }

  func send(_ text: String, _ client: StreamSocket) { _ = client.send(Array(text.utf8)) }

  /// Serves what is there now.
  func step() throws {
    loop.deadline = Clocks.monotonic()
    for event in try loop.wait() {
      guard case .ready(let token, let readable, let writable, let hungUp) = event else {
        continue
      }
      let more =
        server.ready(token, readable: readable, writable: writable, hungUp: hungUp) ?? []
      orders += more
      for case .answer(let line, let client) in more { server.answer(line, to: client) }
      orders += server.takeBroken()
    }
  }

  /// Serves until `isDone` or five seconds have passed.
  func turn(until isDone: (ControlHarness) throws -> Bool) throws {
    let end = Clocks.monotonic() + .seconds(5)
    while try !isDone(self), Clocks.monotonic() < end { try step() }
    #expect(try isDone(self))
  }

  /// The next `count` lines that the client gets.
  func lines(_ client: StreamSocket, _ count: Int) throws -> [String] {
    try clientLines.next(count, of: client) { isDone in try turn { _ in try isDone() } }
  }
}
