/// Elements of XML.
extension OutputBuffer {
  /// `<tag>1.25</tag>` with at most `decimals` digits; nothing for an unknown value, and for one
  /// that is no number.
  public mutating func append(element tag: StaticString, _ value: Double?, decimals: Int) {
    guard let value else { return }
    append(upTo: 2 * tag.utf8CodeUnitCount + 5 + DecimalDigits.room) { room in
      let start = Self.write("<", tag, to: room, at: 0)
      let end = DecimalDigits.writeTrimmed(value, decimals: decimals, to: room, at: start)
      return end == start ? 0 : Self.write("</", tag, to: room, at: end)
    }
  }

  public mutating func append(open tag: StaticString) {
    append(upTo: tag.utf8CodeUnitCount + 2) { Self.write("<", tag, to: $0, at: 0) }
  }

  public mutating func append(close tag: StaticString) {
    append(upTo: tag.utf8CodeUnitCount + 3) { Self.write("</", tag, to: $0, at: 0) }
  }

  /// Writes `bracket`, the tag and `>`; gives where that ends.
  @inline(__always)
  private static func write(
    _ bracket: StaticString, _ tag: StaticString, to room: UnsafeMutableRawBufferPointer,
    at start: Int
  ) -> Int {
    let end = write(tag, to: room, at: write(bracket, to: room, at: start))
    room[end] = UInt8(ascii: ">")
    return end + 1
  }
}
