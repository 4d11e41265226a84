import GNSS
import GNSSWire
import Testing

@testable import ReceiverControl

/// Drives an identification against a table of answers under a simulated clock.
struct IdentificationBench {
  var machine: Identification
  /// What the receiver sends each second by itself.
  var chatter: [Heard] = []
  /// The answers to a question, by the question's bytes.
  var answers: [[UInt8]: [Heard]] = [:]
  var sent: [[UInt8]] = []
  var now = Monotonic.zero

  init(_ port: Identification.Port, remembered: ReceiverModel? = nil) {
    machine = Identification(port: port, remembered: remembered)
  }

  /// Runs to the end and fails where it finds nothing.
  mutating func found() throws -> (model: ReceiverModel, isRemembered: Bool) {
    let found = run()
    return try #require(found)
  }

  /// Runs to the end; `nil` where it finds nothing.
  mutating func run() -> (model: ReceiverModel, isRemembered: Bool)? {
    var deadline = Monotonic.never
    var queue = machine.handle(.start, at: now)
    for _ in 0..<10_000 {
      while !queue.isEmpty {
        switch queue.removeFirst() {
        case .send(let command):
          sent.append(command.bytes)
          for heard in answers[command.bytes] ?? [] {
            queue += machine.handle(.heard(heard), at: now)
          }
        case .armTimer(let instant): deadline = instant
        case .identified(let model, let isRemembered): return (model, isRemembered)
        case .silent: return nil
        }
      }
      now = min(deadline, now + .milliseconds(400))
      for heard in chatter { queue += machine.handle(.heard(heard), at: now) }
      if now >= deadline { queue += machine.handle(.timerFired, at: now) }
    }
    Issue.record("never ends")
    return nil
  }
}

/// A UBX-MON-VER payload.
func versionPayload(_ software: String, _ hardware: String, _ extensions: [String]) -> [UInt8] {
  func padded(_ text: String, _ count: Int) -> [UInt8] {
    Array(text.utf8) + [UInt8](repeating: 0, count: count - text.utf8.count)
  }
  return padded(software, 30) + padded(hardware, 10) + extensions.flatMap { padded($0, 30) }
}

@Suite("UBX version") struct UBXVersionTests {
  /// Texts as public logs of these receivers have them.
  static let versions: [(String, String, [String], UBXVersion.Generation, Int)] = [
    ("5.00", "00040005", [], .five, 1100), ("7.03 (45969)", "00040007", [], .six, 1300),
    ("1.00 (59842)", "00070000", ["PROTVER 14.00", "GPS;SBAS;GLO;QZSS"], .seven, 1400),
    ("EXT CORE 3.01 (107888)", "00080000", ["FWVER=SPG 3.01", "PROTVER=18.00"], .eight, 1800),
    ("EXT CORE 1.00 (61b2dd)", "00190000", ["FWVER=HPG 1.13", "PROTVER=27.12"], .nine, 2712),
    ("ROM SPG 5.10 (7b202e)", "000A0000", ["FWVER=SPG 5.10", "PROTVER=34.10"], .ten, 3410),
  ]

  @Test("generations and protocol versions", arguments: versions)
  func generation(
    software: String, hardware: String, extensions: [String], generation: UBXVersion.Generation,
    protocolVersion: Int
  ) throws {
    let payload = versionPayload(software, hardware, extensions)
    let version = try #require(UBXVersion(payload: payload))
    #expect(version.generation == generation)
    #expect(version.protocolVersion == protocolVersion)
    #expect(version.usesKeys == (generation >= .nine))
  }

  @Test("a module that claims more than its chip is told")
  func relabelled() throws {
    let payload = versionPayload("7.03 (45969)", "00040007", ["MOD=NEO-M8N-0"])
    #expect(try #require(UBXVersion(payload: payload)).isRelabelled)
    let genuine = versionPayload("EXT CORE 3.01", "00080000", ["MOD=NEO-M8N-0", "FIS=0xEF4015"])
    let version = try #require(UBXVersion(payload: genuine))
    #expect(!version.isRelabelled)
    #expect(version.hasFlash)
  }

  @Test("torn payloads are refused", arguments: [0, 39, 41, 69, 71])
  func torn(count: Int) {
    #expect(UBXVersion(payload: [UInt8](repeating: 0, count: count)) == nil)
  }
}

@Suite("Identification") struct IdentificationTests {
  static let rmc = Heard.sentence("GNRMC,,V,,,,,,,,,,N")
  static let assigned = Identification.Port(baud: 9600, mayAsk: true, isAssigned: true)
  static let version = versionPayload(
    "ROM SPG 5.10 (7b202e)", "000A0000", ["FWVER=SPG 5.10", "PROTVER=34.10", "MOD=MAX-M10S"])

