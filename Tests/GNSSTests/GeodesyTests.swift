import Testing

@testable import GNSS

@Suite("Geodesy") struct GeodesyTests {
  struct Line: Sendable {
    let from: Coordinate
    let to: Coordinate
    let distance: Double
    let bearing: Double
    let finalBearing: Double

    init(
      _ fromLatitude: Double, _ fromLongitude: Double, _ toLatitude: Double,
      _ toLongitude: Double, _ distance: Double, _ bearing: Double, _ finalBearing: Double
    ) {
      from = Coordinate(latitude: fromLatitude, longitude: fromLongitude)
      to = Coordinate(latitude: toLatitude, longitude: toLongitude)
      (self.distance, self.bearing, self.finalBearing) = (distance, bearing, finalBearing)
    }
  }

  /// Computed by GeographicLib 2.1 (Karney's own implementation, which sums series instead).
  static let lines: [Line] = [
    Line(40.6, -73.8, 51.6, -0.5, 5_551_759.400318678, 51.1988828456, 107.8217767355),
    Line(
      35.60777, -139.44815, -11.17491, -69.95921, 8_935_244.560481830, 111.0987484296,
      129.2892708897),
    Line(
      55.52454, 106.05087, 77.03196, -162.81766, 4_105_086.171392442, 22.020059881, 109.1120411107),
    Line(
      -66.99028, 112.2363, -12.70631, -74.09656, 11_150_344.231208025, 173.734912409, 2.5129566209),
    // Across the antimeridian.
    Line(-17, 179.9995, -17, -179.9995, 106.485830759, 90.0001461859, 89.9998538141),
    Line(5, -179.9, 5, 179.9, 22_179.741160888, 270.0087155831, 269.9912844169),
    // At and around the poles.
    Line(90, 0, -90, 77, 20_003_931.458625447, 103, 180),
    Line(-90, 0, 10, 20, 11_107_820.562547095, 20, 0),
    Line(89.999, 10, 89.999, -170, 223.387959119, 0, 180),
    Line(89.999, 0, 89.9995, 90, 124.877665485, 26.5650511788, 116.5650511745),
    // Antipodes, and near them.
    Line(0, 0, 0, 179.5, 19_980_861.908890963, 55.9664951402, 124.0335048598),
    Line(0, 0, 0, 180, 20_003_931.458625447, 0, 180),
    Line(0, 0, 0.5, 179.5, 19_936_288.578965314, 25.6718728683, 154.3270854699),
    Line(0, 0, 0.5, 179.7, 19_944_127.420750458, 15.5568827935, 164.4425138909),
    Line(-30, 0, 30, 180, 20_003_931.458625447, 180, 0),
    Line(-30, 0, 29.9, 179.8, 19_989_832.827609532, 161.8905247363, 18.0907372457),
    // Along the equator and a hair beside it.
    Line(0, 0, 0, 1, 111_319.490793274, 90, 90),
    Line(1e-10, 0, 1e-10, 10, 1_113_194.907932736, 90, 90),
    // Short ones.
    Line(-49.3416667, 70.2208333, -49.3411898, 70.2208333, 53.039076209, 0, 0),
    Line(
      -49.3416667, 70.2208333, -49.3416667, 70.2208334, 0.007266999, 90.0000000379, 89.9999999621),
  ]

  @Test("the distance of near places is the exact one within a millimetre")
  func local() {
    let seed = UInt64.random(in: 1...UInt64.max)
    var random = SplitMix(state: seed)
    func next(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
    for _ in 0..<2000 {
      let from = Coordinate(latitude: next(-89.9...89.9), longitude: next(-180...180))
      let to = from.destination(bearing: next(0...360), distance: next(0...7000))
      let exact = from.distance(to: to)
      #expect(abs(from.localDistance(to: to) - exact) < 0.001, "seed \(seed): \(from) \(to)")
    }
  }

  @Test("a point on the way to a near place is the geodesic's within 2 m, or 10 cm up to 200 m")
  func localPoint() {
    let seed = UInt64.random(in: 1...UInt64.max)
    var random = SplitMix(state: seed)
    func next(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
    for index in 0..<2000 {
      let from = Coordinate(latitude: next(-89.9...89.9), longitude: next(-180...180))
      let (bearing, part) = (next(0...360), next(0...1))
      let distance = next(0...(index.isMultiple(of: 2) ? 200 : 7000))
      let to = from.destination(bearing: bearing, distance: distance)
      let exact = from.destination(bearing: bearing, distance: distance * part)
      let off = from.localPoint(part, of: to).distance(to: exact)
      #expect(off < (distance <= 200 ? 0.1 : 2), "seed \(seed): \(from) \(to) \(part)")
    }
  }

  @Test("distances and bearings agree with GeographicLib", arguments: lines)
  func inverse(line: Line) {
    let geodesic = Geodesic(from: line.from, to: line.to)
    #expect(abs(geodesic.distance - line.distance) < 1e-7)
    #expect(abs(geodesic.initialBearing - line.bearing) < 2e-7)
    #expect(abs(geodesic.finalBearing - line.finalBearing) < 2e-7)
    #expect(abs(line.to.distance(to: line.from) - line.distance) < 1e-7)
  }

  @Test("going the distance along the bearing arrives", arguments: lines)
  func direct(line: Line) {
    let end = line.from.destination(bearing: line.bearing, distance: line.distance)
    #expect(end.distance(to: line.to) < 2e-3)
    #expect(end.isValid)
  }

  @Test("equal points are 0 m apart; what is no number stays none")
  func degenerate() {
    let point = Coordinate(latitude: 60, longitude: 20)
    #expect(point.distance(to: point) == 0)
    #expect(
      Coordinate(latitude: 1, longitude: 180).distance(to: .init(latitude: 1, longitude: -180)) == 0
    )
    #expect(point.distance(to: Coordinate(latitude: .nan, longitude: 0)).isNaN)
    #expect(point.destination(bearing: 10, distance: .infinity).latitude.isNaN)
    #expect(point.destination(bearing: 77, distance: 0).distance(to: point) < 1e-8)
  }

  @Test("random lines come back: destination, then distance and bearing")
  func roundTrip() {
    let seed: UInt64 = 20_261_014
    var random = SplitMix(state: seed)
    func next(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
    for _ in 0..<2000 {
      let from = Coordinate(latitude: next(-89.9...89.9), longitude: next(-180...180))
      let bearing = next(0...360)
      let distance = next(1...19_900_000)
      let line = Geodesic(from: from, to: from.destination(bearing: bearing, distance: distance))
      #expect(abs(line.distance - distance) < 1e-6, "seed \(seed), from \(from)")
      let turn = (line.initialBearing - bearing).remainder(dividingBy: 360)
      #expect(abs(turn) * min(distance, 6e6) < 1e-3, "seed \(seed), from \(from)")
    }
  }
}

/// SplitMix64 of Vigna's, so that a seed gives the same places again.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }
}
