import Bytes
import FixLog
import GNSS
import GNSSWire
import ReceiverControl
import Testing

@testable import BinnacleDaemon
@testable import ReceiverSimulator

/// Faults of power and ports that were reported against other programs, as they are here.
@Suite("Power cases") struct PowerCaseTests {
  static func board(
    _ name: String, _ faults: Set<SimulatedReceiverKind.Fault> = [], isNativeUSB: Bool = false,
    demand: Demand? = Demand(tier: .bestForNavigation)
  ) throws -> SimulatedBoard {
    var kind = try ReceiverCycleTests.kind(name)
    kind.faults.formUnion(faults)
    kind.isNativeUSB = isNativeUSB
    return try SimulatedBoard(kind, demand: demand)
  }

  /// UBX frames of this class and id among what was written.
  static func sent(_ board: SimulatedBoard, _ type: UBXMessageType) -> [[UInt8]] {
    board.written.filter {
      $0.starts(with: [0xb5, 0x62, type.messageClass, type.id])
    }
  }

  @Test("on its own USB a receiver is never told to leave it, and is back in time")
  func usb() throws {
    var board = try Self.board("ublox-m8", isNativeUSB: true, demand: Demand(tier: .kilometer))
    #expect(board.run(.seconds(400)) { $0.pilot?.sleeping != nil }, "\(board.said)")
    #expect(board.pilot?.sleeping?.method == .ubxStop)
    let count = board.fixCount
    #expect(board.run(.seconds(1000)) { $0.fixCount > count })
    #expect(Self.sent(board, .rxmPMREQ).isEmpty)
    #expect(Self.sent(board, .cfgPWR).isEmpty)
    #expect(board.openCount == 1)
  }

