import Bytes
import FixLog
import GNSS
import GNSSWire
import ReceiverControl
import ReceiverSimulator
import Testing

@testable import BinnacleDaemon

/// Probe, identify, configure, sleep, wake and fix, through the daemon's core, against every kind
/// of simulated receiver.
@Suite("Receiver cycle") struct ReceiverCycleTests {
  static let kinds: [(String, ChipFamily, String)] = [
    ("ublox-m10", .ublox, "MAX-M10S"), ("ublox-m8", .ublox, "NEO-M8N-0"),
    ("ublox-f9", .ublox, "ZED-F9P"), ("mtk3339", .mediatek, "PA6H"), ("l76k", .casic, "L76K"),
    ("lc29h", .airoha, "LC29HDANR11A03S"), ("mtk3333", .mediatek, "MT3333"),
    ("teseo-liv3f", .teseo, "Teseo"), ("unicore", .unicore, "UC6580"),
    ("allystar", .allystar, ""), ("skytraq", .skytraq, ""), ("sirf", .unknown, ""),
    ("generic-nmea", .unknown, ""),
    ("clone-relabelled", .ublox, "NEO-M8N-0"), ("clone-without-effect", .ublox, "u-blox 8"),
    ("clone-atgm336h", .casic, "ATGM336H"), ("clone-read-only", .unknown, ""),
  ]
  /// Those that can be sent to sleep.
  static let obedient = [
    "ublox-m10", "ublox-m8", "ublox-f9", "mtk3339", "l76k", "lc29h", "mtk3333", "teseo-liv3f",
  ]

  static func kind(_ name: String) throws -> SimulatedReceiverKind {
    try #require(SimulatedReceiverKind.named(name))
  }

  /// Runs until it is identified, and configured where it can be.
  static func settled(_ name: String, demand: Demand? = Demand(tier: .bestForNavigation))
    throws -> SimulatedBoard
  {
    var board = try SimulatedBoard(try kind(name), demand: demand)
    board.run(.seconds(180)) { board in
      board.pilot?.isSettled ?? false
    }
    return board
  }

  @Test("each kind is identified", arguments: kinds)
  func identify(name: String, family: ChipFamily, model: String) throws {
    let board = try Self.settled(name)
    let found = try #require(board.pilot?.knownModel)
    #expect(found.family == family)
    #expect(found.name == model)
  }

  @Test(
    "status tells the antenna's state and the line's errors",
    arguments: ["ublox-m10", "ublox-m8", "ublox-f9"])
  func health(name: String) throws {
    var board = try SimulatedBoard(try Self.kind(name))
    board.wire.errors = LineErrors(frame: 70, overrun: .max)
    #expect(board.run(.seconds(240)) { $0.pilot?.health.antenna == .ok })
    board.wire.errors = LineErrors(frame: 73, overrun: 1)
    board.run(.seconds(3))
    let status = board.core.members(of: 0, at: board.clocks)
    func number(_ name: String) -> Int64? { status.first { $0.name == name }?.value.integer }
    #expect(status.contains(JSONMember(name: "antenna", value: .string("ok"))))
    #expect(number("framingErrors") == 3)
    #expect(number("overruns") == 2)
    #expect(try #require(number("openFor")) > 0)
    #expect(try #require(number("bytes")) > 0)
  }

  @Test("each obedient kind is configured and navigates on, without a pause", arguments: obedient)
  func configure(name: String) throws {
    var board = try Self.settled(name)
    let report = try #require(board.pilot?.configuration)
    #expect(report.isComplete, "\(report.lines)")
    #expect(board.pilot?.degradations == [])
    #expect(board.baud == board.receiver.baud)
    #expect(board.run(.seconds(120)) { $0.fixCount > 20 }, "\(board.said)")
    let count = board.fixCount
    board.run(.seconds(60))
    #expect(board.fixCount >= count + 55)
    #expect(board.pilot?.sleeping == nil)
  }

