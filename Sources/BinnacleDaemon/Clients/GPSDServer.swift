import Bytes
import GNSS
import GPSDProtocol
import LinuxIO

/// Serves clients of the gpsd protocol and of plain NMEA on the daemon's event loop. What they are
/// told is the hub's to decide; here are the sockets.
package final class GPSDServer {
  /// What the daemon is to do for a client.
  package enum Order: Equatable, Sendable {
    /// The client uses location from now on, that of one device or, where `nil`, of any. A second
    /// one of the same client replaces the first.
    case beginSession(GPSDHub.ClientID, SocketPeer, device: String?)
    case endSession(GPSDHub.ClientID)
    /// Bytes for a receiver, from a client that may send them.
    case write(path: String, [UInt8])
  }

  /// What has happened since the start.
  package struct Counts: Equatable, Sendable {
    package var accepted = 0
    /// Clients that did not read what they had asked for, and were dropped.
    package var tooSlow = 0
  }

  private struct Listener {
    let socket: ListenSocket
    let dialect: GPSDHub.Dialect
  }

  package private(set) var counts = Counts()
  private let configuration: Configuration
  private let loop: EventLoop
  private let nextToken: () -> EventLoop.Token
  private let rights: (SocketPeer) -> GPSDHub.Rights
  private var hub: GPSDHub
  private var listeners: [EventLoop.Token: Listener] = [:]
  private var clients: [GPSDHub.ClientID: ClientSocket] = [:]
  private var buffer = [UInt8](repeating: 0, count: ClientSocket.readByteCount)

  /// - Parameters:
  ///   - nextToken: A token of the loop that was never used.
  ///   - rights: What the policy grants to a client.
  ///   - reduce: What is left of an epoch for clients with reduced access.
  package init(
    _ configuration: Configuration, version: String, loop: EventLoop,
    nextToken: @escaping () -> EventLoop.Token, rights: @escaping (SocketPeer) -> GPSDHub.Rights,
    reduce: @escaping (Epoch) -> Epoch
  ) {
    (self.configuration, self.loop, self.nextToken) = (configuration, loop, nextToken)
    self.rights = rights
    hub = GPSDHub(
      release: configuration.gpsd.release ?? "3.25-binnacle-\(version)", reduce: reduce)
  }

  /// Starts to listen, or takes over what the service manager listens at.
  /// - Parameter inherited: Sockets that it named `gpsd` or `nmea`; those of TCP without a name are
  ///   taken for gpsd's.
  /// - Returns: Lines for the journal. That nobody can be served is no reason to stop.
  package func start(inherited: [ListenSocket]) -> [String] {
    guard configuration.gpsd.isEnabled else { return startNMEA(inherited) }
    let given = inherited.filter { socket in
      socket.name == "gpsd" || (!socket.address.isUnix && !Self.names.contains(socket.name))
    }
    return serve(.gpsd, given, or: configuration.gpsd.addresses) + startNMEA(inherited)
  }

  private func startNMEA(_ inherited: [ListenSocket]) -> [String] {
    serve(.nmea, inherited.filter { $0.name == "nmea" }, or: configuration.nmea.addresses)
  }

  private static let names = ["gpsd", "nmea", "control"]

  private func serve(
    _ dialect: GPSDHub.Dialect, _ inherited: [ListenSocket], or addresses: [SocketAddress]
  ) -> [String] {
    var (sockets, problems) = (inherited, [String]())
    if inherited.isEmpty {
      for address in addresses {
        do throws(SocketError) {
          // Anybody may connect; who may know what is decided by who it is.
          sockets.append(try ListenSocket(address, mode: 0o666))
        } catch {
          problems.append(error.message)
        }
      }
    }
    for socket in sockets {
      let token = nextToken()
      guard (try? loop.add(socket.descriptor, token: token)) != nil else { continue }
      listeners[token] = Listener(socket: socket, dialect: dialect)
    }
    let name = dialect == .gpsd ? "gpsd protocol" : "NMEA sentences"
    if !sockets.isEmpty {
      return ["\(name): at \(sockets.map(\.address.text).joined(separator: " and "))"]
    }
    if dialect == .gpsd, !problems.isEmpty {
      problems.append(
        "\(name): not served; if that is gpsd: systemctl disable --now gpsd.socket gpsd")
    }
    return problems
  }

  // MARK: Events

  /// Something happened to a descriptor; nothing is done where the token is not of this server.
  package func ready(
    _ token: EventLoop.Token, readable: Bool, writable: Bool, hungUp: Bool, at now: Now
  ) -> [Order] {
    if let listener = listeners[token] { return accept(from: listener) }
    let id = GPSDHub.ClientID(token.rawValue)
    var orders: [Order] = []
    if writable { orders += flush(id) }
    if readable || hungUp { orders += read(id, at: now) }
    return orders
  }

  package var deadline: Monotonic? { hub.deadline }

  package func timer(at now: Now) -> [Order] {
    guard let deadline = hub.deadline, deadline <= now.monotonic else { return [] }
    return perform(hub.timer(at: now.hub))
  }

  package func added(_ device: GPSDDevice) -> [Order] { perform(hub.added(device)) }
  package func changed(_ device: GPSDDevice) -> [Order] { perform(hub.changed(device)) }
  package func removed(path: String) -> [Order] { perform(hub.removed(path: path)) }

  /// The receiver was put to sleep, or woken.
  package func device(_ path: String, isAsleep: Bool, at now: Now) {
    hub.device(path, isAsleep: isAsleep, at: now.hub)
  }

  /// Bytes of a receiver: call it before they are decoded.
  package func bytes(_ bytes: ByteView, from path: String) -> [Order] {
    perform(hub.bytes(bytes, from: path))
  }

  package func publish(_ epoch: Epoch, from path: String, at now: Now) -> [Order] {
    perform(hub.epoch(epoch, from: path, at: now.hub))
  }

  package func pulse(_ sample: ClockSample) -> [Order] { perform(hub.pulse(sample)) }

  /// Asks the policy again for everybody.
  package func policyChanged() -> [Order] {
    var orders: [Order] = []
    for (id, client) in clients.sorted(by: { $0.key < $1.key }) {
      orders += perform(hub.rightsChanged(id, to: rights(client.peer)))
    }
    return orders
  }

  package var clientCount: Int { clients.count }
  package var watchingCount: Int { hub.watchingCount }
  /// Whether a client gets what receivers send as it comes.
  package var passesBytes: Bool { hub.passesBytes }

  // MARK: Clients

  private func accept(from listener: Listener) -> [Order] {
    var orders: [Order] = []
    for socket in ClientSocket.waiting(at: listener.socket) {
      counts.accepted += 1
      guard let client = ClientSocket(socket, nextToken(), on: loop) else { continue }
      let id = GPSDHub.ClientID(client.token.rawValue)
      clients[id] = client
      orders += perform(
        hub.connected(id, dialect: listener.dialect, rights: rights(client.peer)))
    }
    return orders
  }

  private func read(_ id: GPSDHub.ClientID, at now: Now) -> [Order] {
    guard let count = clients[id]?.read(into: &buffer) else { return [] }
    guard count > 0 else { return close(id) }
    return perform(
      buffer.withByteView { hub.received($0.extracting(0..<count), from: id, at: now.hub) })
  }

  private func flush(_ id: GPSDHub.ClientID) -> [Order] {
    guard let outcome = clients[id]?.socket.flush() else { return [] }
    if case .broken = outcome { return close(id) }
    wait(id, toWrite: outcome == .queued)
    return []
  }

  private func wait(_ id: GPSDHub.ClientID, toWrite: Bool) {
    clients[id]?.wait(for: toWrite ? [.readable, .writable] : .readable, on: loop)
  }

  private func close(_ id: GPSDHub.ClientID) -> [Order] {
    drop(id)
    return perform(hub.disconnected(id))
  }

  private func drop(_ id: GPSDHub.ClientID) {
    guard let client = clients.removeValue(forKey: id) else { return }
    loop.remove(client.socket.descriptor)
  }

  private func perform(_ commands: [GPSDHub.Command]) -> [Order] {
    var orders: [Order] = []
    var gone: [GPSDHub.ClientID] = []
    for command in commands {
      switch command {
      case .send(let ids, let bytes):
        for id in ids where !send(bytes, to: id) { gone.append(id) }
      case .close(let id): drop(id)
      case .beginSession(let id, let device):
        let peer = clients[id]?.peer ?? .unknownLocal
        orders.append(.beginSession(id, peer, device: device))
      case .endSession(let id): orders.append(.endSession(id))
      case .write(let path, let bytes): orders.append(.write(path: path, bytes))
      }
    }
    for id in gone { orders += close(id) }
    return orders
  }

  /// - Returns: Whether the client is still to be served.
  private func send(_ bytes: [UInt8], to id: GPSDHub.ClientID) -> Bool {
    guard let socket = clients[id]?.socket else { return true }
    switch socket.send(bytes) {
    case .sent: return true
    case .queued:
      wait(id, toWrite: true)
      return true
    case .tooSlow:
      counts.tooSlow += 1
      drop(id)
      return false
    case .broken:
      drop(id)
      return false
    }
  }
}

extension Now {
  fileprivate var hub: GPSDHub.Now { GPSDHub.Now(boottime: monotonic, utc: system) }
}
