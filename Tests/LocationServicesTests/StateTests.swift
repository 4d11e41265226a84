import Bytes
import GNSS
import Testing

@testable import LocationServices

@Suite("State file") struct StateTests {
  static let place = Place(Coordinate(latitude: -49.34, longitude: 70.22), accuracy: 3.5)
  static let visit = Visit(
    coordinate: place.position, horizontalAccuracy: 4, arrival: .test(0), departure: .test(600))

  static let entries: [StateEntry] = {
    var session = SessionOptions()
    session.services = [.updates, .visits]
    (session.tier, session.filter, session.activity) = (.kilometer, .distance(12.5), .fitness)
    (session.isStanding, session.name, session.purpose) = (true, "nächtlich", "zu finden")
    var options = RegionOptions()
    options.notifiesExit = false
    let circle = RegionRecord(
      identifier: "home", shape: .circle(centre: place.position, radius: 50), options: options,
      state: .satisfied, changed: .test(7), anchor: place)
    let corners = [(0.0, 179.0), (0, -179), (1, 180)].map {
      Coordinate(latitude: $0.0, longitude: $0.1)
    }
    let polygon = RegionRecord(
      identifier: "area", shape: .polygon(corners), options: RegionOptions(), state: .unknown)
    let crossing = ServiceEvent.Content.region(
      monitor: "m", identifier: "home", state: .unsatisfied, place)
    return [
      .monitor(1, name: "m", .pi), .monitorRemoved(2), .region(1, circle), .region(1, polygon),
      .regionRemoved(1, identifier: "old"),
      .event(ServiceEvent(sequence: 300, time: .test(5), content: crossing), monitor: 1),
      .event(ServiceEvent(sequence: 301, time: nil, content: .arrival(visit)), monitor: 0),
      .event(ServiceEvent(sequence: .max, time: nil, content: .departure(visit)), monitor: 0),
      .logged(through: 299), .stay(nil), .stay(visit), .visiting(visit), .session(session, .guest),
      .sessionRemoved(Owner(userID: 7, clientName: "map"), name: "x"),
      .grant(.user("pi"), Verdict(.always)), .grant(.group("users"), nil),
      .grant(.client("map"), Verdict(.allow, isReduced: true, mayAskFullAccuracy: true)),
      .enabled(false), .enabled(nil),
    ]
  }()

  private static func file(_ entries: [StateEntry]) -> [UInt8] {
    entries.reduce(StateJournal.header()) { $0 + StateJournal.frame([$1]) }
  }

  private static func read(_ bytes: [UInt8]) throws -> StateJournal.Contents {
    try bytes.withByteView { try StateJournal.read($0) }
  }

  @Test("every entry comes back")
  func roundTrip() throws {
    let contents = try Self.read(Self.file(Self.entries))
    #expect(contents.entries == Self.entries)
    #expect(contents.damagedByteCount == 0)
    #expect(try Self.read([]).entries.isEmpty)
  }

  @Test("cut anywhere, the whole frames before the cut come back")
  func cut() throws {
    let file = Self.file(Self.entries)
    var ends = [StateJournal.headerByteCount]
    for entry in Self.entries { ends.append((ends.last ?? 0) + StateJournal.frame([entry]).count) }
    for length in 0..<file.count {
      let contents = try Self.read(Array(file.prefix(length)))
      let whole = ends.filter { $0 <= length }.count - 1
      #expect(contents.entries == Array(Self.entries.prefix(max(whole, 0))))
      let end = whole >= 0 ? ends[whole] : 0
      #expect(contents.damagedByteCount == length - end)
    }
  }

  @Test("a flipped bit never makes another entry")
  func flipped() {
    let file = Self.file(Self.entries)
    for index in file.indices {
      var damaged = file
      damaged[index] ^= 1 << (index % 8)
      guard let contents = try? Self.read(damaged) else { continue }
      #expect(Self.entries.starts(with: contents.entries))
      #expect(contents.damagedByteCount > 0)
    }
  }

  @Test("other files, other versions and unknown entries are errors that say what to do")
  func foreign() {
    func error(_ bytes: [UInt8]) -> StateError? {
      do {
        _ = try Self.read(bytes)
        return nil
      } catch {
        return error as? StateError
      }
    }
    #expect(error(Array("<?xml version='1.0'?>".utf8)) == .notAState)
    #expect(error(Array("BIN".utf8)) == nil)
    #expect(error(Array("BAD".utf8)) == .notAState)
    #expect(error(Array("BINNSTA\u{9}".utf8)) == .unknownVersion(9))
    #expect(StateError.unknownVersion(9).message.contains("version 9"))
  }

  @Test("random bytes in whole frames give entries or an error, never a crash")
  func random() {
    let seed: UInt64 = 31
    var random = SeededRandom(seed: seed)
    var good = Self.file(Self.entries)
    good.removeFirst(StateJournal.headerByteCount)
    for _ in 0..<3000 {
      var payload = (0..<Int(random.next() % 60)).map { _ in
        UInt8(truncatingIfNeeded: random.next())
      }
      if let tag = payload.first { payload[0] = tag % 13 }
      var frame = OutputBuffer()
      frame.append(littleEndian: UInt32(payload.count))
      frame.append(littleEndian: UInt32(0))
      frame.append(bytes: payload)
      var crc = CRC32C()
      frame.withByteView { view in
        crc.update(view.extracting(0..<4))
        crc.update(view.extracting(8..<view.count))
      }
      frame.replace(at: 4, littleEndian: crc.value)
      guard let contents = try? Self.read(StateJournal.header() + frame.bytes) else { continue }
      var service = LocationService(
        policy: .standard, restoring: contents.entries, loggedThrough: 0)
      _ = service.start(at: .test(0))
      _ = service.handle(.fix(.at(Self.place.position, seconds: 1)), at: .test(1))
    }
  }
}
