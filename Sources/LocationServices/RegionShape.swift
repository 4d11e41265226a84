import GNSS

/// What a region covers.
package enum RegionShape: Equatable, Sendable {
  /// All places within `radius` metres, measured along geodesics.
  case circle(centre: Coordinate, radius: Double)
  /// The area within a closed line of three or more corners, the last joined to the first. Sides
  /// are the shortest lines between their ends, so that an area may lie across the antimeridian or
  /// around a pole. Which side is inside does not depend on the order: it is the smaller one.
  case polygon([Coordinate])

  /// Metres. Smaller circles are refused.
  package static let radiusMin = 1.0
  /// Metres: half way round the Earth.
  package static let radiusMax = 20_000_000.0
  /// Metres. A smaller region is accepted with a warning: fixes are hardly more accurate.
  package static let radiusReliable = 100.0
  /// More corners than this are refused.
  package static let cornerCountMax = 10_000
  /// Metres from its middle that a polygon may reach, well below a quarter of the way round.
  package static let polygonReachMax = 5_000_000.0

  /// - Throws: `regionMonitoringFailure` with what is wrong.
  package func validate() throws(LocationError) {
    switch self {
    case .circle(let centre, let radius):
      guard centre.isValid else { throw Self.failure("the centre is no coordinate") }
      guard radius >= Self.radiusMin, radius <= Self.radiusMax else {
        throw Self.failure("the radius is not from 1 m to 20,000 km")
      }
    case .polygon(let corners):
      guard corners.count >= 3, corners.count <= Self.cornerCountMax else {
        throw Self.failure("a polygon has 3 to \(Self.cornerCountMax) corners")
      }
      guard corners.allSatisfy(\.isValid) else { throw Self.failure("a corner is no coordinate") }
      guard let polygon = RegionPolygon(corners), polygon.reach > Self.radiusMin else {
        throw Self.failure("the corners enclose no area")
      }
      guard polygon.reach <= Self.polygonReachMax else {
        throw Self.failure("the polygon reaches over 5,000 km from its middle")
      }
    }
  }

  /// Metres from the middle to the farthest point.
  package var reach: Double {
    switch self {
    case .circle(_, let radius): radius
    case .polygon(let corners): RegionPolygon(corners)?.reach ?? 0
    }
  }

  private static func failure(_ cause: String) -> LocationError {
    LocationError(.regionMonitoringFailure, cause: cause)
  }
}

/// A polygon prepared for questions.
struct RegionPolygon: Sendable {
  let corners: [Coordinate]
  /// The middle of the circle that holds all corners.
  let middle: Coordinate
  /// Its radius, in metres.
  let reach: Double
  private let normals: [Vector3]

  /// `nil` where the corners have no middle.
  init?(_ corners: [Coordinate]) {
    let normals = corners.map(\.normal)
    let sum = normals.reduce(Vector3(x: 0, y: 0, z: 0), +)
    guard sum.length > 1e-9 else { return nil }
    let middle = Coordinate(normal: sum)
    self.corners = corners
    self.normals = normals
    self.middle = middle
    reach = corners.map(middle.distance(to:)).max() ?? 0
  }

  /// Metres from `position` to the nearest side: negative inside. Sides are great circles through
  /// the normals, which are geodesics within a metre over 100 km; asked for from within the reach.
  func edgeDistance(from position: Coordinate) -> Double {
    let here = position.normal
    // The directions east and north; at a pole, where there are none, any two like them.
    let east =
      abs(here.z) < 0.9999
      ? Vector3(x: -here.y, y: here.x, z: 0) : Vector3(x: 0, y: -here.z, z: here.y)
    let north = here.cross(east)
    var winding = 0
    var nearest = Double.infinity
    var start = normals[normals.count - 1]
    for end in normals {
      winding += Self.crossing(
        (start.dot(east), start.dot(north)), (end.dot(east), end.dot(north)))
      nearest = min(nearest, Self.sine(from: here, toSideFrom: start, to: end))
      start = end
    }
    let angle = nearest * (1 + nearest * nearest / 6)
    return (winding == 0 ? 1 : -1) * angle * Self.meanRadius(at: here)
  }

  /// Whether a side passes the half circle that goes north from here: 1 or -1 by its direction.
  private static func crossing(
    _ start: (east: Double, north: Double), _ end: (east: Double, north: Double)
  ) -> Int {
    guard (start.east < 0) != (end.east < 0) else { return 0 }
    let turn = start.east * end.north - start.north * end.east
    if start.east < 0 { return turn < 0 ? 1 : 0 }
    return turn > 0 ? -1 : 0
  }

  /// The sine of the angle to the nearest point of a side.
  private static func sine(
    from here: Vector3, toSideFrom start: Vector3, to end: Vector3
  ) -> Double {
    let pole = start.cross(end)
    let length = pole.length
    if length > 0, pole.cross(start).dot(here) > 0, end.cross(pole).dot(here) > 0 {
      return abs(pole.dot(here)) / length
    }
    return min(here.cross(start).length, here.cross(end).length)
  }

  /// The geometric mean of the two radii of curvature, in metres.
  private static func meanRadius(at normal: Vector3) -> Double {
    let eccentricity = WGS84.flattening * (2 - WGS84.flattening)
    return WGS84.polarRadius / (1 - eccentricity * normal.z * normal.z)
  }
}
