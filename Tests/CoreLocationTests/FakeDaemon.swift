import Bytes
import ControlProtocol
import Foundation
import Glibc

/// Speaks the control protocol as the daemon does, and says what a test wants.
final class FakeDaemon: @unchecked Sendable {
  /// One for all tests of this program: the facade has one connection.
  static let shared: FakeDaemon = {
    let path = "/tmp/binnacle-facade-\(getpid()).sock"
    setenv("BINNACLE_SOCKET", path, 1)
    return FakeDaemon(path: path)
  }()

  let path: String
  private let lock = NSLock()
  private var listener: CInt = -1
  private var clients: [CInt] = []
  private var lastSession: Int64 = 0
  private var seen: [JSONValue] = []
  private var replies: [String: String] = [:]

  private init(path: String) { self.path = path }

  /// Begins to listen; forgets what it was asked and told before.
  func start() {
    lock.withLock {
      (seen, replies) = ([], [:])
      guard listener < 0 else { return }
      unlink(path)
      listener = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let length = socklen_t(MemoryLayout<sockaddr_un>.size)
      _ = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, length) }
      }
      listen(listener, 8)
      let descriptor = listener
      Thread.detachNewThread { [self] in accept(at: descriptor) }
    }
  }

  /// Ends as a daemon does that is stopped.
  func stop() {
    lock.withLock {
      shutdown(listener, CInt(SHUT_RDWR))
      close(listener)
      listener = -1
      unlink(path)
      for client in clients { shutdown(client, CInt(SHUT_RDWR)) }
      clients = []
    }
  }

  /// What a request of this name is answered with: members, or `error:` and members.
  func reply(to request: String, _ members: String) {
    lock.withLock { replies[request] = members }
  }

  /// Sends a line to every client.
  func push(_ line: String) {
    for client in lock.withLock({ clients }) { send(line, client) }
  }

  func push(session: Int64, _ members: String) {
    push("{\"type\":\"update\",\"session\":\(session),\(members)}")
  }

  /// The newest request of this name, waited for.
  func request(
    _ name: String, where isWanted: @Sendable (JSONValue) -> Bool = { _ in true }
  ) async -> JSONValue? {
    for _ in 0..<1000 {
      let found = lock.withLock {
        seen.last { $0["request"]?.string == name && isWanted($0) }
      }
      if let found { return found }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return nil
  }

  /// The number of the session that was opened for this service.
  func session(_ service: String) async -> Int64? {
    let asked = await request("openSession") {
      $0["services"]?.array?.contains(.string(service)) == true
    }
    return asked?["session"]?.integer
  }

  private func accept(at descriptor: CInt) {
    while true {
      let client = Glibc.accept(descriptor, nil, nil)
      guard client >= 0 else { return }
      lock.withLock { clients.append(client) }
      send(#"{"type":"hello","protocol":1,"daemon":"fake"}"#, client)
      Thread.detachNewThread { [self] in serve(client) }
    }
  }

  private func serve(_ client: CInt) {
    var assembler = LineAssembler(byteCountMax: 1 << 16)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(client, &buffer, buffer.count), count > 0 {
      let lines = buffer.withByteView { assembler.take($0.extracting(0..<count)) }
      for case .text(let line) in lines {
        guard let request = try? line.withByteView({ try JSONReader.value(of: $0) }) else {
          continue
        }
        answer(request, client)
      }
    }
    lock.withLock { clients.removeAll { $0 == client } }
    close(client)
  }

  private func answer(_ request: JSONValue, _ client: CInt) {
    let name = request["request"]?.string ?? ""
    let id = request["id"]?.integer ?? 0
    let line = lock.withLock {
      var members = replies[name] ?? Self.usual[name] ?? ""
      var kept = request
      if name == "openSession" {
        lastSession += 1
        members = "\"session\":\(lastSession)"
        if case .object(let all) = request {
          kept = .object(all + [JSONMember(name: "session", value: .integer(lastSession))])
        }
      }
      seen.append(kept)
      guard !members.hasPrefix("error:") else {
        return "{\"type\":\"error\",\"id\":\(id),\(members.dropFirst(6))}"
      }
      return "{\"type\":\"answer\",\"id\":\(id)\(members.isEmpty ? "" : ",")\(members)}"
    }
    send(line, client)
  }

  private static let usual = [
    "authorization":
      #""authorization":"authorizedAlways","number":3,"accuracy":"fullAccuracy""#,
    "requestLocation": "\"fix\":\(fix(47, 8))",
    "regions": #""regions":[]"#,
    "record": #""record":{"identifier":"home","state":"satisfied"}"#,
  ]

  static func fix(_ latitude: Double, _ longitude: Double) -> String {
    """
    {"type":"fix","time":"2026-10-14T05:06:07.250Z","mode":3,"status":"simulated",\
    "lat":\(latitude),"lon":\(longitude),"alt_msl":500.5,"alt_hae":548.5,"speed":1.5,\
    "track":90,"eph":3.5,"epv":6,"eps":0.2,"epd":4}
    """
  }

  private func send(_ line: String, _ client: CInt) {
    let bytes = Array((line + "\n").utf8)
    _ = Glibc.send(client, bytes, bytes.count, CInt(MSG_NOSIGNAL))
  }
}
