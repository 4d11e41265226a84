import Bytes
import GNSS
import ReceiverSimulator

/// A drive that never stops to move: what the synthetic receivers report. The same seed gives the
/// same bytes on every machine.
struct SyntheticJourney {
  struct Satellite {
    let constellation: UInt8
    let number: Int
    var azimuth: Double
    var elevation: Double
    var cn0: Double
  }

  private(set) var time = UTCTime(iso8601: "2026-09-01T00:00:00Z") ?? UTCTime(microseconds: 0)
  private(set) var latitude = 47.3769
  private(set) var longitude = 8.5417
  private(set) var height = 408.0
  private(set) var speed = 12.0
  private(set) var course = 40.0
  private(set) var climb = 0.0
  private(set) var satellites: [Satellite] = []
  private(set) var accuracy = 1.5
  private(set) var hdop = 0.8
  let geoidSeparation = 47.6
  private var random: SeededRandom
  private let step: Duration

  init(seed: UInt64, step: Duration, satelliteCount: Int) {
    (random, self.step) = (SeededRandom(seed: seed), step)
    for index in 0..<satelliteCount {
      satellites.append(
        Satellite(
          // Half of them GPS (0), the others GLONASS (6), whose numbers end at 24.
          constellation: index % 2 == 0 ? 0 : 6, number: 1 + index / 2 * 32 / satelliteCount,
          azimuth: random.uniform() * 359, elevation: 5 + random.uniform() * 80,
          cn0: 30 + random.uniform() * 18))
    }
  }

  mutating func advance() {
    let seconds = step.inSeconds
    time = time + step
    course += random.normal() * 2 * seconds
    if course < 0 { course += 360 }
    if course >= 360 { course -= 360 }
    speed = min(max(speed + random.normal() * 0.5 * seconds, 3), 35)
    climb = min(max(climb + random.normal() * 0.1 * seconds, -2), 2)
    // To the north-east and back, so that a drive of days stays in a country.
    let leg = Double(time.microseconds / 1_000_000 % 7200) < 3600 ? 1.0 : -1.0
    latitude += leg * speed * seconds * 6.4e-6
    longitude += leg * speed * seconds * 8.5e-6
    height += climb * seconds
    if !(200...2000).contains(height) { climb = -climb }
    accuracy = min(max(accuracy + random.normal() * 0.02, 0.6), 4)
    hdop = min(max(hdop + random.normal() * 0.01, 0.5), 2)
    for index in satellites.indices {
      satellites[index].azimuth += 0.01 * seconds
      if satellites[index].azimuth >= 359.5 { satellites[index].azimuth -= 359.5 }
      let cn0 = satellites[index].cn0 + random.normal() * 0.5
      satellites[index].cn0 = min(max(cn0, 20), 50)
    }
  }

  /// Bytes that mean nothing.
  mutating func noise(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }
}
