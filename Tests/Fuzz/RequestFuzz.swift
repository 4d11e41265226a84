import Bytes
import GNSS

@testable import GPSDProtocol

/// Requests come to the same, however TCP cuts them; and four clients, who send pieces of them, are
/// cut off and come again while receivers report, get well-formed answers.
enum RequestFuzz {
  static func run(_ input: ByteView) {
    cut(input)
    var talk = Talk()
    var start = 0
    for index in input.indices {
      guard let event = Talk.Event(rawValue: input[index]) else { continue }
      talk.say(input.extracting(start..<index))
      talk.happen(event)
      start = index + 1
    }
    talk.say(input.extracting(start..<input.count))
    talk.finish()
  }

  private static func cut(_ input: ByteView) {
    var assembler = RequestAssembler()
    let whole = assembler.take(input)
    var cutter = RequestAssembler()
    var pieces: [Result<Request, RequestError>] = []
    for index in input.indices {
      pieces.append(contentsOf: cutter.take(input.extracting(index..<index + 1)))
    }
    precondition(whole == pieces, "the cut changed a request")
  }
}

/// A hub between its clients and its receivers, and what must hold of all that it orders.
private struct Talk {
  /// What the bytes that begin no character stand for; all others are sent by the client whose turn
  /// it is, up to the next of these.
  enum Event: UInt8 {
    case firstClient = 0x80
    case secondClient, thirdClient, fourthClient
    case clientVanishes, rightsChange
    case epoch, epochOfOther, bytes
    case second, tenSeconds
    case sleep, wake, removed, added
    case cut
  }

  private static let paths = ["/dev/ttyACM0", "/dev/ttyUSB0"]
  private static let rights: [GPSDHub.Rights] = [
    .init(access: .full, mayWrite: true), .init(access: .full, mayWrite: false),
    .init(access: .reduced, mayWrite: false), .init(access: .denied, mayWrite: false),
  ]
  private static let sentence = Array("$GPRMC,,V,,,,,,,,,,N*53\r\n".utf8)

  private var hub = GPSDHub(release: "fuzz") { epoch in
    var reduced = epoch
    (reduced.fix.position, reduced.satellites) = (Coordinate(latitude: 1, longitude: 2), [])
    return reduced
  }
  private var now = GPSDHub.Now(
    boottime: Monotonic(nanoseconds: 1_000_000_000), utc: UTCTime(seconds: 1_800_000_000))
  private var clients: [(id: GPSDHub.ClientID, rights: Int, hasSession: Bool)] = []
  private var turn = 0
  private var lastID: UInt32 = 0

  init() {
    for path in Self.paths { add(path) }
    for place in Self.rights.indices { connect(at: place, rights: place) }
  }

  mutating func say(_ text: ByteView) {
    guard !text.isEmpty else { return }
    check(hub.received(text, from: clients[turn].id, at: now))
  }

  mutating func happen(_ event: Event) {
    switch event {
    case .firstClient, .secondClient, .thirdClient, .fourthClient:
      turn = Int(event.rawValue - Event.firstClient.rawValue)
    case .clientVanishes:
      let (id, rights, _) = clients[turn]
      check(hub.disconnected(id))
      precondition(!clients[turn].hasSession, "a session outlived its client")
      connect(at: turn, rights: rights)
    case .rightsChange:
      clients[turn].rights = (clients[turn].rights + 1) % Self.rights.count
      check(hub.rightsChanged(clients[turn].id, to: Self.rights[clients[turn].rights]))
    case .epoch: report(from: Self.paths[0])
    case .epochOfOther: report(from: Self.paths[1])
    case .bytes: check(Self.sentence.withByteView { hub.bytes($0, from: Self.paths[0]) })
    case .second: wait(.seconds(1))
    case .tenSeconds: wait(.seconds(10))
    case .sleep: hub.device(Self.paths[0], isAsleep: true, at: now)
    case .wake: hub.device(Self.paths[0], isAsleep: false, at: now)
    case .removed: check(hub.removed(path: Self.paths[0]))
    case .added: add(Self.paths[0])
    case .cut: break
    }
  }

