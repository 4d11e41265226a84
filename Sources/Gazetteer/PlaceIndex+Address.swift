import Bytes

extension PlaceIndex {
  /// The places that an address leads to. Of `Lakeside 5, Springfield, IL, US` the first part that
  /// is a place counts; the parts behind it that are codes of a country or a region narrow it down.
  /// Streets and houses are not known.
  package func places(
    atAddress address: String, country: String? = nil, limit: Int, in view: ByteView
  ) -> [PopulatedPlace] {
    let parts = address.split(separator: ",").prefix(Self.addressPartCountMax).map(String.init)
    for (index, part) in parts.enumerated() {
      var found = places(
        named: part, country: country, limit: Self.addressPlaceCountMax, in: view)
      guard !found.isEmpty else { continue }
      for qualifier in parts[(index + 1)...] {
        let narrowed = found.filter { $0.answers(to: qualifier) }
        if !narrowed.isEmpty { found = narrowed }
      }
      return Array(found.prefix(limit))
    }
    return []
  }

  /// More parts than this are no address.
  private static let addressPartCountMax = 10
  /// Places of one name that are weighed; the most common name has some thousand.
  private static let addressPlaceCountMax = 2000
}

extension PopulatedPlace {
  /// Whether one of the words is the code of its country or region: `IL 62701` for instance.
  fileprivate func answers(to qualifier: String) -> Bool {
    qualifier.split(separator: " ").contains { word in
      let code = word.uppercased()
      return code == countryCode || code == regionCode.uppercased()
    }
  }
}
