import Bytes
import ControlProtocol
import GNSS
import LinuxIO

/// A connection to the Binnacle daemon.
///
/// Requests wait for their answers; what streams in meanwhile is kept for `nextUpdate`. A program
/// with an event loop of its own watches `descriptor`, and calls `nextUpdate(timeout: .zero)` until
/// that gives nothing. Not to be used by two threads at once.
public final class BinnacleConnection {
  /// Where the daemon listens unless it is configured otherwise.
  public static var defaultPath: String { Control.defaultPath }
  /// Updates that are kept while requests are answered; the oldest give way.
  public static let updateCountMax = 4096

  /// Updates that were lost, here or on the way, as they were not read in time.
  public private(set) var lostCount = 0
  /// What the daemon is, such as `binnacle 1.0`.
  public private(set) var daemonVersion = ""

  private let path: String
  private let socket: StreamSocket
  private var assembler = LineAssembler(byteCountMax: Control.answerByteCountMax)
  private var lines: [JSONValue] = []
  private var lastID: Int64 = 0
  private var buffer = [UInt8](repeating: 0, count: 16 << 10)

  /// Connects to the daemon, and waits for its greeting.
  /// - Parameters:
  ///   - path: Of the daemon's socket.
  ///   - clientName: By which the policy and `binnacle sessions` know the program, such as
  ///     `com.example.map`; 1 to 128 bytes.
  ///   - timeout: For the greeting.
  public init(
    path: String = BinnacleConnection.defaultPath, clientName: String? = nil,
    timeout: Duration = .seconds(5)
  ) throws(BinnacleError) {
    self.path = path
    guard let address = SocketAddress(path: path) else { throw .noSuchSocket(path: path) }
    do throws(SocketError) { socket = try StreamSocket(connectingTo: address) } catch {
      throw BinnacleError(error, path: path)
    }
    guard let greeting = try nextLine(timeout: timeout) else { throw .timeout(path: path) }
    if greeting["type"]?.string == "error" { throw BinnacleError(answer: greeting) }
    guard greeting["type"]?.string == "hello" else { throw .notBinnacle(path: path) }
    daemonVersion = greeting["daemon"]?.string ?? ""
    _ = try perform(.hello(clientName: clientName), timeout: timeout)
  }

  /// For event loops: readable when there is something for `nextUpdate`.
  public var descriptor: CInt { socket.descriptor }

  /// Sends a request and waits for the answer.
  /// - Parameters:
  ///   - name: Such as `openSession`; the protocol's page lists them.
  ///   - members: What belongs to the request besides.
  /// - Returns: The answer, an object.
  /// - Throws: What the daemon refused, or `timeout`.
  public func request(
    _ name: String, _ members: [JSONMember] = [], timeout: Duration = .seconds(10)
  ) throws(BinnacleError) -> JSONValue {
    let id = try send(name, members)
    let end = Clocks.monotonic() + timeout
    while let line = try readLine(timeout: end - Clocks.monotonic()) {
      guard line["id"]?.integer == id else {
        // An answer that somebody stopped waiting for is of no use any more.
        if line["id"] == nil { keep(line) }
        continue
      }
      if line["type"]?.string == "error" { throw BinnacleError(answer: line) }
      return line
    }
    throw .timeout(path: path)
  }

  /// The next line that is no answer: an update, a loss, or what is observed.
  /// - Parameter timeout: How long to wait; `nil` waits for ever, zero not at all.
  /// - Returns: `nil` where nothing came in time.
  public func nextUpdate(timeout: Duration? = nil) throws(BinnacleError) -> JSONValue? {
    let end = timeout.map { Clocks.monotonic() + $0 }
    while true {
      guard let line = try nextLine(timeout: end.map { $0 - Clocks.monotonic() }) else {
        return nil
      }
      if line["id"] != nil { continue }
      if line["type"]?.string == "lost" {
        lostCount &+= Int(clamping: line["count"]?.integer ?? 0)
      }
      return line
    }
  }

  /// Sends a request, as `request` does, for one of the protocol's own types.
  package func perform(
    _ request: ControlRequest, timeout: Duration = .seconds(10)
  ) throws(BinnacleError) -> JSONValue {
    try self.request(request.name, request.members, timeout: timeout)
  }

  // MARK: Lines

  private func send(_ name: String, _ members: [JSONMember]) throws(BinnacleError) -> Int64 {
    lastID += 1
    var all: [JSONMember] = []
    all.add("id", JSONValue.integer(lastID))
    all.add("request", name)
    let line = ControlLine.bytes(all + members)
    guard line.count <= Control.requestByteCountMax else { throw .requestTooLong }
    var outcome = socket.send(line)
    while outcome == .queued {
      let isReady: Bool
      do throws(Errno) {
        isReady = try waitUntilReady(socket.descriptor, toWrite: true, timeout: .seconds(10))
      } catch {
        throw .closed(path: path)
      }
      guard isReady else { throw .timeout(path: path) }
      outcome = socket.flush()
    }
    guard outcome == .sent else { throw .closed(path: path) }
    return lastID
  }

  private func keep(_ line: JSONValue) {
    if lines.count >= Self.updateCountMax {
      lines.removeFirst()
      lostCount &+= 1
    }
    lines.append(line)
  }

  /// What was kept, else what comes.
  private func nextLine(timeout: Duration?) throws(BinnacleError) -> JSONValue? {
    if !lines.isEmpty { return lines.removeFirst() }
    return try readLine(timeout: timeout)
  }

  private var unread: [JSONValue] = []

  private func readLine(timeout: Duration?) throws(BinnacleError) -> JSONValue? {
    let end = timeout.map { Clocks.monotonic() + $0 }
    while unread.isEmpty {
      let left = end.map { $0 - Clocks.monotonic() }
      do throws(Errno) {
        guard try waitUntilReady(socket.descriptor, timeout: left.map { max($0, .zero) }) else {
          return nil
        }
      } catch {
        throw .closed(path: path)
      }
      try receive()
    }
    return unread.removeFirst()
  }

  private func receive() throws(BinnacleError) {
    let count: Int?
    do { count = try buffer.withUnsafeMutableBytes { try socket.read(into: $0) } } catch {
      throw .closed(path: path)
    }
    guard let count else { return }
    guard count > 0 else { throw .closed(path: path) }
    let texts = buffer.withByteView { assembler.take($0.extracting(0..<count)) }
    for text in texts {
      guard case .text(let bytes) = text else { throw .notBinnacle(path: path) }
      do {
        unread.append(try bytes.withByteView { try JSONReader.value(of: $0) })
      } catch {
        throw .notBinnacle(path: path)
      }
    }
  }
}
