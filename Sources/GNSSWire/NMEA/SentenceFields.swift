import Bytes
import GNSS

/// The fields of one sentence, taken one after another without allocating. A blank field, a missing
/// one and one that makes no sense are all `nil`: each field stands for itself. What must not be
/// guessed, a coordinate or a time, also sets `isMalformed`, and the sentence is then refused.
package struct SentenceFields {
  /// The bytes between `$` and `*`.
  private let body: ByteView
  /// Where the next field starts; past `body.count` once the last one was taken.
  private var cursor: Int
  /// Whether a coordinate or a time was there, but not one that can be.
  package private(set) var isMalformed = false

  /// - Parameter start: Where the first field starts, behind the address and its comma.
  package init(_ body: ByteView, from start: Int = 0) { (self.body, cursor) = (body, start) }

  package var isAtEnd: Bool { cursor > body.count }

  /// How many fields are left. NMEA counts the last one even if it is blank.
  package var remainingCount: Int {
    guard !isAtEnd else { return 0 }
    var count = 1
    var index = cursor
    // Eight bytes at a time; a byte of `commas` counts those in its place of the words.
    var commas: UInt64 = 0
    var wordCount = 0
    while body.count - index >= 8 {
      commas &+= Self.commas(in: body.littleEndian(at: index, as: UInt64.self)) >> 7
      index += 8
      wordCount += 1
      guard wordCount < 255 else { break }
    }
    let pairs = (commas & 0x00ff_00ff_00ff_00ff) &+ (commas >> 8 & 0x00ff_00ff_00ff_00ff)
    count += Int((pairs &* 0x0001_0001_0001_0001) >> 48)
    while index < body.count {
      if body[index] == Self.comma { count += 1 }
      index += 1
    }
    return count
  }

  private static let comma = UInt8(ascii: ",")
  private static let space = UInt8(ascii: " ")

  /// Bit 7 of each byte that is a comma, and of no other.
  static func commas(in word: UInt64) -> UInt64 {
    let low: UInt64 = 0x7f7f_7f7f_7f7f_7f7f
    let other = word ^ 0x2c2c_2c2c_2c2c_2c2c
    return ~((other & low) &+ low | other | low)
  }

  /// Where the field at the cursor ends: at its comma or behind the body.
  private func fieldEnd() -> Int {
    var index = cursor
    while body.count - index >= 8 {
      let commas = Self.commas(in: body.littleEndian(at: index, as: UInt64.self))
      if commas != 0 { return index + commas.trailingZeroBitCount >> 3 }
      index += 8
    }
    while index < body.count, body[index] != Self.comma { index += 1 }
    return index
  }

  /// The next field's bytes without the blanks around them; empty past the last.
  package mutating func text() -> ByteView {
    guard cursor <= body.count else { return body.extracting(0..<0) }
    let end = fieldEnd()
    var first = cursor
    var last = end
    while first < last, body[first] == Self.space { first += 1 }
    while last > first, body[last - 1] == Self.space { last -= 1 }
    cursor = end + 1
    return body.extracting(first..<last)
  }

  /// All that is left, commas too.
  package mutating func rest() -> ByteView {
    defer { cursor = body.count + 1 }
    return body.extracting(min(cursor, body.count)..<body.count)
  }

  package mutating func skip(_ count: Int) {
    for _ in 0..<count where cursor <= body.count { cursor = fieldEnd() + 1 }
  }

  /// A field of one character.
  package mutating func letter() -> UInt8? {
    let next = cursor + 1
    if next < body.count, body[next] == Self.comma, body[cursor] > Self.space,
      body[cursor] != Self.comma
    {
      cursor = next + 1
      return body[next - 1]
    }
    let field = text()
    return field.count == 1 ? field[0] : nil
  }

  package mutating func decimal() -> DecimalNumber? { numeral()?.number }

  package mutating func number() -> Double? { numeral()?.number.value }

  /// A whole number of any sign.
  package mutating func integer() -> Int? {
    guard let number = numeral()?.number, number.decimals == 0 else { return nil }
    return Int(number.mantissa)
  }

  /// The whole part of a number of any sign; `nil` where it is not within `range`.
  package mutating func integer(truncatedIn range: ClosedRange<Int64>) -> Int64? {
    guard let number = numeral()?.number else { return nil }
    if number.decimals == 0 { return range.contains(number.mantissa) ? number.mantissa : nil }
    let unit = PowersOfTen.integer(number.decimals)
    let (whole, fraction) = number.mantissa.quotientAndRemainder(dividingBy: unit)
    guard range.contains(whole), whole != range.upperBound || fraction <= 0,
      whole != range.lowerBound || fraction >= 0
    else { return nil }
    return whole
  }

  /// One hexadecimal digit, as the ids of systems and signals.
  package mutating func hexDigit() -> UInt8? {
    guard let letter = letter() else { return nil }
    switch letter {
    case 48...57: return letter - 48
    case 65...70: return letter - 55
    case 97...102: return letter - 87
    default: return nil
    }
  }

  /// `hhmmss` with any number of decimals. Digits behind the sixth are dropped.
  package mutating func timeOfDay() -> TimeOfDay? {
    guard !skipBlank() else { return nil }
    guard let numeral = numeral(), numeral.wholeDigitCount == 6, !numeral.isSigned,
      let time = Self.timeOfDay(numeral.number)
    else {
      isMalformed = true
      return nil
    }
    return time
  }

  private static func timeOfDay(_ number: DecimalNumber) -> TimeOfDay? {
    let unit = PowersOfTen.integer(number.decimals)
    let (whole, fraction) = number.mantissa.quotientAndRemainder(dividingBy: unit)
    let microsecond =
      number.decimals <= 6
      ? fraction * PowersOfTen.integer(6 - number.decimals)
      : fraction / PowersOfTen.integer(number.decimals - 6)
    return TimeOfDay(
      hour: Int(whole / 10_000), minute: Int(whole / 100 % 100), second: Int(whole % 100),
      microsecond: Int(microsecond))
  }

  /// `ddmmyy`; years from 80 on are of the 20th century, as GPS time began in 1980.
  package mutating func date() -> CalendarDate? {
    guard let numeral = numeral(), numeral.wholeDigitCount == 6, numeral.number.decimals == 0,
      !numeral.isSigned
    else { return nil }
    let digits = Int(numeral.number.mantissa)
    let year = digits % 100
    return CalendarDate(
      year: year < 80 ? 2000 + year : 1900 + year, month: digits / 100 % 100, day: digits / 10_000)
  }

  /// Latitude, its letter, longitude and its letter. `nil` where either value is blank; malformed
  /// where a value has no fitting letter, a sign, 60 minutes or more, or lies beyond the pole or
  /// the antimeridian.
  package mutating func position() -> NMEAPosition? {
    let latitude = coordinate(negative: UInt8(ascii: "S"), positive: UInt8(ascii: "N"), limit: 90)
    let longitude = coordinate(negative: UInt8(ascii: "W"), positive: UInt8(ascii: "E"), limit: 180)
    guard let latitude, let longitude else { return nil }
    return NMEAPosition(
      coordinate: Coordinate(latitude: latitude.degrees, longitude: longitude.degrees),
      decimals: min(latitude.decimals, longitude.decimals))
  }

  private mutating func coordinate(
    negative: UInt8, positive: UInt8, limit: Int64
  ) -> (degrees: Double, decimals: UInt8)? {
    let isBlank = skipBlank()
    let numeral = isBlank ? nil : numeral()
    let hemisphere = letter()
    guard !isBlank else { return nil }
    guard let numeral, !numeral.isSigned, numeral.number.decimals <= 9,
      hemisphere == negative || hemisphere == positive
    else {
      isMalformed = true
      return nil
    }
    let number = numeral.number
    let unit = PowersOfTen.integer(number.decimals)
    let (degrees, minutes) = number.mantissa.quotientAndRemainder(dividingBy: 100 * unit)
    guard minutes < 60 * unit, degrees < limit || (degrees == limit && minutes == 0) else {
      isMalformed = true
      return nil
    }
    // One division of two exact numbers, so that the last digit sent survives.
    let magnitude = Double(degrees * 60 * unit + minutes) / Double(60 * unit)
    return (hemisphere == negative ? -magnitude : magnitude, number.decimals)
  }

  // MARK: Numbers

  /// A number as it is written.
  private struct Numeral {
    var number: DecimalNumber
    /// Digits before the point.
    var wholeDigitCount: Int
    /// Whether a sign stands before it, of either kind.
    var isSigned = false
  }

  /// More digits than this would not fit 64 bits.
  private static let digitCountMax = 18

  /// Passes over a field in which nothing but blanks stands.
  private mutating func skipBlank() -> Bool {
    var index = cursor
    while index < body.count, body[index] == Self.space { index += 1 }
    guard index >= body.count || body[index] == Self.comma else { return false }
    cursor = min(index, body.count) + 1
    return true
  }

  /// Takes the next field as digits with an optional sign and point. More than 18 digits are
  /// refused.
  private mutating func numeral() -> Numeral? {
    // Digits with at most one point up to a comma: what nearly every field is.
    var index = cursor
    var number = DecimalNumber(mantissa: 0, decimals: 0)
    var pointIndex = -1
    while index < body.count {
      let digit = body[index] &- 48
      if digit < 10 {
        number.mantissa = number.mantissa &* 10 &+ Int64(digit)
      } else if digit == UInt8(ascii: ".") &- 48, pointIndex < 0 {
        pointIndex = index
      } else if digit == Self.comma &- 48 {
        break
      } else {
        return Self.numeral(text())
      }
      index += 1
    }
    let length = index - cursor
    guard length > 0 else {
      cursor = min(index, body.count) + 1
      return nil
    }
    let isWhole = pointIndex < 0
    let wholeDigitCount = isWhole ? length : pointIndex - cursor
    guard length > (isWhole ? 0 : 1), length <= Self.digitCountMax + (isWhole ? 0 : 1) else {
      return Self.numeral(text())
    }
    if !isWhole { number.decimals = UInt8(truncatingIfNeeded: index - pointIndex - 1) }
    cursor = index + 1
    return Numeral(number: number, wholeDigitCount: wholeDigitCount)
  }

  private static func numeral(_ field: ByteView) -> Numeral? {
    var index = 0
    var isNegative = false
    if !field.isEmpty, field[0] == UInt8(ascii: "-") || field[0] == UInt8(ascii: "+") {
      isNegative = field[0] == UInt8(ascii: "-")
      index = 1
    }
    guard field.count > index, field.count - index <= digitCountMax + 1 else { return nil }
    var numeral = Numeral(
      number: DecimalNumber(mantissa: 0, decimals: 0), wholeDigitCount: 0, isSigned: index == 1)
    var (digitCount, hasPoint) = (0, false)
    while index < field.count {
      let digit = field[index] &- 48
      if digit < 10 {
        numeral.number.mantissa = numeral.number.mantissa &* 10 &+ Int64(digit)
        digitCount += 1
        if hasPoint { numeral.number.decimals += 1 } else { numeral.wholeDigitCount += 1 }
      } else {
        guard field[index] == UInt8(ascii: "."), !hasPoint else { return nil }
        hasPoint = true
      }
      index += 1
    }
    guard (1...digitCountMax).contains(digitCount) else { return nil }
    if isNegative { numeral.number.mantissa = -numeral.number.mantissa }
    return numeral
  }
}
