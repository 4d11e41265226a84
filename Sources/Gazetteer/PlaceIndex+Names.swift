import Bytes

extension PlaceIndex {
  /// The places of a name, in any of the languages and scripts that the dump has, the largest
  /// first. Case, accents and what stands between words make no difference.
  /// - Parameters:
  ///   - country: Only in this country: two letters, in any case.
  ///   - region: Only in the state, canton or province of this code.
  ///   - limit: At most so many.
  package func places(
    named name: String, country: String? = nil, region: String? = nil, limit: Int,
    in view: ByteView
  ) -> [PopulatedPlace] {
    guard fits(view) else { return [] }
    let wanted = FoldedName.bytes(of: name)
    guard !wanted.isEmpty else { return [] }
    let countryCode = country?.uppercased()
    let regionCode = region?.uppercased()
    var found: [PopulatedPlace] = []
    wanted.withByteView { wanted in
      var next = firstName(notBefore: wanted, in: view)
      while found.count < limit, next < nameCount, let (folded, number) = self.name(next, in: view),
        Self.order(folded, wanted) == 0
      {
        next += 1
        guard let place = place(number, in: view),
          countryCode == nil || place.countryCode == countryCode,
          regionCode == nil || place.regionCode.uppercased() == regionCode
        else { continue }
        found.append(place)
      }
    }
    return found
  }

  private func firstName(notBefore wanted: ByteView, in view: ByteView) -> Int {
    var (low, high) = (0, nameCount)
    while low < high {
      let middle = low + (high - low) / 2
      guard let (folded, _) = name(middle, in: view) else { return nameCount }
      if Self.order(folded, wanted) < 0 { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Negative, 0 or positive, byte by byte.
  static func order(_ left: ByteView, _ right: ByteView) -> Int {
    for index in 0..<min(left.count, right.count) where left[index] != right[index] {
      return Int(left[index]) - Int(right[index])
    }
    return left.count - right.count
  }
}
