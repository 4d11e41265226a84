import CMath

extension Coordinate {
  /// Metres to another position as on a plane: within half a percent up to 10 km away from the
  /// poles, at a small part of the cost of `distance(to:)`. For decisions at every epoch.
  package func planarDistance(to other: Coordinate) -> Double {
    let north = (other.latitude - latitude) * Self.metersPerDegree
    var degrees = other.longitude - longitude
    if degrees > 180 { degrees -= 360 }
    if degrees < -180 { degrees += 360 }
    let parallel = math_cos((latitude + other.latitude) * .pi / 360)
    let east = degrees * Self.metersPerDegree * parallel
    return (north * north + east * east).squareRoot()
  }

  /// Metres to another position: `distance(to:)` within a millimetre, at a twentieth of its cost up
  /// to some 6 km, where the ellipsoid is as curved as at the middle latitude (Gauss's method).
  package func localDistance(to other: Coordinate) -> Double {
    let radians = Double.pi / 180
    let north = (other.latitude - latitude) * radians
    let east = (other.longitude - longitude) * radians
    guard abs(north) < Self.localSpan, abs(east) < Self.localSpan else {
      return distance(to: other)
    }
    let middle = (latitude + other.latitude) / 2 * radians
    let (sine, cosine) = (math_sin(middle), math_cos(middle))
    let square = 1 - WGS84.eccentricitySquared * sine * sine
    let parallel = WGS84.equatorialRadius / square.squareRoot()
    let meridian = parallel * (1 - WGS84.eccentricitySquared) / square
    let (y, x) = (north * meridian, east * parallel * cosine)
    return (y * y + x * x).squareRoot()
  }

  /// The position at a part, 0 to 1, of the way to another: straight in latitude and longitude up
  /// to some 6 km, less than 2 m off the geodesic (10 cm up to 200 m), and along it beyond.
  package func localPoint(_ part: Double, of other: Coordinate) -> Coordinate {
    let north = other.latitude - latitude
    let east = other.longitude - longitude
    let span = Self.localSpan * 180 / .pi
    guard abs(north) < span, abs(east) < span else {
      let way = Geodesic(from: self, to: other)
      return destination(bearing: way.initialBearing, distance: way.distance * part)
    }
    return Coordinate(latitude: latitude + north * part, longitude: longitude + east * part)
  }

  /// Radians.
  private static let localSpan = 0.001

  /// The position so many metres to the north and east, as on a plane.
  package func moved(north: Double, east: Double) -> Coordinate {
    let longitude = longitude + east / (Self.metersPerDegree * parallel)
    return Coordinate(
      latitude: min(max(latitude + north / Self.metersPerDegree, -90), 90),
      longitude: longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude)
  }

  /// Metres to the north and east to another position: what `moved` takes to come there.
  package func planarOffset(to other: Coordinate) -> (north: Double, east: Double) {
    var degrees = other.longitude - longitude
    if degrees > 180 { degrees -= 360 }
    if degrees < -180 { degrees += 360 }
    let north = (other.latitude - latitude) * Self.metersPerDegree
    return (north, degrees * Self.metersPerDegree * parallel)
  }

  /// What a degree of longitude is of one of latitude; never quite nothing.
  private var parallel: Double { max(math_cos(latitude * .pi / 180), 0.01) }

  /// Of a great circle of the sphere with the mean radius of the Earth.
  private static let metersPerDegree = 111_195.0
}
