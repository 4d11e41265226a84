import CMath

/// Distances and directions on the WGS-84 ellipsoid, exact to some nanometres anywhere: across
/// the antimeridian, at the poles and to the antipodes.
extension Coordinate {
  /// The length of the shortest line on the ellipsoid, in metres; NaN where a coordinate is no
  /// number.
  package func distance(to other: Coordinate) -> Double {
    Geodesic(from: self, to: other).distance
  }

  /// The direction in which the shortest line to `other` leaves here: degrees from true north,
  /// 0 up to but not 360. Of two equal points, 0 or 180.
  package func bearing(to other: Coordinate) -> Double {
    Geodesic(from: self, to: other).initialBearing
  }

  /// Where one arrives who goes straight on.
  /// - Parameters:
  ///   - bearing: The direction at the start, degrees from true north.
  ///   - distance: Metres, at most twice round the Earth; negative goes backwards.
  package func destination(bearing: Double, distance: Double) -> Coordinate {
    guard bearing.isFinite, distance.isFinite, latitude.isFinite, longitude.isFinite else {
      return Coordinate(latitude: .nan, longitude: .nan)
    }
    let start = Direction(degrees: latitude).reducedLatitude
    let azimuth = Direction(degrees: bearing)
    let curve = GeodesicCurve(azimuth: azimuth, start: start)
    let first = Direction(sine: start.sine, cosine: azimuth.cosine * start.cosine)
    let from = first.radians
    let wanted = distance / WGS84.polarRadius
    var turn = wanted
    for _ in 0..<Self.destinationStepCount {
      let missing = wanted - curve.integrals(from: from, to: from + turn).distance
      turn += missing / curve.stretch(sine: math_sin(from + turn))
    }
    let last = first.turned(byRadians: turn)
    let lag = curve.integrals(from: from, to: from + turn).longitudeLag
    let north =
      (curve.node.sine * curve.node.sine
      + curve.node.cosine * curve.node.cosine * last.cosine * last.cosine).squareRoot()
    let end = Direction(
      sine: curve.node.cosine * last.sine, cosine: (1 - WGS84.flattening) * north)
    let eastward =
      math_atan2(curve.node.sine * last.sine, last.cosine)
      - math_atan2(curve.node.sine * first.sine, first.cosine)
    return Coordinate(
      latitude: end.degrees,
      longitude: (longitude + (eastward - lag) * 180 / .pi).remainder(dividingBy: 360))
  }

  /// Newton's steps from the sphere's angle; each squares an error that starts below 1 %.
  private static let destinationStepCount = 4
}

/// The shortest line between two points.
package struct Geodesic: Equatable, Sendable {
  /// Metres.
  package private(set) var distance: Double
  /// Degrees from true north, 0 up to but not 360.
  package private(set) var initialBearing: Double
  /// The direction of going on at the end, degrees from true north, 0 up to but not 360.
  package private(set) var finalBearing: Double

  package init(from start: Coordinate, to end: Coordinate) {
    let eastward = (end.longitude - start.longitude).remainder(dividingBy: 360)
    guard eastward.isFinite, start.latitude.isFinite, end.latitude.isFinite else {
      (distance, initialBearing, finalBearing) = (.nan, .nan, .nan)
      return
    }
    // Turned and mirrored so that the start is in the south, no nearer to the equator than the end,
    // and the end in the east: then one azimuth alone leads there.
    let isSwapped = abs(start.latitude) < abs(end.latitude)
    let (near, far) = isSwapped ? (start, end) : (end, start)
    let isMirrored = far.latitude >= 0
    // On the equator this is -0: then `atan2` still knows that a line to the south has begun.
    let south = Direction(degrees: -abs(far.latitude))
    let north = Direction(degrees: isMirrored ? -near.latitude : near.latitude)
    let problem = GeodesicProblem(
      start: south.reducedLatitude, end: north.reducedLatitude,
      longitude: Direction(degrees: abs(eastward)), longitudeRadians: abs(eastward) * .pi / 180)
    let solution = problem.solution()
    var (first, last) = (solution.azimuth, solution.endAzimuth)
    if isSwapped { (first, last) = (last, first) }
    if isSwapped != isMirrored {
      (first.cosine, last.cosine) = (-first.cosine, -last.cosine)
    }
    if eastward < 0 { (first.sine, last.sine) = (-first.sine, -last.sine) }
    distance = solution.distance
    initialBearing = Self.compass(first)
    finalBearing = Self.compass(last)
  }

  private static func compass(_ direction: Direction) -> Double {
    let degrees = direction.degrees
    let bearing = degrees < 0 ? degrees + 360 : degrees
    return bearing < 360 ? bearing : 0
  }
}
