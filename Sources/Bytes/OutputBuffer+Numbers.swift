/// Numbers as text: the same on every machine, whatever its locale.
extension OutputBuffer {
  public mutating func append(decimal value: Int64) { append(decimal: value, atLeast: 1) }

  public mutating func append(decimal value: Int) { append(decimal: Int64(value)) }

  /// At least `width` (up to 20) digits, filled with zeros at the left.
  public mutating func append(decimal value: Int, width: Int) {
    append(decimal: Int64(value), atLeast: width)
  }

  @inline(__always)
  private mutating func append(decimal value: Int64, atLeast width: Int) {
    appendNumber { DecimalDigits.write(value, atLeast: width, at: $0) }
  }

  /// A number with exactly `decimals` (0 to 12) digits behind the point, half rounded away from
  /// zero.
  /// What is no number, or too large to be a measurement (2^63 of its last digit), is written as
  /// `null`; callers leave such values out.
  public mutating func append(fixed value: Double, decimals: Int) {
    let decimals = DecimalDigits.possible(decimals)
    let start = count
    appendNumber { DecimalDigits.writeFixed(value, decimals: decimals, at: $0) }
    if count == start { append("null") }
  }

  /// As `append(fixed:decimals:)`, without zeros at the end of the fraction: `120`, `-0.5`. Nothing
  /// is written for what is no number or too large to be a measurement.
  public mutating func append(trimmed value: Double, decimals: Int) {
    let decimals = DecimalDigits.possible(decimals)
    appendNumber { DecimalDigits.writeTrimmed(value, decimals: decimals, at: $0) }
  }

  /// An integer that counts units of 10^-`decimals` (0 to 12), as a decimal fraction.
  public mutating func append(scaled value: Int64, decimals: Int) {
    let decimals = DecimalDigits.possible(decimals)
    appendNumber { DecimalDigits.write(units: value, decimals: decimals, at: $0) }
  }

  @inline(__always)
  private mutating func appendNumber(
    _ write: (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer
  ) {
    appendRow(upTo: DecimalDigits.room) { $0.advance(to: write($0.place)) }
  }

  public mutating func append(hex value: UInt64, width: Int) {
    var shift = max(width, 1) * 4
    while shift > 0 {
      shift -= 4
      let digit = UInt8(truncatingIfNeeded: value >> UInt64(shift)) & 15
      append(byte: digit < 10 ? 48 + digit : 87 + digit)
    }
  }
}
