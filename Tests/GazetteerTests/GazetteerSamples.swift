import Bytes
import GNSS

@testable import Gazetteer

/// Lines in the form of a GeoNames dump; names, coordinates and codes as GeoNames publishes them.
enum Samples {
  static let lines = [
    line(
      2_867_714, "Munich", "Munich", "Lungsod ng Muenchen,Monaco di Baviera,München,Мюнхен,ミュンヘン",
      48.13743, 11.57549, "DE", "02", 1_260_391, "Europe/Berlin"),
    line(
      2_950_159, "Berlin", "Berlin", "BER,Berlino,Берлин", 52.52437, 13.41053, "DE", "16",
      3_426_354, "Europe/Berlin"),
    line(
      5_083_330, "Berlin", "Berlin", "Berlin Mills", 44.46867, -71.18508, "US", "NH", 9367,
      "America/New_York"),
    line(
      2_980_291, "Saint-Étienne", "Saint-Etienne", "EBU,Saint Etienne", 45.43389, 4.39, "FR", "84",
      176_280, "Europe/Paris"),
    line(
      3_117_735, "L’Aquila", "L'Aquila", "Aquila", 42.35055, 13.39954, "IT", "01", 33_232,
      "Europe/Rome"),
    line(2_198_148, "Suva", "Suva", "SUV,Suva", -18.14161, 178.44149, "FJ", "01", 77_366, ""),
    line(
      4_032_420, "Neiafu", "Neiafu", "", -18.65067, -173.98404, "TO", "05", 4320,
      "Pacific/Tongatapu"),
  ]

  static func line(
    _ id: Int, _ name: String, _ ascii: String, _ alternates: String, _ latitude: Double,
    _ longitude: Double, _ country: String, _ region: String, _ population: Int, _ zone: String
  ) -> String {
    let head = "\(id)\t\(name)\t\(ascii)\t\(alternates)\t\(latitude)\t\(longitude)\tP\tPPL"
    return "\(head)\t\(country)\t\t\(region)\t\t\t\t\(population)\t\t60\t\(zone)\t2024-01-01"
  }

  static func index(_ lines: [String]) throws -> [UInt8] {
    var builder = PlaceIndexBuilder()
    for line in lines { try Array(line.utf8).withByteView { try builder.add($0) } }
    return try builder.index().bytes
  }

  /// Whether the bytes are not taken for an index.
  static func refuses(_ bytes: [UInt8]) -> Bool {
    bytes.withByteView { view in (try? PlaceIndex(view)) == nil }
  }
}
