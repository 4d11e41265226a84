/// Members of a JSON object. Each is written with a comma before it, so an object starts with its
/// first member, which is always there, written by hand: `{"class":"TPV"`. An unknown value, and
/// one that is no number, is left out.
extension OutputBuffer {
  /// `,"key":`, for a value that is written next.
  public mutating func append(member key: StaticString) {
    let byteCount = key.utf8CodeUnitCount
    append(count: byteCount + 4) { room in
      (room[0], room[1]) = (UInt8(ascii: ","), UInt8(ascii: "\""))
      UnsafeMutableRawBufferPointer(rebasing: room[2...]).copyMemory(
        from: UnsafeRawBufferPointer(start: key.utf8Start, count: byteCount))
      (room[byteCount + 2], room[byteCount + 3]) = (UInt8(ascii: "\""), UInt8(ascii: ":"))
    }
  }

  /// With exactly `decimals` digits behind the point.
  public mutating func append(member key: StaticString, fixed value: Double?, decimals: Int) {
    guard let value, let scaled = Self.scaled(value, decimals: decimals) else { return }
    append(member: key)
    append(scaled: scaled, decimals: decimals)
  }

  /// With at most `decimals` digits behind the point and no zeros at the end.
  public mutating func append(member key: StaticString, _ value: Double?, decimals: Int) {
    guard let value, Self.scaled(value, decimals: decimals) != nil else { return }
    append(member: key)
    append(trimmed: value, decimals: decimals)
  }

  public mutating func append(member key: StaticString, _ value: Int?) {
    guard let value else { return }
    append(member: key)
    append(decimal: value)
  }

  public mutating func append(member key: StaticString, _ value: Bool?) {
    guard let value else { return }
    append(member: key)
    append(value ? "true" : "false")
  }

  public mutating func append(member key: StaticString, _ value: String?) {
    guard let value else { return }
    append(member: key)
    append(jsonString: value)
  }

  /// A value that needs no escapes, such as a constant's name.
  public mutating func append(member key: StaticString, name value: StaticString?) {
    guard let value else { return }
    append(member: key)
    append(byte: UInt8(ascii: "\""))
    append(value)
    append(byte: UInt8(ascii: "\""))
  }
}
