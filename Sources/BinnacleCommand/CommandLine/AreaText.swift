import GNSS
import TrackExport

/// Places as they are typed: degrees with a sign, latitude first.
enum AreaText {
  /// `LAT,LON,RADIUS`; the radius in metres, or with the unit `m` or `km`.
  static func circle(_ text: String) throws(CommandError) -> MapArea {
    let error = CommandError.usage(
      "--within \(text): no circle; write LAT,LON,RADIUS such as 52.5,13.4,500m or 52.5,13.4,2km")
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 3, let centre = coordinate(parts[0], parts[1]),
      let radius = metres(parts[2])
    else { throw error }
    return .circle(centre: centre, radius: radius)
  }

  /// `LAT,LON,LAT,LON`: the corner in the south-west, then the one in the north-east.
  static func box(_ text: String) throws(CommandError) -> MapArea {
    let error = CommandError.usage(
      "--bbox \(text): no box; write LAT,LON,LAT,LON, first the corner in the south-west, such as "
        + "52.3,13.0,52.7,13.8")
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 4, let first = coordinate(parts[0], parts[1]),
      let second = coordinate(parts[2], parts[3]), first.latitude <= second.latitude
    else { throw error }
    return .box(
      south: first.latitude, west: first.longitude, north: second.latitude, east: second.longitude)
  }

  private static func coordinate(_ latitude: Substring, _ longitude: Substring) -> Coordinate? {
    guard let latitude = number(latitude), let longitude = number(longitude) else { return nil }
    let place = Coordinate(latitude: latitude, longitude: longitude)
    return place.isValid ? place : nil
  }

  private static func metres(_ text: Substring) -> Double? {
    let digits = trimmed(text)
    let metres =
      digits.hasSuffix("km")
      ? number(digits.dropLast(2)).map { $0 * 1000 }
      : number(digits.hasSuffix("m") ? digits.dropLast() : digits)
    return metres.flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }
  }

  private static func number(_ text: Substring) -> Double? { Double(trimmed(text)) }

  private static func trimmed(_ text: Substring) -> Substring {
    var rest = text.drop { $0 == " " }
    while rest.last == " " { rest.removeLast() }
    return rest
  }
}
