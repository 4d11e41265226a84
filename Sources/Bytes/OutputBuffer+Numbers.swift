/// Numbers as text: the same on every machine, whatever its locale.
extension OutputBuffer {
  public mutating func append(decimal value: Int64) { append(decimal: value, atLeast: 1) }

  public mutating func append(decimal value: Int) { append(decimal: Int64(value)) }

  /// At least `width` (up to 20) digits, filled with zeros at the left.
  public mutating func append(decimal value: Int, width: Int) {
    append(decimal: Int64(value), atLeast: min(max(width, 1), 20))
  }

  @inline(__always)
  private mutating func append(decimal value: Int64, atLeast width: Int) {
    append(upTo: DecimalDigits.room) { room in
      DecimalDigits.write(value, atLeast: width, to: room, at: 0)
    }
  }

  /// A number with exactly `decimals` (0 to 12) digits behind the point, half rounded away from
  /// zero.
  /// What is no number, or too large to be a measurement (2^63 of its last digit), is written as
  /// `null`; callers leave such values out.
  public mutating func append(fixed value: Double, decimals: Int) {
    let start = count
    append(upTo: DecimalDigits.room) { room in
      DecimalDigits.writeFixed(value, decimals: decimals, to: room, at: 0)
    }
    if count == start { append("null") }
  }

  /// As `append(fixed:decimals:)`, without zeros at the end of the fraction: `120`, `-0.5`. Nothing
  /// is written for what is no number or too large to be a measurement.
  public mutating func append(trimmed value: Double, decimals: Int) {
    append(upTo: DecimalDigits.room) { room in
      DecimalDigits.writeTrimmed(value, decimals: decimals, to: room, at: 0)
    }
  }

  /// An integer that counts units of 10^-`decimals` (0 to 12), as a decimal fraction.
  public mutating func append(scaled value: Int64, decimals: Int) {
    append(upTo: DecimalDigits.room) { room in
      DecimalDigits.write(
        ScaledNumber(value), decimals: min(max(decimals, 0), DecimalDigits.decimalsMax),
        isTrimmed: false, to: room, at: 0)
    }
  }

  public mutating func append(hex value: UInt64, width: Int) {
    var shift = max(width, 1) * 4
    while shift > 0 {
      shift -= 4
      let digit = UInt8(truncatingIfNeeded: value >> UInt64(shift)) & 15
      append(byte: digit < 10 ? 48 + digit : 87 + digit)
    }
  }

  /// A JSON string with its quotes. Control characters, quotes and backslashes are escaped, so that
  /// whatever a receiver or a client sent, the line stays one line of JSON.
  public mutating func append(jsonString text: String) {
    append(byte: UInt8(ascii: "\""))
    defer { append(byte: UInt8(ascii: "\"")) }
    if text.hasOnly(bytes: { $0 >= 0x20 && $0 < 0x7f && $0 != 0x22 && $0 != 0x5c }) {
      return append(text: text)
    }
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): append(#"\""#)
      case UInt8(ascii: "\\"): append(#"\\"#)
      case 0x0a: append(#"\n"#)
      case 0x0d: append(#"\r"#)
      case 0x09: append(#"\t"#)
      case 0..<0x20, 0x7f:
        append(#"\u"#)
        append(hex: UInt64(byte), width: 4)
      default: append(byte: byte)
      }
    }
  }
}
