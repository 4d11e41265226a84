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
    for index in cursor..<body.count where body[index] == UInt8(ascii: ",") { count += 1 }
    return count
  }

  /// The next field's bytes without the blanks around them; empty past the last.
  package mutating func text() -> ByteView {
    guard cursor <= body.count else { return body.extracting(0..<0) }
    var end = cursor
    while end < body.count, body[end] != UInt8(ascii: ",") { end += 1 }
    var first = cursor
    var last = end
    while first < last, body[first] == UInt8(ascii: " ") { first += 1 }
    while last > first, body[last - 1] == UInt8(ascii: " ") { last -= 1 }
    cursor = end + 1
    return body.extracting(first..<last)
  }

  /// All that is left, commas too.
  package mutating func rest() -> ByteView {
    defer { cursor = body.count + 1 }
    return body.extracting(min(cursor, body.count)..<body.count)
  }

  package mutating func skip(_ count: Int) {
    for _ in 0..<count {
      while cursor < body.count, body[cursor] != UInt8(ascii: ",") { cursor += 1 }
      cursor += cursor <= body.count ? 1 : 0
    }
  }

  /// A field of one character.
  package mutating func letter() -> UInt8? {
    let field = text()
    return field.count == 1 ? field[0] : nil
  }

  package mutating func decimal() -> DecimalNumber? { Self.decimal(text()) }

  package mutating func number() -> Double? { decimal()?.value }

  /// A whole number of any sign.
  package mutating func integer() -> Int? {
    guard let number = decimal(), number.decimals == 0 else { return nil }
    return Int(number.mantissa)
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
    let field = text()
    guard !field.isEmpty else { return nil }
    guard let number = Self.decimal(field), field[0] != UInt8(ascii: "-"),
      field.count == 6 || (field.count > 6 && field[6] == UInt8(ascii: ".")),
      let time = Self.timeOfDay(number)
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
    let field = text()
    guard field.count == 6, let number = Self.decimal(field), number.decimals == 0,
      number.mantissa >= 0
    else { return nil }
    let digits = Int(number.mantissa)
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
    let value = text()
    let hemisphere = letter()
    guard !value.isEmpty else { return nil }
    guard let number = Self.decimal(value), value[0] != UInt8(ascii: "-"), number.decimals <= 9,
      hemisphere == negative || hemisphere == positive
    else {
      isMalformed = true
      return nil
    }
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

  /// Digits with an optional sign and point. More than 18 digits are refused.
  package static func decimal(_ field: ByteView) -> DecimalNumber? {
    var index = 0
    var isNegative = false
    if !field.isEmpty, field[0] == UInt8(ascii: "-") || field[0] == UInt8(ascii: "+") {
      isNegative = field[0] == UInt8(ascii: "-")
      index = 1
    }
    guard field.count > index, field.count - index <= 19 else { return nil }
    var number = DecimalNumber(mantissa: 0, decimals: 0)
    var (digitCount, hasPoint) = (0, false)
    while index < field.count {
      let digit = field[index] &- 48
      if digit < 10 {
        number.mantissa = number.mantissa &* 10 &+ Int64(digit)
        digitCount += 1
        if hasPoint { number.decimals += 1 }
      } else {
        guard field[index] == UInt8(ascii: "."), !hasPoint else { return nil }
        hasPoint = true
      }
      index += 1
    }
    guard (1...18).contains(digitCount) else { return nil }
    if isNegative { number.mantissa = -number.mantissa }
    return number
  }
}

/// A position with the number of decimals of its minutes, which tells the better of two sources.
package struct NMEAPosition: Equatable, Sendable {
  package var coordinate: Coordinate
  package var decimals: UInt8
}

/// A sentence that belongs to the epoch of its time of day.
protocol TimedSentence {
  /// `nil` is blank.
  var time: TimeOfDay? { get }

  /// Takes the fields behind the address; `nil` where the structure is not this sentence's.
  init?(_ fields: inout SentenceFields)
}
