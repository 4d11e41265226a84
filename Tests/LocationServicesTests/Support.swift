import GNSS

@testable import LocationServices

/// Random numbers that are the same in every run.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &+ 0x9e37_79b9_7f4a_7c15 }

  /// SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
    return z ^ z >> 31
  }

  mutating func uniform(_ low: Double, _ high: Double) -> Double {
    low + Double(next() >> 11) / 9_007_199_254_740_992 * (high - low)
  }

  /// Of mean 0 and standard deviation 1: twelve uniform numbers, less six.
  mutating func normal() -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += uniform(0, 1) }
    return sum
  }
}

/// The error of a receiver's positions: white noise and a part that wanders slowly, as reflections
/// and the atmosphere make it.
struct PositionNoise {
  /// Metres on each axis.
  var white: Double
  var wander: Double
  /// Seconds in which the wandering part forgets itself.
  var memory: Double
  private var east = 0.0
  private var north = 0.0

  init(white: Double, wander: Double, memory: Double) {
    (self.white, self.wander, self.memory) = (white, wander, memory)
  }

  static let openSky = PositionNoise(white: 0.4, wander: 1.5, memory: 300)
  static let urban = PositionNoise(white: 2, wander: 8, memory: 120)

  /// The radius that holds 68 %, as an honest receiver reports it: 1.51 standard deviations.
  var accuracy: Double { 1.51 * (white * white + wander * wander).squareRoot() }

  mutating func moved(_ place: Coordinate, _ random: inout SeededRandom) -> Coordinate {
    let keep = 1 - 1 / memory
    let push = wander * (1 - keep * keep).squareRoot()
    east = east * keep + push * random.normal()
    north = north * keep + push * random.normal()
    return place.nudged(
      east: east + white * random.normal(), north: north + white * random.normal())
  }
}

extension Coordinate {
  /// Some metres away, on a sphere: quick, and good enough for noise.
  func nudged(east: Double, north: Double) -> Coordinate {
    let metresPerDegree = 111_195.0
    let parallel = Coordinate(latitude: latitude, longitude: 0).normal.x
    return Coordinate(
      latitude: latitude + north / metresPerDegree,
      longitude: longitude + east / metresPerDegree / parallel)
  }

  /// So many metres away, straight.
  func offset(east: Double, north: Double) -> Coordinate {
    let point = destination(bearing: 0, distance: north)
    return point.destination(bearing: 90, distance: east)
  }
}

extension Fix {
  static func at(
    _ position: Coordinate, accuracy: Double = 3, seconds: Double, speed: Double? = nil,
    course: Double? = nil
  ) -> Fix {
    var fix = Fix()
    fix.mode = .threeD
    fix.position = position
    fix.horizontalAccuracy = accuracy
    fix.time = .test(seconds)
    fix.speed = speed
    fix.course = course
    return fix
  }
}

extension UTCTime {
  /// So many seconds after 2026-10-14T05:00:00Z.
  static func test(_ seconds: Double) -> UTCTime {
    UTCTime(seconds: 1_791_954_000) + .microseconds(Int64(seconds * 1e6))
  }
}

extension Now {
  /// So many seconds into the test.
  static func test(_ seconds: Double) -> Now {
    Now(
      boottime: Monotonic(nanoseconds: Int64(seconds * 1e9)) + .seconds(1000), time: .test(seconds))
  }
}

extension Sighting {
  /// A fix of the tests; `nil` never happens with these.
  static func test(
    _ position: Coordinate, accuracy: Double = 3, seconds: Double, speed: Double? = nil
  ) -> Sighting? {
    Sighting(
      .at(position, accuracy: accuracy, seconds: seconds, speed: speed), at: .test(seconds))
  }
}