  @Test(
    "each obedient kind sleeps between fixes when that is enough, and each gap says so",
    arguments: obedient)
  func cycle(name: String) throws {
    var board = try Self.settled(name, demand: Demand(tier: .kilometer))
    let method = try #require(board.pilot?.sleepMethod)
    #expect(board.run(.seconds(300)) { $0.pilot?.sleeping != nil }, "\(board.said)")
    #expect(board.pilot?.sleeping?.method == method)
    let count = board.fixCount
    #expect(board.run(.seconds(1200)) { $0.fixCount > count }, "\(board.said)")
    #expect(board.pilot?.degradations == [], "\(board.said)")
    let gap = board.events.last { $0.kind == .gap }
    #expect(gap?[.reason] == .text("asleep"))
    #expect(board.events.contains { $0.kind == .power })
    #expect(!board.events.contains { $0.kind == .detach })
    #expect(board.openCount == 1)
  }

  @Test("nothing is wanted: it sleeps; something is: it wakes and has a fix", arguments: obedient)
  func demand(name: String) throws {
    var board = try Self.settled(name, demand: nil)
    #expect(board.run(.seconds(60)) { $0.pilot?.sleeping != nil }, "\(board.said)")
    board.run(.seconds(200))
    board.perform(board.core.want(Demand(tier: .bestForNavigation), at: board.clocks))
    #expect(board.run(.seconds(400)) { $0.hasRecentFix }, "\(board.said)")
    board.run(.seconds(30))
    #expect(board.hasRecentFix)
  }

  @Test("a log that is replayed answers nothing, and is used as it is, undisturbed")
  func passive() throws {
    var board = try SimulatedBoard(try Self.kind("generic-nmea"))
    board.run(.seconds(120))
    #expect(board.said.contains { $0.holds("used as it is") })
    #expect(board.fixCount > 15)
    let asked = board.written.count
    board.run(.seconds(600))
    #expect(board.written.count == asked)
    #expect(!board.events.contains { $0.kind == .power })
  }

  @Test("with 'configure = no' not one byte goes to the receiver", arguments: obedient)
  func configuredPassive(name: String) throws {
    var entry = Configuration.Receiver(name: SimulatedBoard.node)
    entry.mayConfigure = false
    var board = try SimulatedBoard(
      try Self.kind(name), configured: entry, demand: Demand(tier: .kilometer))
    board.run(.seconds(300))
    board.perform(
      board.core.passThrough(
        ReceiverCommand.ubxStop.bytes, to: SimulatedBoard.node, at: board.clocks))
    board.run(.seconds(300))
    #expect(board.written.isEmpty)
    #expect(board.hasRecentFix)
  }

  @Test("what was learned is verified at the next start, not searched for again")
  func remembered() throws {
    let first = try Self.settled("l76k")
    #expect(first.files.keys.contains { $0.hasSuffix(".facts") })
    var second = try SimulatedBoard(try Self.kind("l76k"), memories: first.files)
    second.run(.seconds(60)) { $0.pilot?.isSettled ?? false }
    let probes = second.written.prefix(2).map { String(decoding: $0.prefix(7), as: UTF8.self) }
    #expect(probes.first == "$PCAS06", "\(probes)")
    #expect(second.pilot?.knownModel?.name == "L76K")
  }

  @Test("restored by order it is as it was found, and left alone", arguments: ["ublox-m8", "l76k"])
  func restore(name: String) throws {
    var board = try Self.settled(name)
    let before = SimulatedReceiver(
      try Self.kind(name), profile: try SimulatedBoard.profile(try Self.kind(name).profile),
      journey: .board, clockStart: SimulatedBoard.start)
    board.perform(board.core.tell(.order(.restore), 0, at: board.clocks))
    #expect(board.run(.seconds(120)) { $0.said.contains { $0.holds("restore: done") } })
    #expect(board.receiver.baud == before.baud)
    let asked = board.written.count
    board.run(.seconds(600))
    #expect(board.written.count == asked)
    #expect(board.hasRecentFix)
  }

  @Test("a cold start by order ends in a fix", arguments: obedient)
  func restart(name: String) throws {
    var board = try Self.settled(name)
    board.perform(board.core.tell(.order(.restart(.cold)), 0, at: board.clocks))
    #expect(board.run(.seconds(60)) { $0.said.contains { $0.holds("restart --cold: done") } })
    #expect(board.run(.seconds(120)) { $0.hasRecentFix })
  }
}
