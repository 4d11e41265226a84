/// A vector in the frame that turns with the Earth: x to longitude 0 on the equator, z to the north
/// pole.
package struct Vector3: Equatable, Sendable {
  package var x: Double
  package var y: Double
  package var z: Double

  package init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }

  package static func - (left: Vector3, right: Vector3) -> Vector3 {
    Vector3(x: left.x - right.x, y: left.y - right.y, z: left.z - right.z)
  }

  package static func + (left: Vector3, right: Vector3) -> Vector3 {
    Vector3(x: left.x + right.x, y: left.y + right.y, z: left.z + right.z)
  }

  package func dot(_ other: Vector3) -> Double { x * other.x + y * other.y + z * other.z }

  package func cross(_ other: Vector3) -> Vector3 {
    Vector3(
      x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
  }

  package var length: Double { dot(self).squareRoot() }
}

extension Coordinate {
  /// The upward direction here, of length 1: the ellipsoid's normal.
  package var normal: Vector3 {
    let (north, east) = (Direction(degrees: latitude), Direction(degrees: longitude))
    return Vector3(
      x: north.cosine * east.cosine, y: north.cosine * east.sine, z: north.sine)
  }

  /// The coordinate of a place whose upward direction is `normal`, of any length but 0.
  package init(normal: Vector3) {
    let across = (normal.x * normal.x + normal.y * normal.y).squareRoot()
    self.init(
      latitude: Direction(sine: normal.z, cosine: across).degrees,
      longitude: Direction(sine: normal.y, cosine: normal.x).degrees)
  }

  /// The place on the ellipsoid, in metres from the Earth's centre.
  package var earthCentred: Vector3 {
    let up = normal
    let shrink = (1 - WGS84.flattening) * (1 - WGS84.flattening)
    // The radius of curvature across the meridian.
    let radius =
      WGS84.equatorialRadius
      / (1 - WGS84.eccentricitySquared * up.z * up.z)
      .squareRoot()
    return Vector3(x: radius * up.x, y: radius * up.y, z: radius * shrink * up.z)
  }
}
