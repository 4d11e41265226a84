/// An instant of UTC, in microseconds since 1970-01-01T00:00:00Z, leap seconds not counted (as
/// POSIX time). Second 60 therefore equals second 0 of the next day; `Fix.isLeapSecond` tells them
/// apart.
package struct UTCTime: Comparable, Hashable, Sendable {
  package var microseconds: Int64

  package init(microseconds: Int64) { self.microseconds = microseconds }

  package static let microsecondsPerSecond: Int64 = 1_000_000
  package static let microsecondsPerDay: Int64 = 86_400_000_000

  package init(date: CalendarDate, timeOfDay: TimeOfDay) {
    microseconds = Int64(date.daysSince1970) * Self.microsecondsPerDay + timeOfDay.microseconds
  }

  package init(seconds: Int64) {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: Self.microsecondsPerSecond)
    microseconds = overflow ? (seconds < 0 ? .min : .max) : product
  }

  /// The UTC day, clamped to the years 1...9999.
  package var date: CalendarDate {
    CalendarDate(daysSince1970: Int(Self.floorDay(microseconds)))
  }

  package var timeOfDay: TimeOfDay {
    let day = Self.floorDay(microseconds)
    return TimeOfDay(microseconds: microseconds &- day &* Self.microsecondsPerDay)
  }

  package static func < (left: UTCTime, right: UTCTime) -> Bool {
    left.microseconds < right.microseconds
  }

  /// Saturates at the ends of the range.
  package static func + (time: UTCTime, span: Duration) -> UTCTime {
    let (sum, overflow) = time.microseconds.addingReportingOverflow(span.wholeMicroseconds)
    return UTCTime(microseconds: overflow ? (span < .zero ? .min : .max) : sum)
  }

  package static func - (later: UTCTime, earlier: UTCTime) -> Duration {
    let (span, overflow) = later.microseconds.subtractingReportingOverflow(earlier.microseconds)
    return .microseconds(overflow ? (later > earlier ? .max : .min) : span)
  }

  @inline(__always)
  private static func floorDay(_ microseconds: Int64) -> Int64 {
    let quotient = microseconds / microsecondsPerDay
    return quotient &* microsecondsPerDay > microseconds ? quotient &- 1 : quotient
  }
}

/// A time of day in UTC, in microseconds since midnight. At a leap second it runs on to just below
/// 86,401 s.
package struct TimeOfDay: Comparable, Hashable, Sendable {
  package var microseconds: Int64

  package init(microseconds: Int64) { self.microseconds = microseconds }

  /// `nil` where a part is out of range. Second 60 is legal in any minute: receivers report it.
  package init?(hour: Int, minute: Int, second: Int, microsecond: Int = 0) {
    guard (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second),
      (0...999_999).contains(microsecond)
    else { return nil }
    microseconds = Int64((hour * 60 + minute) * 60 + second) * 1_000_000 + Int64(microsecond)
  }

  package static func < (left: TimeOfDay, right: TimeOfDay) -> Bool {
    left.microseconds < right.microseconds
  }
}
