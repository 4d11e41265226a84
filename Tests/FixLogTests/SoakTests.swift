import GNSS
import Glibc
import Testing

@testable import FixLog

/// Ten years of use: a crash each day, a clock that steps back each week and never recovers.
@Suite("Ten years") struct SoakTests {
  /// Seconds between fixes; `Scripts/torture` asks for one each minute.
  static let period = getenv("BINNACLE_TORTURE") == nil ? 21_600 : 60

  @Test("numbers, eras and memory stay in order")
  func tenYears() throws {
    let (days, daySeconds) = (3653, 86_400)
    var random = SeededRandom(seed: 2)
    var disk = LogFixtures.disk(blockCount: 64)
    let template = LogFixtures.fix(0, random: &random)
    var (fixCount, stepCount, epoch): (Int, UInt32, UInt32) = (0, 0, 0)
    var (offset, lastSequence) = (0, UInt64(0))
    for day in 0..<days {
      if day % 7 == 6 {
        offset -= 60
        stepCount += 1
      }
      var harness = try LogHarness(disk, bootTag: UInt64(day))
      #expect(harness.writer.epoch > epoch)
      #expect(harness.writer.open.sequence >= lastSequence)
      (epoch, lastSequence) = (harness.writer.epoch, harness.writer.open.sequence)
      for second in stride(from: 0, to: daySeconds, by: Self.period) {
        harness.now = LogFixtures.boottime(second)
        var fix = template
        fix.time = LogFixtures.start + .seconds(day * daySeconds + second + offset * Self.period)
        harness.append(.fix(fix, LogFixtures.receiver), boottime: harness.now)
        fixCount += 1
      }
      // The power goes; what was committed is there.
      disk = SimDisk(after: disk, parts: [])
    }
    let found = try RecoveredLog(opening: disk)
    #expect(found.era == stepCount)
    #expect(found.epoch == UInt32(days))
    let reader = try LogReader(disk)
    let (records, gaps) = reader.readAll()
    #expect(gaps.isEmpty && !records.isEmpty)
    print(
      "ten years: \(fixCount) fixes, \(found.openSequence) blocks, \(found.era) eras, "
        + "\(records.count) records left")
  }
}
