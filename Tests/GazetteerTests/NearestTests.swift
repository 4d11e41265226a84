import Bytes
import GNSS
import Testing

@testable import Gazetteer

/// A small generator with a seed: xorshift64*.
struct Generator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed | 1 }

  mutating func next() -> UInt64 {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return state &* 0x2545_f491_4f6c_dd1d
  }
}

@Suite("Nearest place") struct NearestTests {
  /// Spread over the globe, crowded at the poles, the antimeridian and in one town, some twice.
  private static func places(_ count: Int, _ generator: inout Generator) -> [Coordinate] {
    (0..<count).map { number in
      switch number % 6 {
      case 0: point(within: -90 ... -89, -180...180, &generator)
      case 1: point(within: 89.9...90, -180...180, &generator)
      case 2:
        point(within: -20...20, 179.9...180, &generator, sign: number % 4 == 0 ? 1 : -1)
      case 3: point(within: 47.0...47.1, 8.0...8.1, &generator)
      default: point(within: -90...90, -180...180, &generator)
      }
    }
  }

  private static func point(
    within latitudes: ClosedRange<Double>, _ longitudes: ClosedRange<Double>,
    _ generator: inout Generator, sign: Double = 1
  ) -> Coordinate {
    // As many decimals as a dump has.
    let latitude = Double.random(in: latitudes, using: &generator)
    let longitude = sign * Double.random(in: longitudes, using: &generator)
    return Coordinate(
      latitude: (latitude * 1e5).rounded() / 1e5, longitude: (longitude * 1e5).rounded() / 1e5)
  }

  private static let corners: [Coordinate] = [
    Coordinate(latitude: 90, longitude: 0), Coordinate(latitude: -90, longitude: 77),
    Coordinate(latitude: 0, longitude: 180), Coordinate(latitude: 0, longitude: -180),
    Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: 47.05, longitude: 8.05),
    Coordinate(latitude: -47.05, longitude: -171.95),
  ]

  @Test("is the one that a comparison of all geodesics finds", arguments: [1, 2, 3, 7, 400])
  func bruteForce(count: Int) throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    var generator = Generator(seed: seed)
    let places = Self.places(count, &generator)
    let lines = places.enumerated().map { number, place in
      Samples.line(
        number + 1, "P\(number)", "P\(number)", "", place.latitude, place.longitude, "XX", "", 0, ""
      )
    }
    var queries = Self.corners
    for _ in 0..<(count < 100 ? 20 : 120) {
      queries.append(Self.point(within: -90...90, -180...180, &generator))
    }
    for _ in 0..<20 { queries.append(Self.point(within: 89...90, -180...180, &generator)) }
    for _ in 0..<20 { queries.append(Self.point(within: 46.9...47.2, 7.9...8.2, &generator)) }
    try Samples.index(lines).withByteView { view in
      let index = try PlaceIndex(view)
      for query in queries {
        let found = try #require(index.nearest(to: query, in: view))
        let wanted = places.map { $0.distance(to: query) }.min() ?? .nan
        #expect(found.distance == wanted, "seed \(seed), \(count) places, from \(query)")
      }
    }
  }

  @Test("of two in one spot is the larger one", arguments: [[5, 900], [900, 5]])
  func sameSpot(populations: [Int]) throws {
    let lines = populations.map {
      Samples.line($0, "P\($0)", "P\($0)", "", 10, 20, "XX", "", $0, "")
    }
    try Samples.index(lines).withByteView { view in
      let here = Coordinate(latitude: 11, longitude: 20)
      let index = try PlaceIndex(view)
      #expect(index.nearest(to: here, in: view)?.place.population == 900)
    }
  }
}
