import GNSS
import GNSSWire
import ReceiverControl
import Testing

@testable import BinnacleDaemon
@testable import ReceiverSimulator

/// What is wrong with receivers for good, and that it ends in a working session or in a report.
@Suite("Receiver faults") struct ReceiverFaultTests {
  static func configured(
    _ name: String, _ faults: Set<SimulatedReceiverKind.Fault>,
    demand: Demand? = Demand(tier: .bestForNavigation)
  ) throws -> SimulatedBoard {
    var board = try PowerCaseTests.board(name, faults, demand: demand)
    board.run(.seconds(180)) { $0.pilot?.isSettled ?? false }
    return board
  }

  @Test("a refused key is found alone, and the others are set")
  func bisect() throws {
    let key = UBXKey.staticHoldDistance
    let board = try Self.configured(
      "ublox-m10", [.lacksKey(key.id)],
      demand: Demand(tier: .bestForNavigation, activity: .fitness))
    let report = try #require(board.pilot?.configuration)
    #expect(report.unsupported == [key])
    #expect(board.receiver.memory.keys[UBXKey.navDynamicModel.id] == 3)
    #expect(report.lines.first { $0.name == "dynamic model" }?.outcome == .refused)
    #expect(board.pilot?.degradations == [.incompletelyConfigured])
  }

  @Test("an acknowledgement that is lost costs a try and no setting", arguments: [2, 3, 5])
  func lostAcknowledgement(every: Int) throws {
    let board = try Self.configured("ublox-m8", [.losesAcknowledgement(every: every)])
    #expect(board.pilot?.configuration?.isComplete ?? false)
  }

  @Test("a receiver that acknowledges and does nothing is found out, and NMEA is left on")
  func withoutEffect() throws {
    var board = try Self.configured("ublox-m10", [.withoutEffect])
    let report = try #require(board.pilot?.configuration)
    #expect(report.lines.first?.outcome == .sent)
    #expect(report.lines.contains { $0.outcome == .withoutEffect })
    #expect(report.lines.first { $0.name == "NMEA off" }?.outcome == .leftOut)
    #expect(board.run(.seconds(120)) { $0.hasRecentFix })
  }

  @Test("a rate that does not work is taken back", arguments: ["ublox-m10", "ublox-m8", "mtk3339"])
  func badBaud(name: String) throws {
    var board = try Self.configured(name, [.cannotChangeBaud])
    #expect(board.pilot?.degradations.contains(.staysSlow) ?? false)
    #expect(board.baud == board.receiver.baud)
    #expect(board.run(.seconds(120)) { $0.hasRecentFix })
  }

