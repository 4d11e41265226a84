import Bytes
import GNSS
import Gazetteer
import LinuxIO

extension Subcommand {
  static let geocode = Subcommand(
    name: "geocode", summary: "Name the place next to a coordinate, or find a place by its name",
    operands: "NAME|LAT,LON",
    details: """
      Looks in the index that 'binnacle places import' made; nothing leaves the board.
      For a coordinate it prints the nearest place, how far it is, and in which direction
      from there the coordinate lies. For a name it prints the places of that name, the
      largest first; case and accents make no difference. Behind commas the codes of a
      region and a country may follow. Exit code 3: nothing found.
      """,
    options: [
      Option("country", "CC", help: "Only places of this country, such as CH"),
      Option("limit", "N", help: "At most N places of a name; without it 10"),
      Option("json", help: "Print one JSON object for each place"),
      Option("index", "FILE", help: "The index; without it \(PlaceFile.defaultPath)"),
    ],
    examples: [
      ("binnacle geocode 46.95,7.44", "The place next to a coordinate"),
      ("binnacle geocode -- -18.1,178.4", "The same in the south, where the dash needs the --"),
      ("binnacle geocode Genf --country ch", "A place by a name, here the German one"),
    ],
    run: { invocation throws(CommandError) in try GeocodeCommand(invocation).run() })
}

/// `binnacle geocode`
private struct GeocodeCommand {
  private let text: String
  private let country: String?
  private let limit: Int
  private let isJSON: Bool
  private let places: PlaceFile

  private static let limitMax = 1000

  init(_ invocation: Invocation) throws(CommandError) {
    text = invocation.operands.joined(separator: " ")
    guard !text.isEmpty else {
      throw .usage("geocode: give the name of a place, or LATITUDE,LONGITUDE in degrees")
    }
    country = invocation.value("country")
    guard country == nil || country?.utf8.count == 2 else {
      throw .usage("--country \(country ?? ""): two letters, such as CH")
    }
    limit = try invocation.integer("limit", in: 1...Self.limitMax) ?? 10
    isJSON = invocation.has("json")
    places = try PlaceFile(path: invocation.value("index") ?? PlaceFile.defaultPath)
  }

  func run() throws(CommandError) -> ExitCode {
    var output = OutputBuffer()
    if let position = try Self.coordinate(text) {
      guard let nearest = places.nearest(to: position) else {
        throw .nothingFound("\(text): no place is known; import more with 'binnacle places import'")
      }
      write(nearest.place, nearest, to: &output)
    } else {
      let found = places.places(at: text, country: country, limit: limit)
      guard !found.isEmpty else {
        throw .nothingFound("\(text): no such place; try another spelling, or import more places")
      }
      for place in found { write(place, nil, to: &output) }
    }
    do throws(Errno) { try StandardOutput.write(output) } catch {
      throw .failed("standard output: \(error.text)")
    }
    return .ok
  }

  /// Two numbers with a comma, or blanks, between them; `nil` for anything else, which is a name.
  private static func coordinate(_ text: String) throws(CommandError) -> Coordinate? {
    let parts = text.split { $0 == "," || $0 == " " }
    guard parts.count == 2, let latitude = Double(parts[0]), let longitude = Double(parts[1]) else {
      return nil
    }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    guard coordinate.isValid else {
      throw .usage("\(text): latitude goes from -90 to 90, longitude from -180 to 180")
    }
    return coordinate
  }

  private func write(
    _ place: PopulatedPlace, _ nearest: NearestPlace?, to output: inout OutputBuffer
  ) {
    if isJSON {
      place.appendJSON(nearest, to: &output)
      output.append(byte: UInt8(ascii: "\n"))
    } else {
      Self.append(place, nearest, to: &output)
    }
  }

  /// `Bern, BE, CH  46.94809,7.44744  121631 inhabitants  Europe/Zurich  640 m WNW of it`
  private static func append(
    _ place: PopulatedPlace, _ nearest: NearestPlace?, to output: inout OutputBuffer
  ) {
    output.append(text: place.label)
    output.append("  ")
    output.append(trimmed: place.coordinate.latitude, decimals: 5)
    output.append(byte: UInt8(ascii: ","))
    output.append(trimmed: place.coordinate.longitude, decimals: 5)
    if place.population > 0 {
      output.append("  ")
      output.append(decimal: Int(place.population))
      output.append(" inhabitants")
    }
    if !place.timeZone.isEmpty {
      output.append("  ")
      output.append(text: place.timeZone)
    }
    if let nearest {
      output.append("  ")
      nearest.appendDistance(to: &output)
      output.append(" of it")
    }
    output.append(byte: UInt8(ascii: "\n"))
  }
}
