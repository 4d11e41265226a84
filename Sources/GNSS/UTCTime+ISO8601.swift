import Bytes

/// Text form by RFC 3339, always in UTC.
extension OutputBuffer {
  /// `2026-10-14T05:06:07.250Z`, rounded to `fractionDigits` (0 to 6) digits of the second. With
  /// `isLeapSecond` the instant 00:00:00.x is written as second 60 of the day before.
  package mutating func append(
    time: UTCTime, fractionDigits: Int = 3, isLeapSecond: Bool = false
  ) {
    appendRow(upTo: RowWriter.timeByteCountMax) { row in
      row = row.appending(
        time: time, fractionDigits: fractionDigits, isLeapSecond: isLeapSecond)
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
    appendRow(upTo: RowWriter.timeByteCountMax) { row in
      row = row.appending(timeOfDay: timeOfDay, fractionDigits: fractionDigits)
    }
  }
}

extension RowWriter {
  /// Longer than any time.
  package static let timeByteCountMax = 32

  /// As `OutputBuffer.append(time:)`.
  package func appending(time: UTCTime, fractionDigits: Int, isLeapSecond: Bool) -> RowWriter {
    let (raised, overflow) = time.microseconds.addingReportingOverflow(
      Self.unit(fractionDigits) / 2)
    var shown = UTCTime(microseconds: overflow ? time.microseconds : raised)
    if isLeapSecond { shown = shown + .seconds(-1) }
    let date = shown.date
    var row = self
    row.append(pair: date.year / 100)
    row.append(pairs: date.year % 100, date.month, date.day, separator: UInt8(ascii: "-"))
    row.append(byte: UInt8(ascii: "T"))
    row.append(
      microsecondsOfDay: shown.timeOfDay.microseconds, fractionDigits: fractionDigits,
      isLeapSecond: isLeapSecond)
    row.append(byte: UInt8(ascii: "Z"))
    return row
  }

  /// As `OutputBuffer.append(timeOfDay:)`.
  package func appending(timeOfDay: TimeOfDay, fractionDigits: Int) -> RowWriter {
    var rounded = min(max(timeOfDay.microseconds, 0), Self.timeOfDayMax)
    let half = Self.unit(fractionDigits) / 2
    let dayEnd: Int64 = rounded < 86_400_000_000 ? 86_400_000_000 : 86_401_000_000
    if rounded + half < dayEnd { rounded += half }
    var row = self
    row.append(
      microsecondsOfDay: rounded, fractionDigits: fractionDigits, isLeapSecond: false)
    return row
  }

  /// What is behind the digits is cut off.
  @inline(__always)
  private mutating func append(
    microsecondsOfDay microseconds: Int64, fractionDigits: Int, isLeapSecond: Bool
  ) {
    let total = UInt64(min(max(microseconds, 0), Self.timeOfDayMax))
    let (second, fraction) = total.quotientAndRemainder(dividingBy: 1_000_000)
    // Second 60 belongs to the minute that ends.
    let minutes = min(second, 86_399) / 60
    let seconds = second - minutes * 60 + (isLeapSecond ? 1 : 0)
    append(
      pairs: Int(minutes / 60), Int(minutes % 60), Int(seconds), separator: UInt8(ascii: ":"))
    guard fractionDigits > 0 else { return }
    append(byte: UInt8(ascii: "."))
    if fractionDigits == 3 { return append(triple: Int(fraction / 1000)) }
    append(
      decimal: Int(fraction / UInt64(Self.unit(fractionDigits))), width: min(fractionDigits, 6))
  }

  /// Up to the end of a leap second.
  private static let timeOfDayMax: Int64 = 86_400_999_999

  /// Microseconds in the last of so many digits of the second.
  private static func unit(_ fractionDigits: Int) -> Int64 {
    switch fractionDigits {
    case ...0: 1_000_000
    case 1: 100_000
    case 2: 10_000
    case 3: 1000
    case 4: 100
    case 5: 10
    default: 1
    }
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
