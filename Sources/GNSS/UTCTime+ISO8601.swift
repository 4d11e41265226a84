import Bytes

/// Text form by RFC 3339, always in UTC.
extension OutputBuffer {
  /// Longer than any time, with the room that the last number in it asks for.
  private static let timeByteCountMax = 80

  /// `2026-10-14T05:06:07.250Z`, rounded to `fractionDigits` (0 to 6) digits of the second. With
  /// `isLeapSecond` the instant 00:00:00.x is written as second 60 of the day before.
  package mutating func append(
    time: UTCTime, fractionDigits: Int = 3, isLeapSecond: Bool = false
  ) {
    appendRow(upTo: Self.timeByteCountMax) { row in
      row.append(time: time, fractionDigits: fractionDigits, isLeapSecond: isLeapSecond)
    }
  }

  /// `2026-10-14`
  package mutating func append(date: CalendarDate) {
    append(decimal: date.year, width: 4)
    append(byte: UInt8(ascii: "-"))
    append(decimal: date.month, width: 2)
    append(byte: UInt8(ascii: "-"))
    append(decimal: date.day, width: 2)
  }

  /// `05:06:07.250`; what would round up to midnight is cut instead, as there is no date to raise.
  package mutating func append(timeOfDay: TimeOfDay, fractionDigits: Int = 3) {
    var rounded = min(max(timeOfDay.microseconds, 0), RowWriter.timeOfDayMax)
    let half = RowWriter.unit(fractionDigits) / 2
    let dayEnd: Int64 = rounded < 86_400_000_000 ? 86_400_000_000 : 86_401_000_000
    if rounded + half < dayEnd { rounded += half }
    appendRow(upTo: Self.timeByteCountMax) { row in
      row.append(
        timeOfDay: rounded, fractionDigits: fractionDigits, isLeapSecond: false, then: nil)
    }
  }
}

extension RowWriter {
  /// As `OutputBuffer.append(time:)`.
  package mutating func append(time: UTCTime, fractionDigits: Int, isLeapSecond: Bool) {
    let (raised, overflow) = time.microseconds.addingReportingOverflow(
      Self.unit(fractionDigits) / 2)
    let rounded = UTCTime(microseconds: overflow ? time.microseconds : raised)
    let shown = isLeapSecond ? rounded + .seconds(-1) : rounded
    let date = shown.date
    append(pair: date.year / 100)
    append(pairs: date.year % 100, date.month, date.day, separator: UInt8(ascii: "-"))
    append(byte: UInt8(ascii: "T"))
    append(
      timeOfDay: min(max(shown.timeOfDay.microseconds, 0), Self.timeOfDayMax),
      fractionDigits: fractionDigits, isLeapSecond: isLeapSecond, then: UInt8(ascii: "Z"))
  }

  /// What is behind the digits is cut off.
  fileprivate mutating func append(
    timeOfDay microseconds: Int64, fractionDigits: Int, isLeapSecond: Bool, then end: UInt8?
  ) {
    let total = Int(microseconds / 1_000_000)
    let minutes = min(total, 86_399) / 60
    let seconds = total - minutes * 60 + (isLeapSecond ? 1 : 0)
    append(pairs: minutes / 60, minutes % 60, seconds, separator: UInt8(ascii: ":"))
    let digits = min(max(fractionDigits, 0), 6)
    guard digits > 0 else {
      if let end { append(byte: end) }
      return
    }
    append(byte: UInt8(ascii: "."))
    let fraction = microseconds % 1_000_000 / Self.unit(digits)
    guard digits == 3 else { return append(decimal: Int(fraction), width: digits, then: end) }
    append(triple: Int(fraction))
    if let end { append(byte: end) }
  }

  /// Up to the end of a leap second.
  fileprivate static let timeOfDayMax: Int64 = 86_400_999_999

  /// Microseconds in the last of so many digits of the second.
  fileprivate static func unit(_ fractionDigits: Int) -> Int64 {
    var unit: Int64 = 1
    for _ in min(max(fractionDigits, 0), 6)..<6 { unit *= 10 }
    return unit
  }
}

extension UTCTime {
  /// Reads an RFC 3339 time in UTC or with an offset: `2026-09-12T00:00:00.691Z`,
  /// `2026-09-12 02:00+02:00`, `2026-09-12`. Seconds and a zone may be missing (then 0 and UTC).
  package init?(iso8601 text: String) {
    var fields = ISO8601Fields(Array(text.utf8))
    guard let date = fields.date() else { return nil }
    if fields.isAtEnd {
      self.init(date: date, timeOfDay: TimeOfDay(microseconds: 0))
      return
    }
    guard fields.take("T") || fields.take("t") || fields.take(" "), let time = fields.timeOfDay(),
      let offset = fields.zoneOffset(), fields.isAtEnd
    else { return nil }
    self = UTCTime(date: date, timeOfDay: time) + .seconds(-offset)
  }

  /// The time as `append(time:)` writes it.
  package var iso8601: String {
    var buffer = OutputBuffer()
    buffer.append(time: self)
    return buffer.text
  }
}

/// A cursor over the text of a time.
private struct ISO8601Fields {
  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { index == bytes.count }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  mutating func number(digits: Int) -> Int? {
    guard bytes.count - index >= digits else { return nil }
    var value = 0
    for byte in bytes[index..<(index + digits)] {
      guard (48...57).contains(byte) else { return nil }
      value = value * 10 + Int(byte - 48)
    }
    index += digits
    return value
  }

  mutating func date() -> CalendarDate? {
    guard let year = number(digits: 4), take("-"), let month = number(digits: 2), take("-"),
      let day = number(digits: 2)
    else { return nil }
    return CalendarDate(year: year, month: month, day: day)
  }

  mutating func timeOfDay() -> TimeOfDay? {
    guard let hour = number(digits: 2), take(":"), let minute = number(digits: 2) else {
      return nil
    }
    guard take(":") else { return TimeOfDay(hour: hour, minute: minute, second: 0) }
    guard let second = number(digits: 2) else { return nil }
    return TimeOfDay(
      hour: hour, minute: minute, second: second,
      microsecond: take(".") || take(",") ? fraction() ?? -1 : 0)
  }

  /// Any number of digits, in microseconds; those behind the sixth are dropped.
  private mutating func fraction() -> Int? {
    var (value, unit, count) = (0, 100_000, 0)
    while let digit = number(digits: 1) {
      value += digit * unit
      unit /= 10
      count += 1
    }
    return count == 0 ? nil : value
  }

  /// Seconds east of UTC; 0 where no zone is given.
  mutating func zoneOffset() -> Int64? {
    if isAtEnd || take("Z") || take("z") { return 0 }
    let sign: Int64 = take("-") ? -1 : 1
    if sign == 1, !take("+") { return nil }
    guard let hour = number(digits: 2), hour < 24 else { return nil }
    _ = take(":")
    guard let minute = isAtEnd ? 0 : number(digits: 2), minute < 60 else { return nil }
    return sign * Int64(hour * 3600 + minute * 60)
  }
}
