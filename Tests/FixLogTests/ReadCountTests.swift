import GNSS
import Testing

@testable import FixLog

/// How few blocks are read: what makes opening and asking fast, whatever the size of the ring.
@Suite("Reads") struct ReadCountTests {
  static let mebibyte = 1 << 20
  /// 64 MiB and 1 GiB, on the first lap, at its end, and somewhere on a later one.
  static let rings: [(blockCount: Int, newest: UInt64)] = [
    (16_320, 5), (16_320, 16_319), (16_320, 100_000), (262_080, 77), (262_080, 1_000_000),
  ]

  @Test("opening takes at most eight", arguments: rings)
  func open(blockCount: Int, newest: UInt64) throws {
    let ring = SyntheticRing(blockCount: blockCount, newest: newest)
    let found = try RecoveredLog(opening: ring)
    #expect(found.openSequence == newest + 1)
    #expect(ring.readCount <= 8)
    #expect(found.report.readCount == ring.readCount)
  }

  @Test("without tail slots the end is found in 25 or 30", arguments: rings)
  func search(blockCount: Int, newest: UInt64) throws {
    let ring = SyntheticRing(blockCount: blockCount, newest: newest, hasTails: false)
    let found = try RecoveredLog(opening: ring)
    #expect(found.openSequence == newest + 1)
    #expect(found.report.wasSearched)
    #expect(ring.readCount <= (blockCount < 20_000 ? 25 : 30))
  }

  @Test("damaged blocks do not lead the search astray", arguments: 0..<40)
  func searchDamaged(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let newest = UInt64.random(in: 0...500, using: &random)
    let ring = SyntheticRing(blockCount: 100, newest: newest, hasTails: false)
    let bad = Set((0..<20).map { _ in UInt64.random(in: 0...500, using: &random) })
    ring.damaged = { bad.contains($0) && $0 != newest }
    let found = try RecoveredLog(opening: ring)
    #expect(found.openSequence == newest + 1)
  }

  /// Reads of blocks for the last minute of a ring.
  private func lastMinuteReads(blockCount: Int, newest: UInt64) throws -> Int {
    let ring = SyntheticRing(blockCount: blockCount, newest: newest)
    var query = LogQuery()
    query.since = SyntheticRing.time(of: newest + 1) + .seconds(-60)
    let (records, gaps) = try LogReader(ring, query: query).readAll()
    #expect(records.count == 4 && gaps.isEmpty)
    return ring.readCount
  }

  @Test("the last minute is found in a few dozen, and each doubling of the ring adds a few")
  func lastMinute() throws {
    var counts: [(blockCount: Int, reads: Int)] = []
    for shift in [10, 14, 18] {
      // Full, somewhere on a later lap.
      let blockCount = 1 << shift
      let newest = UInt64(blockCount * 3 + blockCount / 3)
      counts.append((blockCount, try lastMinuteReads(blockCount: blockCount, newest: newest)))
    }
    print("reads for the last minute: \(counts)")
    // One search for the era and two within it halve the blocks: at most three reads a doubling.
    #expect(counts[1].reads - counts[0].reads <= 3 * 4)
    #expect(counts[2].reads - counts[1].reads <= 3 * 4)
    #expect(counts[2].reads <= 60)
    let gibibyte = try lastMinuteReads(blockCount: 262_080, newest: 1_000_000)
    print("reads for the last minute of 1 GiB: \(gibibyte)")
    #expect(gibibyte <= 60)
  }

  @Test("the last records need the last block alone")
  func lastRecords() throws {
    let ring = SyntheticRing(blockCount: 262_080, newest: 1_000_000)
    var query = LogQuery()
    query.last = 5
    let (records, _) = try LogReader(ring, query: query).readAll()
    #expect(records.count == 5)
    #expect(ring.readCount <= 12)
  }
}
