/// Why places cannot be looked up or imported.
package enum GazetteerError: Error, Equatable, Sendable {
  /// The file does not start as an index does.
  case notAnIndex
  /// Written by a version that this one does not know.
  case unknownVersion(UInt32)
  /// Its length or its check does not agree with what its head says.
  case damaged
  /// The dump is still packed.
  case packedDump
  /// The dump's line has not the columns of GeoNames.
  case badLine(number: Int)
  /// The dump holds no places.
  case noPlaces
  /// The dump holds more than an index can.
  case tooManyPlaces

  /// One line for people.
  /// - Parameter path: The index, or the dump.
  package func message(path: String) -> String {
    switch self {
    case .notAnIndex: "\(path): no index of places; make one with 'binnacle places import'"
    case .unknownVersion(let version):
      "\(path): an index of version \(version), which this program does not know; import again"
    case .damaged: "\(path): the index is damaged; import again with 'binnacle places import'"
    case .packedDump: "\(path): still packed; unzip it first"
    case .badLine(let number):
      "\(path):\(number): not the 19 columns of a GeoNames dump, such as cities1000.txt"
    case .noPlaces: "\(path): holds no places"
    case .tooManyPlaces: "\(path): more than \(PlaceIndex.placeCountMax) places"
    }
  }
}
