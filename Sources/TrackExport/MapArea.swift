import GNSS

/// A part of the Earth's surface.
package enum MapArea: Equatable, Sendable {
  /// All places at most so many metres from the centre, along the ellipsoid.
  case circle(centre: Coordinate, radius: Double)
  /// Between two parallels and, going east from the first to the second, between two meridians; so
  /// a box may lie across the antimeridian. Its edge belongs to it.
  case box(south: Double, west: Double, north: Double, east: Double)

  package func contains(_ place: Coordinate) -> Bool {
    switch self {
    case .circle(let centre, let radius):
      // A degree of latitude is never shorter than this: far places need no exact distance.
      guard abs(place.latitude - centre.latitude) * 110_000 <= radius else { return false }
      return centre.distance(to: place) <= radius
    case .box(let south, let west, let north, let east):
      guard place.latitude >= south, place.latitude <= north else { return false }
      let longitude = place.longitude
      return west <= east
        ? longitude >= west && longitude <= east : longitude >= west || longitude <= east
    }
  }
}
