import Bytes
import GNSS

/// Makes an index of the lines of a dump.
package struct PlaceIndexBuilder {
  /// A place as it will lie in the file, before the tree is made.
  struct Entry {
    var centre: SIMD3<Int32>
    var latitudeE7: Int32
    var longitudeE7: Int32
    var population: UInt32
    var geonameID: UInt32
    var name: UInt32
    var asciiName: UInt32
    var region: UInt32
    var timeZone: UInt32
    var country: SIMD2<UInt8>
    var axis: UInt8 = 0
  }

  var entries: [Entry] = []
  /// Folded names as offsets, with the number of the entry that is so called.
  private(set) var names: [(folded: UInt32, entry: UInt32)] = []
  private(set) var texts = OutputBuffer()
  private var offsets: [[UInt8]: UInt32] = [:]
  private var lineNumber = 0

  package init() {}

  package var placeCount: Int { entries.count }

  /// What is wrong with a next line that is too long to be handed over.
  package var badLine: GazetteerError { .badLine(number: lineNumber + 1) }

  /// Takes a line in, without its end. Empty lines and comments (`#`) are passed over.
  package mutating func add(_ line: ByteView) throws(GazetteerError) {
    lineNumber += 1
    let isCarriageReturn = !line.isEmpty && line[line.count - 1] == 0x0d
    let line = isCarriageReturn ? line.extracting(0..<line.count - 1) : line
    guard !line.isEmpty, line[0] != UInt8(ascii: "#") else { return }
    if lineNumber == 1, line.starts(with: "PK") { throw .packedDump }
    guard let parsed = GeoNamesLine(line) else { throw .badLine(number: lineNumber) }
    guard entries.count < PlaceIndex.placeCountMax, texts.count < Self.textByteCountMax else {
      throw .tooManyPlaces
    }
    add(parsed)
  }

  /// Bytes of text; with the tables the file's offsets still fit into 32 bits.
  private static let textByteCountMax = 2_000_000_000

  private mutating func add(_ line: GeoNamesLine) {
    let place = line.place
    let centre = place.coordinate.earthCentred
    let country = Array(place.countryCode.utf8)
    let number = UInt32(entries.count)
    entries.append(
      Entry(
        centre: SIMD3(Self.units(centre.x), Self.units(centre.y), Self.units(centre.z)),
        latitudeE7: Self.scaled(place.coordinate.latitude, by: 1e7),
        longitudeE7: Self.scaled(place.coordinate.longitude, by: 1e7),
        population: place.population, geonameID: place.geonameID,
        name: offset(of: Array(place.name.utf8)),
        asciiName: offset(of: Array(place.asciiName.utf8)),
        region: offset(of: Array(place.regionCode.utf8)),
        timeZone: offset(of: Array(place.timeZone.utf8)),
        country: country.count == 2 ? SIMD2(country[0], country[1]) : .zero))
    var seen: Set<UInt32> = []
    for name in [place.name, place.asciiName] + line.alternateNames {
      let folded = FoldedName.bytes(of: name)
      guard !folded.isEmpty else { continue }
      let offset = offset(of: folded)
      if seen.insert(offset).inserted { names.append((offset, number)) }
    }
  }

  private static func units(_ metres: Double) -> Int32 {
    scaled(metres, by: PlaceIndex.unitsPerMetre)
  }

  private static func scaled(_ value: Double, by factor: Double) -> Int32 {
    Int32(exactly: (value * factor).rounded()) ?? 0
  }

  /// Where a text lies; one that was there before is there once.
  private mutating func offset(of text: [UInt8]) -> UInt32 {
    if let known = offsets[text] { return known }
    let offset = UInt32(texts.count)
    let kept = text.prefix(Int(UInt16.max))
    texts.append(littleEndian: UInt16(kept.count))
    texts.append(bytes: Array(kept))
    offsets[text] = offset
    return offset
  }
}