  @Test("a sleep has the planned length and an end; one that no byte ends is reported")
  func deafSleeper() throws {
    var board = try Self.board(
      "ublox-m10", [.wakesByTimerOnly], demand: Demand(tier: .kilometer))
    #expect(board.run(.seconds(600)) { $0.fixCount > 0 && $0.pilot?.sleeping != nil })
    let request = try #require(Self.sent(board, .rxmPMREQ).last)
    #expect(request.count == 24)
    let milliseconds = request[10..<14].reversed().reduce(0) { $0 << 8 | Int($1) }
    let sleeping = try #require(board.pilot?.sleeping)
    let planned = (sleeping.until - sleeping.since).inSeconds
    #expect(abs(Double(milliseconds) / 1000 - planned) < 60)
    #expect(request[14] & 2 != 0, "backup")
    #expect(request[18] & 8 != 0, "woken by its input")
    board.run(.seconds(20))
    let count = board.fixCount
    board.perform(board.core.want(Demand(tier: .bestForNavigation), at: board.clocks))
    board.run(.seconds(60))
    #expect(board.pilot?.degradations.contains(.doesNotWake) ?? false)
    #expect(
      board.events.contains {
        $0[.reason] == .text("\(ReceiverPilot.Degradation.doesNotWake.rawValue)")
      })
    #expect(board.run(.seconds(900)) { $0.fixCount > count + 5 }, "\(board.said)")
    #expect(board.events.last { $0.kind == .gap }?[.reason] == .text("asleep"))
  }

  @Test("after a cut of the supply it is found at its first rate and configured again")
  func supplyCut() throws {
    var board = try Self.board("ublox-m8")
    board.run(.seconds(120)) { $0.fixCount > 3 }
    let baud = board.baud
    #expect(baud > 9600)
    board.receiver.setSupply(false, keepsBackup: false, at: board.now)
    board.run(.seconds(300))
    #expect(board.pilot?.degradations.contains(.silent) ?? false)
    board.receiver.setSupply(true, keepsBackup: false, at: board.now)
    #expect(board.receiver.baud == 9600)
    board.written = []
    #expect(board.run(.seconds(60)) { $0.receiver.baud == baud && $0.baud == baud })
    #expect(board.run(.seconds(60)) { !$0.receiver.memory.sendsNMEA }, "\(board.said)")
    #expect(board.run(.seconds(120)) { $0.hasRecentFix })
    #expect(Self.sent(board, .cfgCFG).isEmpty)
    #expect(board.pilot?.degradations == [])
  }

  @Test("a reset that keeps the rate is noticed too", arguments: ["ublox-m8", "mtk3339", "l76k"])
  func reset(name: String) throws {
    var board = try Self.board(name)
    board.run(.seconds(120)) { $0.fixCount > 3 }
    let configured = board.events.filter { $0.kind == .configuration }.count
    board.receiver.setSupply(false, keepsBackup: false, at: board.now)
    board.receiver.setSupply(true, keepsBackup: false, at: board.now)
    #expect(
      board.run(.seconds(120)) {
        $0.events.filter { $0.kind == .configuration }.count > configured
      }, "\(board.said)")
    #expect(board.run(.seconds(120)) { $0.hasRecentFix })
  }

  @Test("silence by our own order is no fault: nothing is opened, sought or told")
  func silence() throws {
    var board = try Self.board("ublox-m8", demand: Demand(tier: .kilometer))
    #expect(board.run(.seconds(600)) { $0.fixCount > 0 && $0.pilot?.sleeping != nil })
    let (count, asked, baud) = (board.fixCount, board.written.count, board.baud)
    board.run(.seconds(120))
    #expect(board.written.count == asked)
    #expect(board.baud == baud)
    #expect(board.fixCount == count)
    #expect(board.openCount == 1)
    #expect(!board.events.contains { $0.kind == .detach })
    // When it was told to, and when it was seen to.
    #expect(board.sleepsTold == [true, true])
    #expect(board.run(.seconds(900)) { $0.fixCount > count })
    #expect(board.sleepsTold == [true, true, false])
  }

  @Test("who looks on is told when something changes, not that bytes came")
  func standing() throws {
    var board = try Self.board("ublox-m10")
    #expect(board.run(.seconds(120)) { $0.fixCount > 3 })
    board.run(.seconds(60))
    let (awake, members) = (board.core.standing(of: 0), board.core.members(of: 0, at: board.clocks))
    board.run(.seconds(5))
    #expect(board.core.standing(of: 0) == awake)
    #expect(board.core.members(of: 0, at: board.clocks) != members)
    board.perform(board.core.want(Demand(tier: .kilometer), at: board.clocks))
    #expect(board.run(.seconds(600)) { $0.pilot?.sleeping != nil })
    let asleep = board.core.standing(of: 0)
    #expect(asleep != awake)
    board.run(.seconds(20))
    #expect(board.core.standing(of: 0) == asleep)
  }

  @Test("a cycle writes to RAM alone, and little to the log", arguments: ["ublox-m10", "ublox-m8"])
  func cycles(name: String) throws {
    var board = try Self.board(name, demand: Demand(tier: .hundredMeters))
    #expect(board.run(.seconds(600)) { $0.fixCount > 0 && $0.pilot?.sleeping != nil })
    (board.written, board.events) = ([], [])
    board.run(.seconds(7200))
    #expect(Self.sent(board, .cfgCFG).isEmpty)
    #expect(Self.sent(board, .cfgVALSET).allSatisfy { $0[7] == 1 })
    let sleeps = board.events.count { event in
      guard case .text(let reason)? = event[.reason] else { return false }
      return reason.hasPrefix("asleep by")
    }
    #expect(sleeps >= 30)
    let energies = board.events.compactMap { event -> Int64? in
      if case .number(let millijoules)? = event[.energy] { millijoules } else { nil }
    }
    #expect(energies.count >= sleeps && energies == energies.sorted() && energies[0] > 0)
    // The gap, the sleep, the wake-up and the configuration behind it: 60 bytes each, or so.
    #expect(board.events.count <= sleeps * 5)
  }

  @Test("one that never sleeps tells what it drew when it is pulled out, and at the end")
  func energyAwake() throws {
    var board = try Self.board("ublox-m8", demand: Demand(tier: .bestForNavigation))
    #expect(board.run(.seconds(600)) { $0.fixCount > 20 })
    board.events = []
    board.perform(board.core.stop(reason: "test", at: board.clocks))
    board.perform(board.core.ended(0, "unplugged", at: board.clocks))
    #expect(board.events.map(\.kind) == [.power, .sessionStop, .detach])
    let energies = board.events.compactMap { event -> Int64? in
      if case .number(let millijoules)? = event[.energy] { millijoules } else { nil }
    }
    // No time passes between.
    #expect(energies.count == 2 && energies[0] > 0 && energies[0] == energies[1])
  }

  @Test("after a reset of the USB it is the same receiver under a new name, configured again")
  func usbReset() throws {
    var board = try Self.board("ublox-m8", isNativeUSB: true)
    board.run(.seconds(120)) { $0.fixCount > 3 }
    board.perform(board.core.ended(0, "removed", at: board.clocks))
    board.unplug()
    board.receiver.setSupply(false, keepsBackup: false, at: board.now)
    board.run(.seconds(2))
    board.receiver.setSupply(true, keepsBackup: false, at: board.now)
    board.plugIn()
    #expect(board.run(.seconds(60)) { !$0.receiver.memory.sendsNMEA }, "\(board.said)")
    #expect(board.run(.seconds(120)) { $0.hasRecentFix })
    #expect(board.core.receivers.count == 1)
  }

  @Test("an external supply keeps it awake, and a demand that ends lets it sleep again")
  func supply() throws {
    var board = try Self.board("ublox-m10", demand: Demand(tier: .kilometer))
    board.run(.seconds(600)) { $0.fixCount > 0 && $0.pilot?.sleeping != nil }
    board.perform(board.core.supply(.external, at: board.clocks))
    #expect(board.run(.seconds(120)) { $0.hasRecentFix })
    board.run(.seconds(300))
    #expect(board.hasRecentFix)
    board.perform(board.core.supply(.battery, at: board.clocks))
    #expect(board.run(.seconds(300)) { $0.pilot?.sleeping != nil })
  }
}
