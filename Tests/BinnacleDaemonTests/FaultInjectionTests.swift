import GNSS
import Glibc
import ReceiverControl
import Testing

@testable import BinnacleDaemon
@testable import ReceiverSimulator

/// Faults at any moment of a receiver's life end in a working session, or, where something is wrong
/// with it all the time, in a named degradation.
/// BINNACLE_FAULTS sets how many are injected, BINNACLE_SEED where they begin.
@Suite("Fault injection") struct FaultInjectionTests {
  enum Fault: CaseIterable {
    case lostAnswers
    case lostOrders
    case refusals
    case powerLoss
    case baudReset
    case selfWake
    case noWake
    case unplug
  }

  struct Scenario {
    var name: String
    var fault: Fault
    var tier: Tier
    /// When the fault begins, and how long it lasts.
    var start: Duration
    var length: Duration
    /// What is wrong with the receiver all the time.
    var kindFaults: Set<SimulatedReceiverKind.Fault>
  }

  /// Within a debug build's patience; the whole count is set by BINNACLE_FAULTS.
  static let count = number("BINNACLE_FAULTS") ?? 80
  /// After the fault, by when a fix must have come: longer than every back-off and every sleep.
  static let patience = Duration.seconds(3600)

  static func number(_ name: String) -> Int? {
    getenv(name).flatMap { Int(String(cString: $0)) }
  }

  static func scenario(_ seed: UInt64) -> Scenario {
    var random = SeededRandom(seed: seed)
    func choose<T>(_ all: [T]) -> T {
      all[min(Int(random.uniform() * Double(all.count)), all.count - 1)]
    }
    let tiers: [Tier] = [.bestForNavigation, .nearestTenMeters, .hundredMeters, .kilometer]
    var lasting: Set<SimulatedReceiverKind.Fault> = []
    for fault in lastingFaults where random.uniform() < 0.1 { lasting.insert(fault) }
    return Scenario(
      name: choose(ReceiverCycleTests.obedient), fault: choose(Fault.allCases),
      tier: choose(tiers), start: .milliseconds(Int64(random.uniform() * 240_000)),
      length: .milliseconds(Int64(500 + random.uniform() * 89_500)), kindFaults: lasting)
  }

  static let lastingFaults: [SimulatedReceiverKind.Fault] = [
    .withoutEffect, .wakesByTimerOnly, .neverSleeps, .wakesItself(12), .cannotChangeBaud,
    .losesAcknowledgement(every: 3), .lacksKey(UBXKey.signalSBAS.id),
    .lacksKey(UBXKey.output(.navEOE, on: .uart1).id),
  ]

  static func inject(_ fault: Fault, into board: inout SimulatedBoard, for length: Duration) {
    switch fault {
    case .lostAnswers: board.wire.losesAnswers = true
    case .lostOrders, .noWake: board.wire.losesOrders = true
    case .refusals: board.wire.refuses = true
    case .powerLoss: board.receiver.setSupply(false, keepsBackup: false, at: board.now)
    case .baudReset:
      board.receiver.setSupply(false, keepsBackup: false, at: board.now)
      board.receiver.setSupply(true, keepsBackup: false, at: board.now)
    case .selfWake: board.receiver.pulseWakePin(at: board.now)
    case .unplug: board.unplug()
    }
    board.run(length)
    board.wire = SimulatedBoard.Wire()
    if fault == .powerLoss {
      board.receiver.setSupply(true, keepsBackup: false, at: board.now)
    }
    if fault == .unplug { board.plugIn() }
  }

  /// Whether it navigates again after the fault.
  static func recovers(_ scenario: Scenario, seed: UInt64) throws -> (Bool, SimulatedBoard) {
    var kind = try ReceiverCycleTests.kind(scenario.name)
    kind.faults.formUnion(scenario.kindFaults)
    var board = try SimulatedBoard(
      kind, demand: Demand(tier: scenario.tier), seed: seed)
    board.run(scenario.start)
    inject(scenario.fault, into: &board, for: scenario.length)
    let count = board.fixCount
    return (board.run(patience) { $0.fixCount > count + 1 }, board)
  }

  @Test("a receiver cut off after it obeyed a change of its rate is sought at that rate")
  func unseenRate() throws {
    let scenario = Scenario(
      name: "ublox-m8", fault: .baudReset, tier: .bestForNavigation, start: .milliseconds(9548),
      length: .milliseconds(57_258), kindFaults: [])
    let (works, board) = try Self.recovers(scenario, seed: 30_252)
    #expect(works, "the receiver is at \(board.receiver.baud) baud, the port at \(board.baud)")
  }

  /// How many of each fault came to which end.
  static func show(_ outcomes: [Fault: [String: Int]]) {
    for fault in Fault.allCases {
      guard let ends = outcomes[fault] else { continue }
      let counts = ends.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      print("  \(fault): " + counts.joined(separator: ", "))
    }
  }

  @Test("every fault ends in fixes, or in a degradation with a name")
  func recover() throws {
    let first = UInt64(clamping: Self.number("BINNACLE_SEED") ?? 1)
    var outcomes: [Fault: [String: Int]] = [:]
    for seed in first..<(first + UInt64(clamping: Self.count)) {
      let scenario = Self.scenario(seed)
      let (works, board) = try Self.recovers(scenario, seed: seed)
      guard !works else {
        outcomes[scenario.fault, default: [:]]["fixes", default: 0] += 1
        continue
      }
      let names = board.pilot?.degradations ?? []
      #expect(
        !names.isEmpty && !scenario.kindFaults.isEmpty,
        """
        BINNACLE_SEED=\(seed): \(scenario) ends as \(board.pilot?.stateName ?? "-"), \(names), \
        the receiver at \(board.receiver.baud) baud, the port at \(board.baud)
        """)
      let end = names.isEmpty ? "stuck" : names.map { "\($0)" }.sorted().joined(separator: "+")
      outcomes[scenario.fault, default: [:]][end, default: 0] += 1
      print("BINNACLE_SEED=\(seed): \(scenario) degraded: \(names)")
    }
    print("fault injection: \(Self.count) scenarios, BINNACLE_SEED=\(first)")
    Self.show(outcomes)
  }
}
