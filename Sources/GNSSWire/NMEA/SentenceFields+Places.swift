import Bytes
import GNSS

// Times, dates and positions: values of several fields, or of one with several parts.
extension SentenceFields {
  /// `hhmmss` with any number of decimals. Digits behind the sixth are dropped.
  @inline(__always)
  package mutating func timeOfDay() -> TimeOfDay? {
    if let time = shortTimeOfDay() { return time }
    return takeBlank() ? nil : take(long { $0.longTimeOfDay() })
  }

  /// Six digits, a point and up to six more; nothing is taken where it is not that.
  @inline(__always)
  private mutating func shortTimeOfDay() -> TimeOfDay? {
    guard let whole = run(), whole.length == 6, view.byte(unchecked: whole.end) == Self.point,
      let fraction = run(at: 7), (1...6).contains(fraction.length), isFieldEnd(fraction.end)
    else { return nil }
    let pairs = whole.text.digits(6).pairs
    let (hour, minute, second) = (pairs &>> 16 & 0xff, pairs &>> 32 & 0xff, pairs &>> 48)
    guard hour < 24, minute < 60, second <= 60 else { return nil }
    cursor = fraction.end &+ 1
    let seconds = Int64(bitPattern: (hour &* 60 &+ minute) &* 60 &+ second)
    let unit = PowersOfTen.integer(UInt8(truncatingIfNeeded: 6 &- fraction.length))
    let microseconds = Int64(fraction.text.digits(fraction.length).number) &* unit
    return TimeOfDay(microseconds: seconds &* 1_000_000 &+ microseconds)
  }

  private static let point = UInt8(ascii: ".")

  private mutating func longTimeOfDay() -> TimeOfDay? {
    let field = text()
    guard !field.isEmpty else { return nil }
    guard let numeral = Numeral(field), numeral.wholeDigitCount == 6, !numeral.isSigned,
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
  @inline(__always)
  package mutating func date() -> CalendarDate? {
    guard let run = run(), run.length == 6, isFieldEnd(run.end) else {
      return take(long { $0.longDate() })
    }
    cursor = run.end &+ 1
    let pairs = run.text.digits(6).pairs
    return Self.date(
      day: Int(pairs &>> 16 & 0xff), month: Int(pairs &>> 32 & 0xff), year: Int(pairs &>> 48))
  }

  private mutating func longDate() -> CalendarDate? {
    guard let numeral = Numeral(text()), numeral.wholeDigitCount == 6,
      numeral.number.decimals == 0, !numeral.isSigned
    else { return nil }
    let digits = Int(numeral.number.mantissa)
    return Self.date(day: digits / 10_000, month: digits / 100 % 100, year: digits % 100)
  }

  private static func date(day: Int, month: Int, year: Int) -> CalendarDate? {
    CalendarDate(year: year < 80 ? 2000 + year : 1900 + year, month: month, day: day)
  }

  // MARK: Positions

  /// Latitude, its letter, longitude and its letter. `nil` where either value is blank; malformed
  /// where a value has no fitting letter, a sign, 60 minutes or more, or lies beyond the pole or
  /// the antimeridian.
  @inline(__always)
  package mutating func position() -> NMEAPosition? {
    let latitude = coordinate(negative: UInt8(ascii: "S"), positive: UInt8(ascii: "N"), limit: 90)
    let longitude = coordinate(negative: UInt8(ascii: "W"), positive: UInt8(ascii: "E"), limit: 180)
    guard let latitude, let longitude else { return nil }
    return NMEAPosition(
      coordinate: Coordinate(latitude: latitude.degrees, longitude: longitude.degrees),
      decimals: min(latitude.decimals, longitude.decimals))
  }

  /// Degrees and minutes as they are written: `dddmm` and the decimals of the minutes.
  private struct Angle {
    var whole: Int64
    var fraction: Int64
    var decimals: UInt8
  }

  @inline(__always)
  private mutating func coordinate(
    negative: UInt8, positive: UInt8, limit: Int64
  ) -> (degrees: Double, decimals: UInt8)? {
    guard !takeBlank() else {
      _ = letter()
      return nil
    }
    var angle = shortAngle()
    var isBlank = false
    if angle == nil {
      (angle, isBlank) = take(
        long { fields in
          let field = fields.text()
          return (Self.longAngle(field), field.isEmpty)
        })
    }
    let hemisphere = letter()
    guard !isBlank else { return nil }
    guard let angle, hemisphere == negative || hemisphere == positive else {
      isMalformed = true
      return nil
    }
    let unit = PowersOfTen.integer(angle.decimals)
    let (degrees, wholeMinutes) = (angle.whole / 100, angle.whole % 100)
    let minutes = wholeMinutes &* unit &+ angle.fraction
    guard wholeMinutes < 60, degrees < limit || (degrees == limit && minutes == 0) else {
      isMalformed = true
      return nil
    }
    // One division of two exact numbers, so that the last digit sent survives.
    let magnitude = Double(degrees &* 60 &* unit &+ minutes) / Double(60 &* unit)
    return (hemisphere == negative ? -magnitude : magnitude, angle.decimals)
  }

  /// Up to eight digits, a point and one to eight more; nothing is taken where it is not that.
  @inline(__always)
  private mutating func shortAngle() -> Angle? {
    guard let whole = run(), whole.length > 0, view.byte(unchecked: whole.end) == Self.point,
      let fraction = run(at: whole.length &+ 1), fraction.length > 0, isFieldEnd(fraction.end)
    else { return nil }
    cursor = fraction.end &+ 1
    return Angle(
      whole: Int64(whole.text.digits(whole.length).number),
      fraction: Int64(fraction.text.digits(fraction.length).number),
      decimals: UInt8(truncatingIfNeeded: fraction.length))
  }

  private static func longAngle(_ field: ByteView) -> Angle? {
    guard let numeral = Numeral(field), !numeral.isSigned, numeral.number.decimals <= 9 else {
      return nil
    }
    let decimals = numeral.number.decimals
    let (whole, fraction) = numeral.number.mantissa.quotientAndRemainder(
      dividingBy: PowersOfTen.integer(decimals))
    return Angle(whole: whole, fraction: fraction, decimals: decimals)
  }
}
