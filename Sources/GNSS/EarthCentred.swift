import CMath

/// A point or a velocity in the frame that turns with the Earth: x through Greenwich, z through the
/// north pole; metres or m/s.
package struct EarthCentred: Equatable, Sendable {
  package var x: Double
  package var y: Double
  package var z: Double

  package init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }

  /// Nearer than this to the centre, metres, nothing has a latitude; no receiver is there.
  private static let radiusMin = 1_000_000.0

  /// The position, and the metres above the ellipsoid. Bowring's formula: off by less than 0.1 mm
  /// up to 1000 km. `nil` near the centre of the Earth.
  package var geodetic: (coordinate: Coordinate, height: Double)? {
    let equatorial = (x * x + y * y).squareRoot()
    guard equatorial + z.magnitude > Self.radiusMin, (equatorial + z.magnitude).isFinite else {
      return nil
    }
    let (a, b) = (WGS84.equatorialRadius, WGS84.polarRadius)
    let reduced = Direction(sine: z * a, cosine: equatorial * b)
    let latitude = Direction(
      sine: z + WGS84.secondEccentricitySquared * b * reduced.sine * reduced.sine * reduced.sine,
      cosine: equatorial
        - WGS84.eccentricitySquared * a * reduced.cosine * reduced.cosine * reduced.cosine)
    let curvature = (1 - WGS84.eccentricitySquared * latitude.sine * latitude.sine).squareRoot()
    let height = equatorial * latitude.cosine + z * latitude.sine - a * curvature
    return (
      Coordinate(latitude: latitude.degrees, longitude: Direction(sine: y, cosine: x).degrees),
      height
    )
  }

  /// A velocity in the directions of a place, m/s.
  package func local(at place: Coordinate) -> (north: Double, east: Double, up: Double) {
    let latitude = Direction(degrees: place.latitude)
    let longitude = Direction(degrees: place.longitude)
    let outward = x * longitude.cosine + y * longitude.sine
    return (
      north: z * latitude.cosine - outward * latitude.sine,
      east: y * longitude.cosine - x * longitude.sine,
      up: outward * latitude.cosine + z * latitude.sine
    )
  }

  /// Of a motion, degrees from true north, 0 up to but not 360.
  package static func course(north: Double, east: Double) -> Double {
    let degrees = Direction(sine: east, cosine: north).degrees
    return degrees < 0 ? degrees + 360 : degrees
  }
}
