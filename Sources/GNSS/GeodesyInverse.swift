import CMath

/// The inverse problem, turned so that the start lies in the southern hemisphere, no nearer to the
/// equator than the end, and the end lies 0 to 180 degrees east.
///
/// Karney (2013), section 4: the azimuth is found by Newton's method, kept inside a bracket, so
/// that it also converges for antipodes, where Vincenty's method does not.
struct GeodesicProblem {
  /// Reduced latitudes.
  let start: Direction
  let end: Direction
  /// The difference of longitude, twice.
  let longitude: Direction
  let longitudeRadians: Double

  struct Solution {
    /// Metres.
    var distance: Double
    var azimuth: Direction
    var endAzimuth: Direction
  }

  /// A line that leaves the start at a trial azimuth and ends at the latitude of the end.
  private struct Trial {
    var distance: Double
    var longitude: Double
    /// The change of longitude with the azimuth.
    var slope: Double
    var endAzimuth: Direction
  }

  /// Newton's method takes about four steps, bisection towards an antipode up to 60.
  private static let stepCountMax = 100
  /// Radians of longitude; 1e-15 is 6 nanometres.
  private static let tolerance = 1e-15

  func solution() -> Solution {
    if longitude.sine == 0 || start.cosine < 1e-100 { return meridian() }
    if start.sine == 0, longitudeRadians <= (1 - WGS84.flattening) * .pi { return equator() }
    var (low, high) = (Direction(sine: 0, cosine: 1), Direction(sine: 0, cosine: -1))
    var azimuth = sphericalAzimuth()
    var result = trial(azimuth)
    for _ in 0..<Self.stepCountMax {
      let excess = result.longitude - longitudeRadians
      guard abs(excess) > Self.tolerance else { break }
      if excess > 0 { high = azimuth } else { low = azimuth }
      let step = -excess / result.slope
      var next = azimuth.turned(byRadians: step)
      let isBracketed =
        abs(step) < .pi && low.sine * next.cosine < low.cosine * next.sine
        && next.sine * high.cosine < next.cosine * high.sine
      // (0, 1) and (0, -1) are half a circle apart, so their sum has no direction: go east.
      if !isBracketed {
        next =
          low.sine == 0 && high.sine == 0
          ? Direction(sine: 1, cosine: 0)
          : Direction(sine: low.sine + high.sine, cosine: low.cosine + high.cosine)
      }
      guard next.sine != azimuth.sine || next.cosine != azimuth.cosine else { break }
      azimuth = next
      result = trial(azimuth)
    }
    return Solution(
      distance: result.distance, azimuth: azimuth, endAzimuth: result.endAzimuth)
  }

  /// Along the meridian, or over the south pole to the opposite one.
  private func meridian() -> Solution {
    let azimuth = longitude
    let curve = GeodesicCurve(azimuth: Direction(sine: 0, cosine: 1), start: start)
    let from = math_atan2(start.sine, azimuth.cosine * start.cosine)
    let to = math_atan2(end.sine, end.cosine)
    let turn = to < from ? to + 2 * .pi - from : to - from
    return Solution(
      distance: curve.integrals(from: from, to: from + turn).distance * WGS84.polarRadius,
      azimuth: azimuth, endAzimuth: Direction(sine: 0, cosine: 1))
  }

  private func equator() -> Solution {
    let east = Direction(sine: 1, cosine: 0)
    return Solution(
      distance: longitudeRadians * WGS84.equatorialRadius, azimuth: east, endAzimuth: east)
  }

  /// The azimuth on a sphere whose longitudes are stretched as at the mean latitude.
  private func sphericalAzimuth() -> Direction {
    let middle = (start.sine + end.sine) / 2
    let eccentricity = WGS84.eccentricitySquared
    let stretch = (1 - eccentricity * (1 - middle * middle)).squareRoot()
    let turn = min(longitudeRadians / stretch, .pi)
    let (sine, cosine) = (math_sin(turn), math_cos(turn))
    let azimuth = Direction(
      sine: end.cosine * sine,
      cosine: start.cosine * end.sine - start.sine * end.cosine * cosine)
    // Half a turn has no azimuth on the sphere; the ellipsoid's lies between, and east is as good.
    return azimuth.sine > 1e-12 ? azimuth : Direction(sine: 1, cosine: 0)
  }

  private func trial(_ azimuth: Direction) -> Trial {
    let curve = GeodesicCurve(azimuth: azimuth, start: start)
    let difference =
      start.cosine < -start.sine
      ? (end.cosine - start.cosine) * (start.cosine + end.cosine)
      : (start.sine - end.sine) * (start.sine + end.sine)
    let across = azimuth.cosine * start.cosine
    let endAzimuth = Direction(
      sine: curve.node.sine, cosine: (max(across * across + difference, 0)).squareRoot())
    let first = Direction(sine: start.sine, cosine: across)
    let last = Direction(sine: end.sine, cosine: endAzimuth.cosine * end.cosine)
    let turn = max(Self.angle(from: first, to: last), 0)
    let from = first.radians
    let integrals = curve.integrals(from: from, to: from + turn)
    let eastward = Self.angle(
      from: Direction(sine: curve.node.sine * first.sine, cosine: first.cosine),
      to: Direction(sine: curve.node.sine * last.sine, cosine: last.cosine))
    return Trial(
      distance: integrals.distance * WGS84.polarRadius,
      longitude: (eastward < 0 ? eastward + 2 * .pi : eastward) - integrals.longitudeLag,
      slope: slope(curve, first, last, endAzimuth, integrals.reducedLength),
      endAzimuth: endAzimuth)
  }

  /// The derivative of the longitude by the azimuth: Karney (2013), equations 38 and 46.
  private func slope(
    _ curve: GeodesicCurve, _ first: Direction, _ last: Direction, _ endAzimuth: Direction,
    _ integral: Double
  ) -> Double {
    let startStretch = curve.stretch(sine: first.sine)
    guard endAzimuth.cosine > 0 else {
      return -2 * (1 - WGS84.flattening) * startStretch / start.sine
    }
    let reducedLength =
      curve.stretch(sine: last.sine) * first.cosine * last.sine
      - startStretch * first.sine * last.cosine - first.cosine * last.cosine * integral
    return reducedLength * (1 - WGS84.flattening) / (endAzimuth.cosine * end.cosine)
  }

  private static func angle(from: Direction, to: Direction) -> Double {
    math_atan2(
      from.cosine * to.sine - from.sine * to.cosine,
      from.cosine * to.cosine + from.sine * to.sine)
  }
}
