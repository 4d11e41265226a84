import Bytes
import GNSS
import GNSSWire
import Testing

@testable import ReceiverControl

@Suite("Aiding") struct AidingTests {
  static let noon = UTCTime(seconds: 1_777_896_000)  // 2026-05-04T12:00:00Z

  static func model(_ family: ChipFamily) -> ReceiverModel {
    var model = ReceiverModel(family: family)
    if family == .ublox {
      model.ublox = UBXVersion(payload: versionPayload("EXT", "00080000", ["PROTVER=18.00"]))
      (model.uniqueID, model.firmware) = ("0102030405", "SPG 3.01")
    }
    return model
  }

  static func fix(accuracy: Double) -> Fix {
    var fix = Fix()
    fix.mode = .threeD
    fix.position = Coordinate(latitude: 48.1, longitude: -11.5)
    fix.horizontalAccuracy = accuracy
    fix.altitudeEllipsoid = 546
    return fix
  }

  @Test("an unset clock tells no time, a battery-backed one by its drift")
  func clock() throws {
    #expect(Aiding.time(Self.noon, clock: .unset) == nil)
    let disciplined = Aiding.time(Self.noon, clock: .disciplined(error: .milliseconds(3)))
    #expect(disciplined?.accuracy == .seconds(1))
    let backed = Aiding.time(Self.noon, clock: .batteryBacked(age: .seconds(864_000)))
    #expect(backed?.accuracy == .seconds(22))
  }

  /// hAcc, age in seconds, and the largest honest claim: max(hAcc, 100) + 40 m/s x age.
  static let positions: [(Double, Int64, Double?)] = [
    (5, 0, 100), (500, 60, 2900), (5, 7000, 280_100), (5, 8000, nil), (5, 700_000, nil),
    (5, -1, nil),
  ]

  @Test("an old position claims no more than was possible since", arguments: positions)
  func position(accuracy: Double, age: Int64, expected: Double?) {
    let position = Aiding.position(
      of: Self.fix(accuracy: accuracy), age: .seconds(age), activity: .automotiveNavigation)
    #expect(position?.accuracy == expected)
  }

  @Test("UBX frames carry time and position as specified")
  func ubx() throws {
    let time = Aiding.Time(utc: Self.noon, accuracy: .milliseconds(1500))
    let position = try #require(
      Aiding.position(of: Self.fix(accuracy: 5), age: .zero, activity: .fitness))
    let commands = Aiding.commands(for: Self.model(.ublox), time: time, position: position)
    try #require(commands.count == 2)
    // Type 0x10, leap seconds unknown, 2026-05-04 12:00:00, 1 s + 500,000,000 ns.
    let expected = FrameArithmetic.bytes(
      "10 00 00 80 EA 07 05 04 0C 00 00 00 00 00 00 00 01 00 00 00 00 65 CD 1D")
    #expect(Array(commands[0].bytes[6..<30]) == expected)
    #expect(FrameArithmetic.hasFletcher(commands[0].bytes))
    // 481000000, -115000000 in 1e-7 degrees; 54600 cm; 10000 cm.
    let place = FrameArithmetic.bytes(
      "01 00 00 00 40 7A AB 1C 40 3D 25 F9 48 D5 00 00 10 27 00 00")
    #expect(Array(commands[1].bytes[6..<26]) == place)
    #expect(
      commands[0].verdict(of: .ubx(.mgaACK, payload: [1, 0, 0, 0x40, 0, 0, 0, 0])) == .accepted)
    #expect(
      commands[0].verdict(of: .ubx(.mgaACK, payload: [0, 0, 1, 0x40, 0, 0, 0, 0])) == .refused)
  }

  @Test("text families get sentences")
  func text() throws {
    let time = Aiding.Time(utc: Self.noon, accuracy: .seconds(1))
    let position = try #require(
      Aiding.position(of: Self.fix(accuracy: 5), age: .zero, activity: .fitness))
    let mtk = Aiding.commands(for: Self.model(.mediatek), time: time, position: position)
    #expect(
      mtk.map(\.bytes) == [
        FrameArithmetic.sentence("PMTK740,2026,05,04,12,00,00"),
        FrameArithmetic.sentence("PMTK741,48.100000,-11.500000,546.0,2026,05,04,12,00,00"),
      ])
    let airoha = Aiding.commands(for: Self.model(.airoha), time: time, position: position)
    #expect(
      airoha.map(\.bytes) == [
        FrameArithmetic.sentence("PAIR590,2026,05,04,12,00,00"),
        FrameArithmetic.sentence("PAIR600,48.100000,-11.500000,546.0,100.0,100.0,0,100.0"),
      ])
    let vague = Aiding.Time(utc: Self.noon, accuracy: .seconds(5))
    #expect(Aiding.commands(for: Self.model(.airoha), time: vague, position: nil).isEmpty)
    #expect(Aiding.commands(for: Self.model(.unknown), time: time, position: position).isEmpty)
  }
}

@Suite("Navigation database") struct NavigationDatabaseTests {
  static let database = NavigationDatabase(
    owner: "0102030405 SPG 3.01", savedAt: AidingTests.noon,
    messages: [[1, 2, 3], [], [UInt8](repeating: 7, count: 248)])

  @Test("comes back as it was saved; any changed or missing byte is noticed")
  func file() {
    let bytes = Self.database.encoded
    #expect(bytes.withByteView { NavigationDatabase(encoded: $0) } == Self.database)
    for index in bytes.indices {
      var broken = bytes
      broken[index] ^= 0x40
      #expect(broken.withByteView { NavigationDatabase(encoded: $0) } == nil)
      #expect(Array(bytes[..<index]).withByteView { NavigationDatabase(encoded: $0) } == nil)
    }
  }

  @Test("is for the same receiver with the same firmware, and for two weeks")
  func owner() {
    let model = AidingTests.model(.ublox)
    let later = AidingTests.noon + .seconds(14 * 86_400)
    #expect(Self.database.isFor(model, at: later))
    #expect(!Self.database.isFor(model, at: later + .seconds(1)))
    #expect(!Self.database.isFor(model, at: AidingTests.noon + .seconds(-1)))
    var other = model
    other.firmware = "SPG 5.10"
    #expect(!Self.database.isFor(other, at: later))
  }

  @Test("is asked for once and ends with the receiver's last word")
  func save() {
    var transfer = DatabaseTransfer()
    let first = transfer.handle(.start, at: .zero)
    #expect(first.first == .send(.poll(.mgaDBD)))
    for message in Self.database.messages {
      #expect(transfer.handle(.heard(.ubx(.mgaDBD, payload: message)), at: .zero).isEmpty)
    }
    let end = transfer.handle(
      .heard(.ubx(.mgaACK, payload: [1, 0, 0, 0x80, 3, 0, 0, 0])), at: .zero)
    #expect(end == [.saved(Self.database.messages)])
  }

  @Test("is given back one message at a time; a silent receiver ends it")
  func restore() {
    var transfer = DatabaseTransfer(restoring: Self.database)
    var sent = transfer.handle(.start, at: .zero)
    let acknowledged = Heard.ubx(.mgaACK, payload: [1, 0, 0, 0x80, 0, 0, 0, 0])
    sent += transfer.handle(.heard(acknowledged), at: .zero)
    #expect(sent.count == 4)
    var now = Monotonic.zero
    var end: [DatabaseTransfer.Command] = []
    for _ in 0..<Exchange.triesMax {
      now = now + DatabaseTransfer.restorePatience
      end = transfer.handle(.timerFired, at: now)
    }
    #expect(end == [.restored(1)])
  }
}
