import Bytes
import ControlProtocol
import GNSS
import LinuxIO
import LocationServices

/// Serves clients of the control protocol on the daemon's event loop: sockets, lines and who is at
/// the other end. What is answered is decided elsewhere.
package final class ControlServer {
  package enum Order: Equatable, Sendable {
    /// A client made its first request; the credentials hold until it goes.
    case connected(ClientID, Credentials)
    case disconnected(ClientID)
    case request(ControlRequest, RequestID, ClientID)
    /// A line that needs no more than this answer: given back so that answers keep their order.
    case answer([UInt8], ClientID)
  }

  /// A client as `status` shows it.
  package struct Client: Sendable {
    package var id: ClientID
    package var credentials: Credentials
    package var process: Int32?
    package var lostCount: Int
  }

  /// At this number of clients, new ones are turned away.
  package static let clientCountMax = 1024
  /// Clients of one user, root apart: so that nobody shuts the others out.
  package static let clientCountPerUserMax = 512
  /// Handed to the kernel at once.
  private static let pieceByteCount = 16 << 10

  private struct Connection {
    var client: ClientSocket
    let process: Int32?
    var credentials: Credentials
    var lines = LineAssembler(byteCountMax: Control.requestByteCountMax)
    var queue = ControlQueue()
    /// Whether it was told of as connected.
    var isKnown = false
  }

  private let loop: EventLoop
  private let nextToken: () -> EventLoop.Token
  private let daemonVersion: String
  private var listeners: [EventLoop.Token: ListenSocket] = [:]
  private var connections: [ClientID: Connection] = [:]
  private var buffer = [UInt8](repeating: 0, count: ClientSocket.readByteCount)
  /// What broke while it was sent to: told with the next event.
  private var broken: [ClientID] = []

  /// - Parameter nextToken: A token of the loop that was never used.
  package init(
    loop: EventLoop, daemonVersion: String, nextToken: @escaping () -> EventLoop.Token
  ) {
    (self.loop, self.daemonVersion, self.nextToken) = (loop, daemonVersion, nextToken)
  }

  /// Starts to listen, or takes over what the service manager listens at under the name `control`.
  /// - Parameter path: `nil` where there is to be no socket.
  /// - Returns: Lines for the journal. That nobody can be served is no reason to stop.
  package func start(path: String?, inherited: [ListenSocket]) -> [String] {
    var sockets = inherited.filter { $0.name == "control" }
    if sockets.isEmpty, let address = path.flatMap({ SocketAddress(path: $0) }) {
      // Anybody may connect; who may know what is decided by who it is.
      do throws(SocketError) { sockets = [try ListenSocket(address, mode: 0o666)] } catch {
        return [error.message]
      }
    }
    for socket in sockets {
      let token = nextToken()
      guard (try? loop.add(socket.descriptor, token: token)) != nil else { continue }
      listeners[token] = socket
    }
    return sockets.map { "control: at \($0.address.text)" }
  }

  package var clientCount: Int { connections.count }

  package var clients: [Client] {
    connections.sorted { $0.key < $1.key }.map {
      Client(
        id: $0.key, credentials: $0.value.credentials, process: $0.value.process,
        lostCount: $0.value.queue.lostCount)
    }
  }

  package func credentials(of id: ClientID) -> Credentials? { connections[id]?.credentials }

  // MARK: Events

  /// Something happened to a descriptor; `nil` where the token is not of this server.
  package func ready(
    _ token: EventLoop.Token, readable: Bool, writable: Bool, hungUp: Bool
  ) -> [Order]? {
    if let listener = listeners[token] {
      accept(from: listener)
      return takeBroken()
    }
    let id = ClientID(token.rawValue)
    guard connections[id] != nil else { return nil }
    var orders: [Order] = []
    if writable { flush(id) }
    if readable || hungUp { orders = read(id) }
    return orders + takeBroken()
  }

  /// Clients that were found gone while something was sent to them.
  package func takeBroken() -> [Order] {
    defer { broken = [] }
    return broken.flatMap { close($0) }
  }

  package func answer(_ line: [UInt8], to id: ClientID) {
    connections[id]?.queue.add(answer: line)
    flush(id)
  }

  package func update(_ line: [UInt8], to id: ClientID) {
    connections[id]?.queue.add(update: line)
    flush(id)
  }

  // MARK: Clients

  private func accept(from listener: ListenSocket) {
    for socket in ClientSocket.waiting(at: listener) {
      guard let client = ClientSocket(socket, nextToken(), on: loop) else { continue }
      let (credentials, process) = Self.credentials(of: client)
      let ofUser = connections.values.count { $0.credentials.userID == credentials.userID }
      guard connections.count < Self.clientCountMax,
        ofUser < Self.clientCountPerUserMax || credentials.isAdministrator
      else {
        _ = socket.send(ControlError.tooManyClients.line(nil))
        loop.remove(socket.descriptor)
        continue
      }
      let id = ClientID(client.token.rawValue)
      connections[id] = Connection(client: client, process: process, credentials: credentials)
      answer(ControlLine.greeting(daemonVersion: daemonVersion), to: id)
    }
  }

  /// One whose user the kernel does not tell is nobody.
  private static func credentials(of client: ClientSocket) -> (Credentials, Int32?) {
    guard case .local(let user, let process) = client.peer else {
      return (Credentials(userID: .max), nil)
    }
    let groups =
      client.socket.peerGroups?.compactMap { UserDatabase.groupName($0) }
      ?? UserDatabase.groups(ofUser: user)
    return (
      Credentials(userID: user, userName: UserDatabase.userName(user), groups: groups), process
    )
  }

  private func read(_ id: ClientID) -> [Order] {
    guard let count = connections[id]?.client.read(into: &buffer) else { return [] }
    guard count > 0 else { return close(id) }
    let lines = buffer.withByteView {
      connections[id]?.lines.take($0.extracting(0..<count)) ?? []
    }
    return lines.flatMap { take($0, from: id) }
  }

  private func take(_ line: LineAssembler.Line, from id: ClientID) -> [Order] {
    guard case .text(let bytes) = line else {
      return [.answer(ControlError.lineTooLong.line(nil), id)]
    }
    let numbered: NumberedRequest
    do throws(NumberedRequest.Refusal) {
      numbered = try Self.parse(bytes)
    } catch {
      return [.answer(error.error.line(error.id), id)]
    }
    if case .hello(let name) = numbered.request { return greet(name, numbered.id, id) }
    return introduce(id) + [.request(numbered.request, numbered.id, id)]
  }

  private static func parse(_ line: [UInt8]) throws(NumberedRequest.Refusal) -> NumberedRequest {
    let outcome = line.withByteView { view -> Result<NumberedRequest, NumberedRequest.Refusal> in
      do throws(NumberedRequest.Refusal) {
        return .success(try NumberedRequest(parsing: view))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }

  /// A client says its name. What it did before under another one cannot be undone.
  private func greet(_ name: String?, _ request: RequestID, _ id: ClientID) -> [Order] {
    guard connections[id]?.isKnown == false else {
      let error = ControlError.invalid("'hello' is to be the first request")
      return [.answer(error.line(request), id)]
    }
    connections[id]?.credentials.clientName = name
    return introduce(id) + [.answer(ControlLine.answer(request), id)]
  }

  private func introduce(_ id: ClientID) -> [Order] {
    guard let connection = connections[id], !connection.isKnown else { return [] }
    connections[id]?.isKnown = true
    return [.connected(id, connection.credentials)]
  }

  private func flush(_ id: ClientID) {
    guard let socket = connections[id]?.client.socket else { return }
    var outcome = socket.hasQueued ? socket.flush() : .sent
    while outcome == .sent,
      let piece = connections[id]?.queue.next(byteCountMax: Self.pieceByteCount)
    {
      outcome = socket.send(piece)
    }
    switch outcome {
    case .sent, .queued: wait(id, isBlocked: outcome == .queued)
    case .tooSlow, .broken: if !broken.contains(id) { broken.append(id) }
    }
  }

  /// Waits for what the client can do: with too many answers unread it is not heard.
  private func wait(_ id: ClientID, isBlocked: Bool) {
    guard let connection = connections[id] else { return }
    var interest: EventLoop.Interest = connection.queue.isCongested ? [] : .readable
    if isBlocked { interest.insert(.writable) }
    connections[id]?.client.wait(for: interest, on: loop)
  }

  private func close(_ id: ClientID) -> [Order] {
    guard let connection = connections.removeValue(forKey: id) else { return [] }
    loop.remove(connection.client.socket.descriptor)
    return connection.isKnown ? [.disconnected(id)] : []
  }
}