  @Test(
    "a receiver that will not sleep stays awake, navigates and is reported",
    arguments: ["mtk3339", "l76k"])
  func neverSleeps(name: String) throws {
    var board = try Self.configured(name, [.neverSleeps], demand: Demand(tier: .kilometer))
    #expect(
      board.run(.seconds(600)) { $0.pilot?.degradations.contains(.cannotSleep) ?? false })
    #expect(board.pilot?.sleepMethod == nil)
    let count = board.fixCount
    #expect(board.run(.seconds(1200)) { $0.fixCount > count + 5 })
  }

  @Test("u-blox falls back to stopping the search where the backup mode fails")
  func fallback() throws {
    var board = try Self.configured(
      "ublox-m10", [.neverSleeps], demand: Demand(tier: .kilometer))
    #expect(board.run(.seconds(600)) { $0.pilot?.sleeping?.method == .ubxStop })
    #expect(!board.receiver.isNavigating)
    let count = board.fixCount
    #expect(board.run(.seconds(1200)) { $0.fixCount > count })
  }

  @Test(
    "pulled out between the order to stop and the proof of it, it is started again",
    arguments: ["lc29h", "ublox-m8"])
  func stoppedUnseen(name: String) throws {
    var board = try PowerCaseTests.board(
      name, isNativeUSB: name == "ublox-m8", demand: Demand(tier: .kilometer))
    let orders = [Airoha.powerOff.bytes, ReceiverCommand.ubxStop.bytes]
    #expect(board.run(.seconds(600)) { board in orders.contains { board.written.contains($0) } })
    #expect(board.pilot?.sleeping == nil)
    board.unplug()
    board.run(.seconds(10))
    board.plugIn()
    let count = board.fixCount
    let isBack = board.run(.seconds(600)) { $0.receiver.isNavigating && $0.fixCount > count }
    #expect(isBack, "\(board.said)")
  }

  @Test("waking by itself is told, and ends the use of the method")
  func wakesItself() throws {
    var board = try Self.configured(
      "mtk3339", [.wakesItself(20)], demand: Demand(tier: .kilometer))
    #expect(board.run(.seconds(3600)) { $0.pilot?.sleepMethod == nil }, "\(board.said)")
    #expect(board.pilot?.degradations.contains(.wakesItself) ?? false)
    let count = board.fixCount
    #expect(board.run(.seconds(1200)) { $0.fixCount > count })
  }

  @Test("a pin that switches the supply is used where a backup supply keeps the clock")
  func supplyPin() throws {
    var entry = Configuration.Receiver(name: SimulatedBoard.node)
    (entry.enableGPIO, entry.hasBackup) = (GPIOName("gpiochip0:17"), true)
    var board = try SimulatedBoard(
      try ReceiverCycleTests.kind("ublox-m10"), configured: entry,
      demand: Demand(tier: .kilometer))
    #expect(board.run(.seconds(600)) { $0.pilot?.sleeping?.method == .cutSupply })
    #expect(board.receiver.power == .unpowered)
    let count = board.fixCount
    #expect(board.run(.seconds(1200)) { $0.fixCount > count }, "\(board.said)")
  }

  /// One whose supply can be cut; nobody said whether it has a backup supply.
  static func cuttable(_ name: String, hasBackup: Bool) throws -> SimulatedBoard {
    var entry = Configuration.Receiver(name: SimulatedBoard.node)
    entry.enableGPIO = GPIOName("gpiochip0:17")
    var board = try SimulatedBoard(
      try ReceiverCycleTests.kind(name), configured: entry, demand: Demand(tier: .kilometer))
    board.hasBackup = hasBackup
    #expect(board.run(.seconds(600)) { $0.pilot?.sleeping?.method == .cutSupply })
    return board
  }

  @Test(
    "whether a backup supply keeps the clock is tried once, and kept for the next start",
    arguments: ["ublox-m10", "ublox-m8", "mtk3339", "l76k", "unicore"])
  func keepsBackup(name: String) throws {
    var board = try Self.cuttable(name, hasBackup: true)
    let count = board.fixCount
    #expect(board.run(.seconds(1200)) { $0.fixCount > count + 1 }, "\(board.said)")
    #expect(board.facts?.keepsBackup ?? false, "\(board.said)")
    #expect(board.run(.seconds(1200)) { $0.pilot?.sleeping?.method == .cutSupply })
  }

  @Test(
    "a receiver that forgets the time is not cut off again, and that is told",
    arguments: ["ublox-m10", "ublox-m8", "mtk3339", "l76k", "unicore"])
  func lacksBackup(name: String) throws {
    var board = try Self.cuttable(name, hasBackup: false)
    #expect(board.run(.seconds(1800)) { $0.facts?.lacksBackup ?? false }, "\(board.said)")
    #expect(board.pilot?.degradations.contains(.losesMemory) ?? false)
    #expect(board.receiver.power == .on)
    let count = board.fixCount
    #expect(
      board.run(.seconds(2400)) { $0.pilot?.sleeping?.method == .cutSupply } == false)
    #expect(board.fixCount > count)
  }

  @Test("a pin that wakes an Airoha receiver lets it sleep deeply")
  func wakePin() throws {
    var entry = Configuration.Receiver(name: SimulatedBoard.node)
    entry.wakeGPIO = GPIOName("gpiochip0:27")
    var board = try SimulatedBoard(
      try ReceiverCycleTests.kind("lc29h"), configured: entry, demand: Demand(tier: .kilometer))
    #expect(board.run(.seconds(600)) { $0.pilot?.sleeping?.method == .airohaBackup })
    let count = board.fixCount
    #expect(board.run(.seconds(1200)) { $0.fixCount > count }, "\(board.said)")
  }
}
