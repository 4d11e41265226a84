/// Members of a JSON object. Each is written with a comma before it, so an object starts with its
/// first member, which is always there, written by hand: `{"class":"TPV"`. An unknown value, and
/// one that is no number, is left out.
extension OutputBuffer {
  /// `,"key":`, for a value that is written next.
  public mutating func append(member key: StaticString) {
    append(count: key.utf8CodeUnitCount + Self.byteCountAroundKey) { room in
      _ = Self.write(member: key, to: room)
    }
  }

  /// With exactly `decimals` digits behind the point.
  public mutating func append(member key: StaticString, fixed value: Double?, decimals: Int) {
    append(member: key, value, decimals: decimals, isTrimmed: false)
  }

  /// With at most `decimals` digits behind the point and no zeros at the end.
  public mutating func append(member key: StaticString, _ value: Double?, decimals: Int) {
    append(member: key, value, decimals: decimals, isTrimmed: true)
  }

  @inline(__always)
  private mutating func append(
    member key: StaticString, _ value: Double?, decimals: Int, isTrimmed: Bool
  ) {
    guard let value else { return }
    let room = key.utf8CodeUnitCount + Self.byteCountAroundKey + DecimalDigits.room
    append(upTo: room) { room in
      let start = Self.write(member: key, to: room)
      let end =
        isTrimmed
        ? DecimalDigits.writeTrimmed(value, decimals: decimals, to: room, at: start)
        : DecimalDigits.writeFixed(value, decimals: decimals, to: room, at: start)
      return end == start ? 0 : end
    }
  }

  /// Of the comma, the quotes and the colon.
  private static let byteCountAroundKey = 4

  @inline(__always)
  private static func write(
    member key: StaticString, to room: UnsafeMutableRawBufferPointer
  ) -> Int {
    (room[0], room[1]) = (UInt8(ascii: ","), UInt8(ascii: "\""))
    let end = write(key, to: room, at: 2)
    (room[end], room[end + 1]) = (UInt8(ascii: "\""), UInt8(ascii: ":"))
    return end + 2
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
