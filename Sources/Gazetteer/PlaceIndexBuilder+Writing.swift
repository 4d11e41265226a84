import Bytes

extension PlaceIndexBuilder {
  /// The file's bytes.
  package mutating func index() throws(GazetteerError) -> OutputBuffer {
    guard !entries.isEmpty else { throw .noPlaces }
    let order = tree()
    var numbers = [UInt32](repeating: 0, count: entries.count)
    for (number, entry) in order.enumerated() { numbers[Int(entry)] = UInt32(number) }
    let names = sortedNames()
    let byteCount =
      PlaceIndex.headerByteCount + entries.count * PlaceIndex.placeByteCount
      + names.count * PlaceIndex.nameByteCount + texts.count
    guard byteCount <= PlaceIndex.byteCountMax else { throw .tooManyPlaces }
    var output = OutputBuffer(capacity: byteCount)
    output.append(bytes: PlaceIndex.magic)
    output.append(littleEndian: PlaceIndex.version)
    output.append(littleEndian: UInt32(0))
    output.append(littleEndian: UInt32(entries.count))
    output.append(littleEndian: UInt32(names.count))
    output.append(littleEndian: UInt32(byteCount))
    output.append(count: PlaceIndex.headerByteCount - output.count, of: 0)
    for entry in order { Self.append(entries[Int(entry)], to: &output) }
    for name in names {
      output.append(littleEndian: name.folded)
      output.append(littleEndian: numbers[Int(name.entry)])
    }
    output.append(bytes: texts.bytes)
    var check = CRC32C()
    output.withByteView { view in
      check.update(view.extracting(0..<12))
      check.update(view.extracting(16..<view.count))
    }
    output.replace(at: 12, littleEndian: check.value)
    return output
  }

  private static func append(_ entry: Entry, to output: inout OutputBuffer) {
    output.append(littleEndian: entry.centre.x)
    output.append(littleEndian: entry.centre.y)
    output.append(littleEndian: entry.centre.z)
    output.append(littleEndian: entry.latitudeE7)
    output.append(littleEndian: entry.longitudeE7)
    output.append(littleEndian: entry.population)
    output.append(littleEndian: entry.geonameID)
    for text in [entry.name, entry.asciiName, entry.region, entry.timeZone] {
      output.append(littleEndian: text)
    }
    output.append(byte: entry.country.x)
    output.append(byte: entry.country.y)
    output.append(byte: entry.axis)
    output.append(byte: 0)
  }

  /// Orders the entries so that the middle one of every part is its root: those before it lie below
  /// the plane through it, those behind it above. Notes in each along which axis: the longest one
  /// of its part.
  private mutating func tree() -> [UInt32] {
    var order = Array(0..<UInt32(entries.count))
    var parts = [0..<order.count]
    while let part = parts.popLast() {
      let axis = longestAxis(of: order[part])
      // Equal ones may lie on either side: the search looks at both where the plane is that near.
      order[part].sort { entries[Int($0)].centre[axis] < entries[Int($1)].centre[axis] }
      let middle = part.lowerBound + part.count / 2
      entries[Int(order[middle])].axis = UInt8(axis)
      for half in [part.lowerBound..<middle, middle + 1..<part.upperBound] where !half.isEmpty {
        parts.append(half)
      }
    }
    return order
  }

  private func longestAxis(of part: ArraySlice<UInt32>) -> Int {
    var low = SIMD3<Int32>(repeating: .max)
    var high = SIMD3<Int32>(repeating: .min)
    for entry in part {
      low = pointwiseMin(low, entries[Int(entry)].centre)
      high = pointwiseMax(high, entries[Int(entry)].centre)
    }
    let extents = (0..<3).map { Int(high[$0]) - Int(low[$0]) }
    return extents[0] >= max(extents[1], extents[2]) ? 0 : extents[1] >= extents[2] ? 1 : 2
  }

  /// By name, then the largest place first.
  private func sortedNames() -> [(folded: UInt32, entry: UInt32)] {
    texts.withByteView { view in
      func text(_ offset: UInt32) -> ByteView {
        let start = Int(offset) + 2
        return view.extracting(
          start..<start + Int(view.littleEndian(at: start - 2, as: UInt16.self)))
      }
      return names.sorted { left, right in
        if left.folded != right.folded {
          return PlaceIndex.order(text(left.folded), text(right.folded)) < 0
        }
        let (one, other) = (entries[Int(left.entry)], entries[Int(right.entry)])
        return (one.population, other.geonameID) > (other.population, one.geonameID)
      }
    }
  }
}
