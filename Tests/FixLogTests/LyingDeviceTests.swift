import GNSS
import Testing

@testable import FixLog

/// A medium that breaks its word: then less is promised, but nothing false is ever shown.
@Suite("Lying device") struct LyingDeviceTests {
  enum Lie: String, CaseIterable, Sendable {
    /// The newest writes are gone in spite of the sync.
    case newestLost
    /// Some of the newest writes are gone, older and younger ones not.
    case someLost
    /// One block went to another place.
    case misdirected
  }

  @Test("opens, shows nothing false and goes on", arguments: Lie.allCases)
  func lie(_ lie: Lie) throws {
    var gapCount = 0
    for seed in UInt64(0)..<20 { gapCount += try run(lie, seed: seed) }
    print("\(lie): \(gapCount) gaps reported in 20 runs, seeds 0 to 19")
  }

  private func run(_ lie: Lie, seed: UInt64) throws -> Int {
    var random = SeededRandom(seed: seed)
    let disk = LogFixtures.disk(blockCount: 6)
    var (number, gapCount) = (0, 0)
    var state = disk
    for _ in 0..<4 {
      var writes: [SimDisk.Write] = []
      let before = SimDisk(after: state, parts: [])
      var harness = try LogHarness(SimDisk(after: state, parts: []))
      harness.disk.onWrite = { disk in
        if let write = disk.unsynced.last { writes.append(write) }
      }
      for _ in 0..<Int.random(in: 20...90, using: &random) {
        append(&harness, number)
        number += 1
      }
      state = SimDisk(after: before, parts: lied(lie, writes, &random))
      gapCount += try check(state, number)
    }
    return gapCount
  }

  private func lied(
    _ lie: Lie, _ writes: [SimDisk.Write], _ random: inout SeededRandom
  ) -> [SimDisk.Write] {
    let count = Int.random(in: 1...min(6, writes.count), using: &random)
    switch lie {
    case .newestLost: return writes.dropLast(count)
    case .someLost:
      return writes.dropLast(count)
        + writes.suffix(count).filter { _ in Bool.random(using: &random) }
    case .misdirected:
      let chosen = Int.random(in: 0..<writes.count, using: &random)
      let target = writes[Int.random(in: 0..<writes.count, using: &random)].offset
      return writes.indices.map {
        $0 == chosen ? SimDisk.Write(offset: target, bytes: writes[$0].bytes) : writes[$0]
      }
    }
  }

  private func append(_ harness: inout LogHarness, _ number: Int) {
    harness.now = LogFixtures.boottime(number)
    let fields = [
      LogEvent.Field(.count, .number(Int64(number))),
      LogEvent.Field(.reason, .text(String(repeating: "x", count: 190))),
    ]
    harness.append(
      .event(
        LogEvent(
          .configuration, time: LogFixtures.start + .seconds(number), boottime: harness.now,
          fields: fields)))
  }

  /// Records come in the order in which they were appended, each at most once and as it was.
  private func check(_ disk: SimDisk, _ appended: Int) throws -> Int {
    let (records, gaps) = try LogReader(disk).readAll()
    var last = -1
    for record in records {
      guard case .event(let event) = record.content, case .number(let number)? = event[.count]
      else {
        Issue.record("another record")
        continue
      }
      #expect(Int(number) > last && Int(number) < appended)
      #expect(event.time == LogFixtures.start + .seconds(Int(number)))
      last = Int(number)
    }
    return gaps.count
  }
}
