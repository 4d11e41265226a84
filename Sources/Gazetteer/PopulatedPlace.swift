import GNSS

/// A town or village of the gazetteer.
package struct PopulatedPlace: Equatable, Sendable {
  /// Its number at geonames.org; 0 where it is not known.
  package var geonameID: UInt32
  /// As it is written on the spot or in English, in UTF-8.
  package var name: String
  /// The name in plain ASCII letters.
  package var asciiName: String
  package var coordinate: Coordinate
  /// ISO 3166-1, two letters; empty where it is not known.
  package var countryCode: String
  /// The code of the state, canton or province within the country: GeoNames' `admin1 code`.
  package var regionCode: String
  /// A name of the IANA time zone database, as `Europe/Zurich`; empty where it is not known.
  package var timeZone: String
  /// Inhabitants; 0 where unknown.
  package var population: UInt32

  package init(
    geonameID: UInt32, name: String, asciiName: String, coordinate: Coordinate,
    countryCode: String, regionCode: String, timeZone: String, population: UInt32
  ) {
    (self.geonameID, self.name, self.asciiName) = (geonameID, name, asciiName)
    (self.coordinate, self.countryCode, self.regionCode) = (coordinate, countryCode, regionCode)
    (self.timeZone, self.population) = (timeZone, population)
  }
}

/// A place as seen from where somebody is.
package struct NearestPlace: Equatable, Sendable {
  package var place: PopulatedPlace
  /// Metres along the geodesic.
  package var distance: Double
  /// From the place to where somebody is: degrees from true north.
  package var bearing: Double

  package init(place: PopulatedPlace, seenFrom position: Coordinate) {
    self.place = place
    let geodesic = Geodesic(from: place.coordinate, to: position)
    (distance, bearing) = (geodesic.distance, geodesic.initialBearing)
  }
}
