import Bytes
import Gazetteer

extension PopulatedPlace {
  /// `Bern, BE, CH`, without characters that would move a terminal's cursor.
  var label: String {
    let parts = [name, regionCode, countryCode].filter { !$0.isEmpty }
    let text = parts.joined(separator: ", ")
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }

  /// The object with which programs are told of it.
  /// - Parameter nearest: How it is seen from where somebody is.
  func appendJSON(_ nearest: NearestPlace?, to output: inout OutputBuffer) {
    output.append(#"{"name":"#)
    output.append(jsonString: name)
    if asciiName != name { output.append(member: "ascii", asciiName) }
    if !countryCode.isEmpty { output.append(member: "country", countryCode) }
    if !regionCode.isEmpty { output.append(member: "region", regionCode) }
    output.append(member: "lat", coordinate.latitude, decimals: 7)
    output.append(member: "lon", coordinate.longitude, decimals: 7)
    if population > 0 { output.append(member: "population", Int(population)) }
    if !timeZone.isEmpty { output.append(member: "timezone", timeZone) }
    if geonameID > 0 { output.append(member: "geonameid", Int(geonameID)) }
    output.append(member: "distance", nearest?.distance, decimals: 1)
    output.append(member: "bearing", nearest?.bearing, decimals: 1)
    output.append(byte: UInt8(ascii: "}"))
  }
}

extension NearestPlace {
  private static let points: [StaticString] = [
    "N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE",
    "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW",
  ]

  /// `640 m WNW`, or `12.3 km S`.
  func appendDistance(to output: inout OutputBuffer) {
    if distance < 1000 {
      output.append(fixed: distance, decimals: 0)
      output.append(" m ")
    } else {
      output.append(fixed: distance / 1000, decimals: distance < 100_000 ? 1 : 0)
      output.append(" km ")
    }
    let sixteenth = Int(exactly: (bearing / 22.5).rounded()) ?? 0
    output.append(Self.points[sixteenth & 15])
  }
}
