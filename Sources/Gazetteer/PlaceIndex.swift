import Bytes
import GNSS

/// Where things lie in the file of an index, whose bytes the caller lends for each look-up; see
/// `Format.md`. Every offset is checked where it is used: an index that changes underneath gives
/// wrong answers or none, but no trap.
package struct PlaceIndex: Sendable {
  static let magic = Array("BNPLACES".utf8)
  static let version: UInt32 = 1
  static let headerByteCount = 48
  static let placeByteCount = 48
  static let nameByteCount = 8
  /// Every populated place that GeoNames knows, and room for as many again.
  package static let placeCountMax = 10_000_000
  /// Bytes of a file; offsets are 32 bits wide.
  package static let byteCountMax = Int(UInt32.max)

  package let placeCount: Int
  package let nameCount: Int
  private let namesStart: Int
  private let textStart: Int
  private let byteCount: Int

  /// Reads the head and checks every byte of the file.
  package init(_ view: ByteView) throws(GazetteerError) {
    guard view.count >= Self.headerByteCount,
      view.extracting(0..<8).copied() == Self.magic
    else { throw .notAnIndex }
    let version = view.littleEndian(at: 8, as: UInt32.self)
    guard version == Self.version else { throw .unknownVersion(version) }
    placeCount = Int(view.littleEndian(at: 16, as: UInt32.self))
    nameCount = Int(view.littleEndian(at: 20, as: UInt32.self))
    byteCount = Int(view.littleEndian(at: 24, as: UInt32.self))
    namesStart = Self.headerByteCount + placeCount * Self.placeByteCount
    textStart = namesStart + nameCount * Self.nameByteCount
    var check = CRC32C()
    check.update(view.extracting(0..<12))
    check.update(view.extracting(16..<view.count))
    guard placeCount > 0, placeCount <= Self.placeCountMax, byteCount == view.count,
      textStart <= byteCount, check.value == view.littleEndian(at: 12, as: UInt32.self)
    else { throw .damaged }
  }

  /// The place with this number, in the order of the tree; `nil` where the file is not as it was.
  package func place(_ index: Int, in view: ByteView) -> PopulatedPlace? {
    guard view.count == byteCount, index >= 0, index < placeCount else { return nil }
    let start = Self.headerByteCount + index * Self.placeByteCount
    func string(_ offset: Int) -> String? {
      text(at: view.littleEndian(at: start + offset, as: UInt32.self), in: view)?.text
    }
    guard let name = string(28), let asciiName = string(32), let region = string(36),
      let timeZone = string(40)
    else { return nil }
    let country = view.extracting(start + 44..<start + 46).text
    return PopulatedPlace(
      geonameID: view.littleEndian(at: start + 24, as: UInt32.self), name: name,
      asciiName: asciiName, coordinate: coordinate(index, in: view),
      countryCode: country.utf8.first == 0 ? "" : country, regionCode: region,
      timeZone: timeZone, population: population(index, in: view))
  }

  /// The coordinate alone. The number must be one of a place.
  func coordinate(_ index: Int, in view: ByteView) -> Coordinate {
    let start = Self.headerByteCount + index * Self.placeByteCount
    return Coordinate(
      latitude: Double(view.littleEndian(at: start + 12, as: Int32.self)) / 1e7,
      longitude: Double(view.littleEndian(at: start + 16, as: Int32.self)) / 1e7)
  }

  func population(_ index: Int, in view: ByteView) -> UInt32 {
    view.littleEndian(at: Self.headerByteCount + index * Self.placeByteCount + 20, as: UInt32.self)
  }

  /// The Earth-centred place in metres, and along which axis the tree is cut there.
  func node(_ index: Int, in view: ByteView) -> (centre: SIMD3<Double>, axis: Int) {
    let start = Self.headerByteCount + index * Self.placeByteCount
    let centre = SIMD3(
      Double(view.littleEndian(at: start, as: Int32.self)),
      Double(view.littleEndian(at: start + 4, as: Int32.self)),
      Double(view.littleEndian(at: start + 8, as: Int32.self)))
    return (centre / Self.unitsPerMetre, Int(view[start + 46] % 3))
  }

  /// Centimetres: a coordinate of the Earth's surface fits into 32 bits.
  static let unitsPerMetre = 100.0

  /// The folded name at this place of the sorted table, and the number of the place so called.
  func name(_ index: Int, in view: ByteView) -> (folded: ByteView, place: Int)? {
    let start = namesStart + index * Self.nameByteCount
    let place = Int(view.littleEndian(at: start + 4, as: UInt32.self))
    guard let folded = text(at: view.littleEndian(at: start, as: UInt32.self), in: view),
      place < placeCount
    else { return nil }
    return (folded, place)
  }

  /// Whether these are the bytes that were checked, as far as their number tells.
  func fits(_ view: ByteView) -> Bool { view.count == byteCount }

  /// The text with this offset: its length, then its bytes.
  private func text(at offset: UInt32, in view: ByteView) -> ByteView? {
    let start = textStart + Int(offset)
    guard start + 2 <= byteCount else { return nil }
    let count = Int(view.littleEndian(at: start, as: UInt16.self))
    guard start + 2 + count <= byteCount else { return nil }
    return view.extracting(start + 2..<start + 2 + count)
  }
}