  mutating func finish() {
    precondition(hub.clientCount == clients.count)
    precondition(hub.watchingCount == clients.count { $0.hasSession }, "sessions differ")
  }

  // MARK: What happens

  private mutating func connect(at place: Int, rights: Int) {
    lastID += 1
    let client = (id: GPSDHub.ClientID(lastID), rights: rights, hasSession: false)
    if place < clients.count { clients[place] = client } else { clients.append(client) }
    check(hub.connected(client.id, dialect: .gpsd, rights: Self.rights[rights]))
  }

  private mutating func add(_ path: String) {
    var device = GPSDDevice(path: path, activated: now.utc)
    (device.driver, device.aliases) = ("u-blox", ["\"\u{1}\\"])
    check(hub.added(device))
  }

  private mutating func report(from path: String) {
    var epoch = Epoch()
    (epoch.fix.mode, epoch.fix.time) = (.threeD, now.utc)
    epoch.fix.position = Coordinate(latitude: -49.5, longitude: 70.25)
    epoch.fix.errorStatistics = ErrorStatistics()
    epoch.satellites = [Satellite(constellation: .gps, svid: 5)]
    epoch.satellitesAreFresh = true
    (epoch.firstByte, epoch.lastByte) = (now.boottime, now.boottime)
    check(hub.epoch(epoch, from: path, at: now))
  }

  private mutating func wait(_ span: Duration) {
    let end = now.boottime + span
    while let deadline = hub.deadline, deadline <= end {
      advance(to: max(deadline, now.boottime))
      check(hub.timer(at: now))
      precondition(hub.deadline.map { $0 > now.boottime } ?? true, "no progress")
    }
    advance(to: end)
  }

  private mutating func advance(to instant: Monotonic) {
    now.utc = now.utc + (instant - now.boottime)
    now.boottime = instant
  }

  // MARK: What must hold

  private mutating func check(_ commands: [GPSDHub.Command]) {
    for command in commands {
      switch command {
      case .send(let ids, let bytes): check(bytes, for: ids)
      case .close: preconditionFailure("there was room for all")
      case .beginSession(let id, _):
        let place = place(of: id)
        precondition(Self.rights[clients[place].rights].access != .denied)
        clients[place].hasSession = true
      case .endSession(let id):
        let place = place(of: id)
        precondition(clients[place].hasSession, "a session ended twice")
        clients[place].hasSession = false
      case .write(let path, let bytes):
        precondition(Self.rights[clients[turn].rights].mayWrite && Self.paths.contains(path))
        precondition(!bytes.isEmpty)
      }
    }
  }

  /// Whole reports in a send, a line each; their text is anybody's, their form is not.
  private func check(_ bytes: [UInt8], for ids: [GPSDHub.ClientID]) {
    precondition(!ids.isEmpty && zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
    for id in ids { _ = place(of: id) }
    precondition(bytes.count > 2 && bytes[bytes.count - 2] == 0x0d && bytes.last == 0x0a)
    for line in bytes.dropLast().split(separator: 0x0a, omittingEmptySubsequences: false)
    where line.first == UInt8(ascii: "{") {
      precondition(line.last == 0x0d)
      precondition(Self.objectEnd(line.dropLast()) == line.count - 1, "not one object")
    }
  }

  /// Where the braces are even: a reader of JSON would take most of the time of a run.
  private static func objectEnd(_ bytes: ArraySlice<UInt8>) -> Int? {
    var (depth, isString, isEscaped) = (0, false, false)
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case 0..<0x20: return nil
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\"): isEscaped = isString
      case UInt8(ascii: "\""): isString.toggle()
      case _ where isString: break
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}"): depth -= 1
      default: break
      }
      if depth == 0 { return index + 1 }
    }
    return nil
  }

  private func place(of id: GPSDHub.ClientID) -> Int {
    guard let place = clients.firstIndex(where: { $0.id == id }) else {
      preconditionFailure("an order for a client that has gone")
    }
    return place
  }
}