  static let families: [(ReceiverCommand, Heard, ChipFamily, String)] = [
    (.poll(.monVER), .ubx(.monVER, payload: version), .ublox, "MAX-M10S"),
    (MTK.queryRelease, .sentence("PMTK705,AXN_5.1.7,0027,PA1616S,1.0"), .mediatek, "PA1616S"),
    (Airoha.queryVersion, .sentence("PAIR021,AG3335A_V2.5,S"), .airoha, "AG3335A_V2.5"),
    (CASIC.queryHardware, .sentence("GPTXT,01,01,02,HW=ATGM336H,0"), .casic, "ATGM336H"),
    (Quectel.queryVersion, .sentence("PQTMVERNO,LC86G,2023"), .quectel, "LC86G"),
    (OtherFamilies.unicore, .sentence("PDTINFO,UC6580,G1B1,V1,R3.2"), .unicore, "UC6580"),
    (Teseo.queryVersion, .sentence("PSTMVER,BINIMG_4.6.1_ARM"), .teseo, "Teseo"),
    (
      OtherFamilies.allystar, .frames(.allystar), .allystar, ""
    ),
    (
      OtherFamilies.skyTraq, .frames(.skytraq), .skytraq, ""
    ),
  ]

  @Test("finds each family by its answer", arguments: families)
  func find(
    question: ReceiverCommand, answer: Heard, family: ChipFamily, name: String
  ) throws {
    var bench = IdentificationBench(Self.assigned)
    bench.chatter = [Self.rmc]
    bench.answers[question.bytes] = [answer]
    let found = try bench.found()
    #expect(found.model.family == family)
    #expect(found.model.name == name)
    #expect(!found.isRemembered)
  }

  @Test("asks nothing that changes a state, one question at a time, where nothing answers")
  func harmless() throws {
    var bench = IdentificationBench(.init(baud: 9600, mayAsk: true, isAssigned: false))
    bench.chatter = [Self.rmc]
    let found = try bench.found()
    #expect(found.model.family == .unknown)
    #expect(found.model.traits == [.readOnly])
    #expect(bench.sent.count == Probe.sweep.count + 1)
    #expect(!bench.sent.contains(Airoha.keepAwake.bytes))
    #expect(bench.now - .zero < .seconds(20))
  }

  @Test("writes nothing to a port that may not be asked")
  func passive() throws {
    var bench = IdentificationBench(.init(baud: 9600, mayAsk: false, isAssigned: false))
    bench.chatter = [Self.rmc, .sentence("GPTXT,01,01,02,IC=AT6558-5N-31-0C510800")]
    let found = try bench.found()
    #expect(found.model.family == .casic)
    #expect(found.model.traits.isEmpty)
    #expect(bench.sent.isEmpty)
  }

  @Test("SiRF is known by its frames and never asked")
  func sirf() throws {
    var bench = IdentificationBench(Self.assigned)
    bench.chatter = [.frames(.sirf)]
    let found = try bench.found()
    #expect(found.model.family == .sirf)
    #expect(bench.sent.isEmpty)
  }

  @Test("a silent line is given up soon, after a try to wake an Airoha core")
  func silent() {
    var bench = IdentificationBench(Self.assigned)
    #expect(bench.run() == nil)
    #expect(bench.sent.filter { $0 == Airoha.keepAwake.bytes }.count == Identification.wakeCount)
    #expect(bench.now - .zero < .seconds(17))
  }

  @Test("a remembered receiver is verified by its own question first")
  func remembered() throws {
    var first = IdentificationBench(Self.assigned)
    first.chatter = [Self.rmc]
    first.answers[CASIC.queryHardware.bytes] = [Self.families[3].1]
    let model = try first.found().model
    var second = IdentificationBench(Self.assigned, remembered: model)
    second.chatter = first.chatter
    second.answers = first.answers
    let again = try second.found()
    #expect(again.isRemembered)
    #expect(second.sent.first == CASIC.queryFirmware.bytes)
    #expect(second.sent.count < first.sent.count)
  }

  @Test("a CASIC chip that half-answers as u-blox is treated as what it is")
  func imitation() throws {
    var bench = IdentificationBench(Self.assigned)
    bench.chatter = [Self.rmc]
    bench.answers[ReceiverCommand.poll(.monVER).bytes] = [.ubx(.monVER, payload: [1, 2, 3])]
    bench.answers[CASIC.queryFirmware.bytes] = [
      .sentence("GPTXT,01,01,02,SW=URANUS5,V5.3.0.0")
    ]
    let found = try bench.found()
    #expect(found.model.family == .casic)
    #expect(found.model.firmware == "URANUS5")
    #expect(found.model.traits == [.imitatesUBlox])
  }

  @Test("the unique id names the owner of a saved database")
  func uniqueID() throws {
    var bench = IdentificationBench(Self.assigned)
    bench.answers[ReceiverCommand.poll(.monVER).bytes] = [.ubx(.monVER, payload: Self.version)]
    bench.answers[ReceiverCommand.poll(.secUNIQID).bytes] = [
      .ubx(.secUNIQID, payload: [1, 0, 0, 0, 0xe0, 0x0f, 0x01, 0x02, 0x03])
    ]
    let found = try bench.found()
    #expect(found.model.uniqueID == "e00f010203")
    #expect(found.model.databaseOwner == "e00f010203 SPG 5.10")
  }
}
