import Glibc
import Testing

@testable import FixLog

@Suite("Crashes") struct CrashTests {
  /// Together more than 100 000 states.
  static let runs: [(blockCount: Int, laps: Int, seed: UInt64)] = [
    (3, 2, 1), (4, 2, 2), (5, 2, 3), (8, 1, 4),
  ]

  /// How many seeds each run is repeated with: `Scripts/torture` sets more.
  static let seedCount = getenv("BINNACLE_TORTURE").flatMap { UInt64(String(cString: $0)) } ?? 1

  @Test("no committed record is lost and none invented", arguments: runs)
  func honest(blockCount: Int, laps: Int, seed: UInt64) throws {
    for turn in 0..<Self.seedCount {
      let explorer = CrashExplorer(seed: seed + 10 * turn)
      try explorer.explore(blockCount: blockCount, laps: laps)
      print(
        "crash states: \(explorer.stateCount) at \(explorer.writeCount) writes, "
          + "\(blockCount) blocks, seed \(seed + 10 * turn): "
          + "\(explorer.violations.count) violations")
      #expect(explorer.violations.isEmpty, "\(explorer.violations.joined(separator: "\n"))")
    }
  }

  /// Apart from the macro: Swift 6.0.3 cannot have a closure in a test's arguments.
  static let mutations = Mutation.allCases.filter { $0 != .none }

  @Test("broken writers are caught", arguments: mutations)
  func mutants(mutation: Mutation) throws {
    let explorer = CrashExplorer(seed: 7, mutation: mutation, violationsMax: 1)
    try explorer.explore(blockCount: 4, laps: 3, sequenceMin: 65_534)
    print("\(mutation): \(explorer.violations.first ?? "survived")")
    #expect(!explorer.violations.isEmpty)
  }
}
