/// Members of a JSON object. Each is written with a comma before it, so an object starts with its
/// first member, which is always there, written by hand: `{"class":"TPV"`. An unknown value, and
/// one that is no number, is left out.
extension RowWriter {
  /// Room for as many members with numbers, whose keys have sixteen characters at most.
  public static func byteCountMax(numberMembers count: Int) -> Int {
    count * (16 + byteCountAroundKey + DecimalDigits.room)
  }

  /// Of the comma, the quotes and the colon.
  static let byteCountAroundKey = 4

  /// `,"key":`, for a value that is written next.
  @inlinable @inline(__always)
  public mutating func append(member key: StaticString) {
    append(",\"")
    append(key)
    append("\":")
  }

  /// With exactly `decimals` (0 to 12) digits behind the point.
  @inlinable @inline(__always)
  public mutating func append(member key: StaticString, fixed value: Double?, decimals: Int) {
    guard let value else { return }
    _ = append(
      lead: { $0.append(member: key) },
      number: { $0.append(fixed: value, decimals: decimals) })
  }

  /// With at most `decimals` digits behind the point and no zeros at the end.
  @inlinable @inline(__always)
  public mutating func append(member key: StaticString, _ value: Double?, decimals: Int) {
    guard let value else { return }
    _ = append(
      lead: { $0.append(member: key) },
      number: { $0.append(trimmed: value, decimals: decimals) })
  }

  @inlinable @inline(__always)
  public mutating func append(member key: StaticString, _ value: Int?) {
    guard let value else { return }
    append(member: key)
    append(decimal: value)
  }

  @inlinable @inline(__always)
  public mutating func append(member key: StaticString, _ value: Bool?) {
    guard let value else { return }
    append(member: key)
    append(value)
  }

  /// A value that needs no escapes, such as a constant's name.
  @inlinable @inline(__always)
  public mutating func append(member key: StaticString, name value: StaticString?) {
    guard let value else { return }
    append(member: key)
    append(byte: UInt8(ascii: "\""))
    append(value)
    append(byte: UInt8(ascii: "\""))
  }
}
