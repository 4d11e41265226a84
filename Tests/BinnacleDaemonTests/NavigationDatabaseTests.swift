import GNSS
import GNSSWire
import ReceiverControl
import Testing

@testable import BinnacleDaemon
@testable import ReceiverSimulator

/// A receiver's ephemerides on the host's disk: saved while it tracks, given back after it lost
/// them.
@Suite("Navigation database on disk") struct NavigationDatabaseTests {
  /// When it is started again.
  static let later = Monotonic.zero + .seconds(3600)
  static let kinds = ["ublox-m8", "ublox-m10", "ublox-f9"]

  /// A receiver that has tracked until its database was saved.
  static func saved(_ name: String) throws -> SimulatedBoard {
    var board = try SimulatedBoard(try ReceiverCycleTests.kind(name))
    #expect(board.run(.seconds(600)) { $0.database != nil }, "\(board.said)")
    return board
  }

  /// Seconds to the first fix of a receiver that has nothing, with these files on the host.
  static func coldStart(_ kind: SimulatedReceiverKind, _ files: [String: [UInt8]]) throws -> Double
  {
    var board = try SimulatedBoard(kind, memories: files, from: later)
    board.run(.seconds(120)) { $0.fixCount > 0 }
    #expect(board.fixCount > 0)
    return (board.now - later).inSeconds
  }

  @Test("is saved with its owner, and shortens the next cold start", arguments: kinds)
  func roundTrip(name: String) throws {
    let board = try Self.saved(name)
    let database = try #require(board.database)
    #expect(database.owner.hasPrefix("e41b079a31 "))
    #expect(database.messages.count == 10)
    let kind = try ReceiverCycleTests.kind(name)
    let (with, without) = (
      try Self.coldStart(kind, board.files),
      try Self.coldStart(kind, board.files.filter { !$0.key.hasSuffix(".navdb") })
    )
    #expect(with < without, "\(with) s with it, \(without) s without")
  }

  @Test("another firmware, and another chip, get nothing of it")
  func owner() throws {
    let board = try Self.saved("ublox-m8")
    var other = try ReceiverCycleTests.kind("ublox-m8")
    other.version?.extensions[1] = "FWVER=SPG 3.05"
    var second = try SimulatedBoard(other, memories: board.files, from: Self.later)
    second.run(.seconds(90))
    #expect(PowerCaseTests.sent(second, .mgaDBD).allSatisfy { $0.count == 8 })
  }

  @Test("a receiver that acknowledges no aid gets all of it too, one message after the other")
  func blind() throws {
    let board = try Self.saved("ublox-m10")
    var kind = try ReceiverCycleTests.kind("ublox-m10")
    kind.faults = [.lacksKey(UBXKey.navAcknowledgeAiding.id)]
    var second = try SimulatedBoard(kind, memories: board.files, from: Self.later)
    second.run(.seconds(90))
    let given = PowerCaseTests.sent(second, .mgaDBD).filter { $0.count > 8 }
    #expect(given.count == 10)
  }
}

extension SimulatedBoard {
  var database: NavigationDatabase? {
    files.first { $0.key.hasSuffix(".navdb") }?.value.withByteView {
      NavigationDatabase(encoded: $0)
    }
  }
}
