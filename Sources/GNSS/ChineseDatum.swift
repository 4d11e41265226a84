import CMath

/// The datums that maps of the People's Republic of China use by law. Their shift against WGS-84,
/// up to some 700 m, was never published; these are the formulas that were found by comparison and
/// that all open map software uses.
package enum ChineseDatum: String, CaseIterable, Sendable {
  /// "Mars coordinates": Amap, Tencent, Google in China.
  case gcj02
  /// GCJ-02 with a second shift: Baidu.
  case bd09

  /// The coordinate of a WGS-84 place on such a map; outside China they are the same.
  package func converted(_ place: Coordinate) -> Coordinate {
    guard Self.isInChina(place) else { return place }
    let shifted = Self.shifted(place)
    return self == .bd09 ? Self.shiftedByBaidu(shifted) : shifted
  }

  /// The WGS-84 coordinate of a place on such a map. Round trips are exact to well below 1 mm,
  /// except within 1 km of the border, where two places may have the same coordinate.
  package func inverted(_ place: Coordinate) -> Coordinate {
    var found = place
    // The shift changes by less than 1 in 100 of the way, so each step gains two digits.
    for _ in 0..<Self.inversionStepCount {
      let there = Self.shifted(found)
      let seen = self == .bd09 ? Self.shiftedByBaidu(there) : there
      found.latitude += place.latitude - seen.latitude
      found.longitude += place.longitude - seen.longitude
    }
    return Self.isInChina(found) ? found : place
  }

  private static let inversionStepCount = 8

  // MARK: The shift

  /// Semi-major axis in metres and squared eccentricity of the Krasovsky 1940 ellipsoid.
  private static let (axis, eccentricity) = (6_378_245.0, 0.006_693_421_622_965_943_23)

  private static func shifted(_ place: Coordinate) -> Coordinate {
    let (x, y) = (place.longitude - 105, place.latitude - 35)
    let root = abs(x).squareRoot()
    let ripple = wave(20, 6 * x) + wave(20, 2 * x)
    let north =
      -100 + 2 * x + 3 * y + 0.2 * y * y + 0.1 * x * y + 0.2 * root
      + (ripple + wave(20, y) + wave(40, y / 3) + wave(160, y / 12) + wave(320, y / 30)) * 2 / 3
    let east =
      300 + x + 2 * y + 0.1 * x * x + 0.1 * x * y + 0.1 * root
      + (ripple + wave(20, x) + wave(40, x / 3) + wave(150, x / 12) + wave(300, x / 30)) * 2 / 3
    let latitude = place.latitude * .pi / 180
    let sine = math_sin(latitude)
    let stretch = 1 - eccentricity * sine * sine
    let meridianRadius = axis * (1 - eccentricity) / (stretch * stretch.squareRoot())
    let parallelRadius = axis / stretch.squareRoot() * math_cos(latitude)
    return Coordinate(
      latitude: place.latitude + north / meridianRadius * 180 / .pi,
      longitude: place.longitude + east / parallelRadius * 180 / .pi)
  }

  /// A sine that passes through zero at every whole number of half-turns.
  private static func wave(_ height: Double, _ halfTurns: Double) -> Double {
    height * math_sin(halfTurns * .pi)
  }

  private static func shiftedByBaidu(_ place: Coordinate) -> Coordinate {
    let turn = Double.pi * 3000 / 180
    let (x, y) = (place.longitude, place.latitude)
    let radius = (x * x + y * y).squareRoot() + 0.000_02 * math_sin(y * turn)
    let angle = math_atan2(y, x) + 0.000_003 * math_cos(x * turn)
    return Coordinate(
      latitude: radius * math_sin(angle) + 0.006, longitude: radius * math_cos(angle) + 0.006_5)
  }

  // MARK: Where it holds

  /// Degrees: south, west, north, east.
  private typealias Box = (south: Double, west: Double, north: Double, east: Double)

  /// The mainland as boxes, and what of them lies in other countries. Coarse: the shift is for
  /// maps, and no exact border is in them.
  private static let inside: [Box] = [
    (42.8899, 79.4462, 49.2204, 96.33), (39.3742, 109.6872, 54.1415, 135.0002),
    (29.5297, 73.1246, 42.8899, 124.143255), (26.7186, 82.9684, 32.9687, 97.0352),
    (20.414096, 97.0253, 29.5297, 124.367395), (17.871542, 107.975793, 20.414096, 111.744104),
  ]
  private static let outside: [Box] = [
    (21.785006, 119.921265, 25.398623, 122.497559), (20.0988, 101.8652, 22.284, 106.665),
    (20.4878, 106.4525, 21.5422, 108.051), (50.3257, 109.0323, 55.8175, 119.127),
    (49.5574, 127.4568, 55.8175, 137.0227), (42.5692, 131.2662, 44.8922, 137.0227),
  ]

  private static func isInChina(_ place: Coordinate) -> Bool {
    let isIn = { (box: Box) in
      (box.south...box.north).contains(place.latitude)
        && (box.west...box.east).contains(place.longitude)
    }
    return inside.contains(where: isIn) && !outside.contains(where: isIn)
  }
}
