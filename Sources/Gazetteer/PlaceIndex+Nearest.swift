import Bytes
import CMath
import GNSS

extension PlaceIndex {
  /// The place that is the nearest along the geodesic; of two equally near ones the larger.
  ///
  /// The tree is cut by planes in Earth-centred space, where neither a pole nor the antimeridian is
  /// a border. A part of it is passed over only where even the straight line to it is longer than
  /// any geodesic as short as the best so far can be, so that the answer is exact.
  package func nearest(to position: Coordinate, in view: ByteView) -> NearestPlace? {
    guard position.isValid, fits(view) else { return nil }
    var search = NearestSearch(position)
    search.run(self, view)
    guard let best = search.best, let place = place(best, in: view) else { return nil }
    return NearestPlace(place: place, seenFrom: position)
  }
}

/// One search through the tree.
private struct NearestSearch {
  private(set) var best: Int?

  private let position: Coordinate
  private let here: SIMD3<Double>
  private var distance = Double.infinity
  private var population: UInt32 = 0
  /// Metres; a place to which the straight line is longer is farther than the best one.
  private var chordMax = Double.infinity
  /// Whether geodesics are compared; else straight lines.
  private var isExact = false

  /// A part of the tree that is still to be looked through: the middle one of these places is its
  /// root. `gap` is how far it is from here, along each axis.
  private struct Part {
    var places: Range<Int>
    var gap: SIMD3<Double>
  }

  init(_ position: Coordinate) {
    self.position = position
    let centre = position.earthCentred
    here = SIMD3(centre.x, centre.y, centre.z)
  }

  /// Finds the one that is nearest along a straight line, which costs little, and then looks at
  /// those that may yet be nearer along the geodesic.
  mutating func run(_ index: PlaceIndex, _ view: ByteView) {
    lookThrough(index, view)
    guard let rough = best else { return }
    isExact = true
    chordMax = .infinity
    offer(rough, index.node(rough, in: view).centre, index, view)
    lookThrough(index, view)
  }

  private mutating func lookThrough(_ index: PlaceIndex, _ view: ByteView) {
    var parts = [Part(places: 0..<index.placeCount, gap: .zero)]
    while let part = parts.popLast() {
      guard !part.places.isEmpty, isWithinReach(part.gap) else { continue }
      let middle = part.places.lowerBound + part.places.count / 2
      let (centre, axis) = index.node(middle, in: view)
      offer(middle, centre, index, view)
      let beyond = here[axis] - centre[axis]
      let low = part.places.lowerBound..<middle
      let high = middle + 1..<part.places.upperBound
      var gap = part.gap
      gap[axis] = beyond
      parts.append(Part(places: beyond < 0 ? high : low, gap: gap))
      parts.append(Part(places: beyond < 0 ? low : high, gap: part.gap))
    }
  }

  private func isWithinReach(_ offset: SIMD3<Double>) -> Bool {
    (offset * offset).sum() <= chordMax * chordMax
  }

  private mutating func offer(
    _ candidate: Int, _ centre: SIMD3<Double>, _ index: PlaceIndex, _ view: ByteView
  ) {
    let offset = centre - here
    guard isWithinReach(offset) else { return }
    guard isExact else {
      (best, chordMax) = (candidate, (offset * offset).sum().squareRoot())
      return
    }
    let found = index.coordinate(candidate, in: view).distance(to: position)
    let inhabitants = index.population(candidate, in: view)
    guard found < distance || found == distance && inhabitants > population else { return }
    (best, distance, population) = (candidate, found, inhabitants)
    let halfTurn = min(found / (2 * Self.flattestRadius), .pi / 2)
    chordMax = 2 * Self.flattestRadius * math_sin(halfTurn) + Self.slack
  }

  /// Metres: no line on the ellipsoid is less curved than a circle of this radius. The flattest,
  /// over a pole, has a²/b = 6,399.6 km; the rest makes up for geodesics that are no plane curves.
  private static let flattestRadius = 6_410_000.0
  /// Metres: the tree keeps whole centimetres.
  private static let slack = 0.1
}
