/// Numbers as text: the same on every machine, whatever its locale.
extension OutputBuffer {
  public mutating func append(decimal value: Int64) {
    if value < 0 { append(byte: UInt8(ascii: "-")) }
    appendDigits(value.magnitude, atLeast: 1)
  }

  public mutating func append(decimal value: Int) { append(decimal: Int64(value)) }

  /// At least `width` digits, filled with zeros at the left.
  public mutating func append(decimal value: Int, width: Int) {
    if value < 0 { append(byte: UInt8(ascii: "-")) }
    appendDigits(UInt64(value.magnitude), atLeast: width)
  }

  /// A number with exactly `decimals` (0 to 12) digits behind the point, half rounded away from
  /// zero.
  /// What is no number, or too large to be a measurement (2^63 of its last digit), is written as
  /// `null`; callers leave such values out.
  public mutating func append(fixed value: Double, decimals: Int) {
    guard let integer = Self.scaled(value, decimals: decimals) else { return append("null") }
    append(scaled: integer, decimals: min(max(decimals, 0), 12))
  }

  /// As `append(fixed:decimals:)`, without zeros at the end of the fraction: `120`, `-0.5`. Nothing
  /// is written for what is no number or too large to be a measurement.
  public mutating func append(trimmed value: Double, decimals: Int) {
    guard var integer = Self.scaled(value, decimals: decimals) else { return }
    var places = min(max(decimals, 0), 12)
    while places > 0, integer % 10 == 0 {
      integer /= 10
      places -= 1
    }
    append(scaled: integer, decimals: places)
  }

  /// `value` in units of 10^-`decimals` (0 to 12); `nil` where it is no number or too large.
  static func scaled(_ value: Double, decimals: Int) -> Int64? {
    let product = value * powersOfTen[min(max(decimals, 0), 12)]
    guard product.magnitude < 0x1p52 else {
      return Int64(exactly: product.rounded(.toNearestOrAwayFromZero))
    }
    // The same without a call of the C library: what is cut off is exact below 2^52.
    let whole = Int64(product)
    let rest = product - Double(whole)
    return rest >= 0.5 ? whole + 1 : rest <= -0.5 ? whole - 1 : whole
  }

  /// An integer that counts units of 10^-`decimals`, as a decimal fraction.
  public mutating func append(scaled value: Int64, decimals: Int) {
    let places = min(max(decimals, 0), 18)
    if value < 0 { append(byte: UInt8(ascii: "-")) }
    guard places > 0 else { return appendDigits(value.magnitude, atLeast: 1) }
    let digitCount = max(Self.digitCount(value.magnitude), places + 1)
    append(count: digitCount + 1) { room in
      var rest = value.magnitude
      Self.write(&rest, to: room, (digitCount + 1 - places)..<(digitCount + 1))
      room[digitCount - places] = UInt8(ascii: ".")
      Self.write(&rest, to: room, 0..<(digitCount - places))
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
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f && $0 != 0x22 && $0 != 0x5c }) {
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

  private mutating func appendDigits(_ value: UInt64, atLeast width: Int) {
    let digitCount = max(Self.digitCount(value), min(width, 20))
    append(count: digitCount) { room in
      var rest = value
      Self.write(&rest, to: room, 0..<digitCount)
    }
  }

  /// Writes the last digits of `rest` to the given places, the last one first, and drops them.
  @inline(__always)
  private static func write(
    _ rest: inout UInt64, to room: UnsafeMutableRawBufferPointer, _ places: Range<Int>
  ) {
    for place in places.reversed() {
      let (tens, digit) = rest.quotientAndRemainder(dividingBy: 10)
      room[place] = 48 + UInt8(truncatingIfNeeded: digit)
      rest = tens
    }
  }

  @inline(__always)
  private static func digitCount(_ value: UInt64) -> Int {
    var (count, limit) = (1, UInt64(10))
    // 10^19 is the last power of ten that fits.
    while value >= limit, count < 19 {
      count += 1
      limit &*= 10
    }
    return value >= limit ? 20 : count
  }

  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12,
  ]
}
