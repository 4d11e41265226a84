import GNSS
import Testing

@testable import FixLog

/// How large the log gets, and how much is written for it.
@Suite("Sizes") struct SizeTests {
  /// Bytes of full blocks for each fix of a track.
  private func bytesPerFix(_ fixes: (Int, inout SeededRandom) -> Fix) throws -> Double {
    var random = SeededRandom(seed: 11)
    let superblock = LogFixtures.superblock(blockCount: 64)
    let disk = LogFixtures.disk(blockCount: 64)
    var writer = LogWriter(try RecoveredLog(opening: disk), bootTag: 1)
    var count = 0
    while writer.sealed.count < 20 {
      let jitter = Int64.random(in: -2_000_000...2_000_000, using: &random)
      let boottime = Monotonic(
        nanoseconds: LogFixtures.boottime(count).nanoseconds + 80_000_000 + jitter)
      writer.append(
        .fix(fixes(count, &random), LogFixtures.receiver), boottime: boottime, at: boottime)
      count += 1
    }
    return Double(20 * superblock.geometry.blockSize) / Double(count - 1)
  }

  /// A step of noise that wanders, as a receiver's errors do.
  private struct Wander {
    private var value = 0.0
    mutating func next(_ size: Double, _ random: inout SeededRandom) -> Double {
      value = value * 0.98 + Double.random(in: -size...size, using: &random)
      return value
    }
  }

  @Test("at most 18 bytes a fix while moving, 14 at rest: all fields, UBX resolution")
  func bytesPerFix() throws {
    let moving = try bytesPerFix(track(speed: 14))
    let walking = try bytesPerFix(track(speed: 1.4))
    let resting = try bytesPerFix(track(speed: 0))
    print("bytes per fix: driving \(moving), walking \(walking), at rest \(resting)")
    #expect(moving <= 18 && walking <= 18)
    #expect(resting <= 14)
    // 64 MiB at one fix a second.
    let days = Double(16_320 * 4096) / max(moving, walking) / 86_400
    print("days in 64 MiB at 1 Hz: \(days)")
    #expect(days >= 40)
  }

  private func track(speed: Double) -> (Int, inout SeededRandom) -> Fix {
    var wanders = [Wander](repeating: Wander(), count: 8)
    var (latitude, longitude, heading) = (-49.3416667, 70.2208333, 40.0)
    return { index, random in
      let isMoving = speed > 0
      heading += wanders[0].next(isMoving ? 1.5 : 0, &random)
      let pace = max(0, speed + wanders[1].next(isMoving ? 0.2 : 0, &random))
      latitude += pace * 9e-6 * (1 - heading.truncatingRemainder(dividingBy: 90) / 90)
      longitude += pace * 1.3e-5 * heading.truncatingRemainder(dividingBy: 90) / 90
      var fix = LogFixtures.fix(index, random: &random)
      let error = isMoving ? 3e-7 : 4e-8
      fix.position = Coordinate(
        latitude: LogFixtures.rounded(latitude + wanders[2].next(error, &random), 1e7),
        longitude: LogFixtures.rounded(longitude + wanders[3].next(error, &random), 1e7))
      let height = 100 + wanders[4].next(isMoving ? 0.08 : 0.012, &random)
      fix.altitudeEllipsoid = LogFixtures.rounded(height, 1e3)
      fix.altitudeMSL = LogFixtures.rounded(height - 41.207, 1e3)
      fix.speed = LogFixtures.rounded(
        isMoving ? pace : abs(wanders[5].next(0.01, &random)), 1e3)
      fix.course = LogFixtures.rounded(
        isMoving ? (heading + 3600).truncatingRemainder(dividingBy: 360) : 40, 1e5)
      fix.climb = LogFixtures.rounded(wanders[6].next(0.01, &random), 1e3)
      let accuracy = 2.5 + wanders[7].next(0.004, &random)
      fix.horizontalAccuracy = LogFixtures.rounded(accuracy, 1e3)
      fix.verticalAccuracy = LogFixtures.rounded(accuracy * 1.4, 1e3)
      fix.speedAccuracy = LogFixtures.rounded(0.25 + accuracy / 100, 1e2)
      fix.courseAccuracy = isMoving ? LogFixtures.rounded(accuracy / 5, 1e1) : 180
      return fix
    }
  }

  @Test("one block each ten seconds at 1 Hz, and one for each full block")
  func bytesWritten() throws {
    var random = SeededRandom(seed: 3)
    var harness = try LogHarness(LogFixtures.disk(blockCount: 64))
    let seconds = 3600
    for index in 0..<seconds {
      harness.now = LogFixtures.boottime(index)
      harness.append(.fix(LogFixtures.fix(index, random: &random), LogFixtures.receiver))
    }
    let status = harness.writer.status
    #expect(harness.disk.unsyncedMax == 1)
    #expect(harness.disk.writeCount == status.commitCount + status.sealCount)
    #expect((seconds / 12...seconds / 10).contains(status.commitCount))
    #expect((seconds * 14 / 4032...seconds * 24 / 4032).contains(status.sealCount))
  }
}
