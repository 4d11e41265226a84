import Bytes
import GNSS

/// One line of a GeoNames dump: 19 columns with tabs between. Source: the `readme.txt` of
/// download.geonames.org/export/dump.
package struct GeoNamesLine {
  package var place: PopulatedPlace
  /// Names in other languages and scripts, and earlier ones.
  package var alternateNames: [String]

  /// The columns that are used, by their number from 0.
  private enum Column {
    static let geonameID = 0
    static let name = 1
    static let asciiName = 2
    static let alternateNames = 3
    static let latitude = 4
    static let longitude = 5
    static let countryCode = 8
    static let regionCode = 10
    static let population = 14
    static let timeZone = 17
    static let count = 19
  }

  /// Bytes; a longer name is left out. GeoNames allows 200 characters.
  package static let nameByteCountMax = 800

  /// - Returns: `nil` where the line has not the columns, or no name or coordinate in them.
  package init?(_ line: ByteView) {
    var columns: [Range<Int>] = []
    columns.reserveCapacity(Column.count)
    var start = 0
    while columns.count < Column.count, start <= line.count {
      let end = line.firstIndex(of: 0x09, from: start) ?? line.count
      columns.append(start..<end)
      start = end + 1
    }
    guard columns.count == Column.count else { return nil }
    func text(_ column: Int) -> String { line.extracting(columns[column]).text }
    let name = text(Column.name)
    guard !name.isEmpty, name.utf8.count <= Self.nameByteCountMax,
      let latitude = Double(text(Column.latitude)), let longitude = Double(text(Column.longitude))
    else { return nil }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    guard coordinate.isValid else { return nil }
    let ascii = text(Column.asciiName)
    let country = text(Column.countryCode)
    place = PopulatedPlace(
      geonameID: UInt32(text(Column.geonameID)) ?? 0, name: name,
      asciiName: ascii.isEmpty || ascii.utf8.count > Self.nameByteCountMax ? name : ascii,
      coordinate: coordinate, countryCode: country.utf8.count == 2 ? country : "",
      regionCode: String(text(Column.regionCode).prefix(20)),
      timeZone: String(text(Column.timeZone).prefix(40)),
      population: UInt32(clamping: Int64(text(Column.population)) ?? 0))
    alternateNames = text(Column.alternateNames).split(separator: ",").map(String.init)
      .filter { $0.utf8.count <= Self.nameByteCountMax }
  }
}
