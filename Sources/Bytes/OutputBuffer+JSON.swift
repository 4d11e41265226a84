/// Single members of a JSON object, as `RowWriter` has them for many.
extension OutputBuffer {
  /// `,"key":`, for a value that is written next.
  public mutating func append(member key: StaticString) {
    appendMember(key) { $0.append(member: key) }
  }

  /// With exactly `decimals` digits behind the point.
  public mutating func append(member key: StaticString, fixed value: Double?, decimals: Int) {
    let decimals = DecimalDigits.possible(decimals)
    appendMember(key) { $0.append(member: key, fixed: value, decimals: decimals) }
  }

  /// With at most `decimals` digits behind the point and no zeros at the end.
  public mutating func append(member key: StaticString, _ value: Double?, decimals: Int) {
    let decimals = DecimalDigits.possible(decimals)
    appendMember(key) { $0.append(member: key, value, decimals: decimals) }
  }

  public mutating func append(member key: StaticString, _ value: Int?) {
    appendMember(key) { $0.append(member: key, value) }
  }

  public mutating func append(member key: StaticString, _ value: Bool?) {
    appendMember(key) { $0.append(member: key, value) }
  }

  /// A value that needs no escapes, such as a constant's name.
  public mutating func append(member key: StaticString, name value: StaticString?) {
    appendMember(key, valueByteCount: value?.utf8CodeUnitCount ?? 0) {
      $0.append(member: key, name: value)
    }
  }

  @inline(__always)
  private mutating func appendMember(
    _ key: StaticString, valueByteCount: Int = 0, _ write: (inout RowWriter) -> Void
  ) {
    let aroundKey = RowWriter.byteCountAroundKey
    appendRow(
      upTo: key.utf8CodeUnitCount + aroundKey + max(valueByteCount + 2, DecimalDigits.room), write)
  }

  public mutating func append(member key: StaticString, _ value: String?) {
    guard let value else { return }
    append(member: key)
    append(jsonString: value)
  }
}
