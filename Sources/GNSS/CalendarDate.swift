/// A day of the proleptic Gregorian calendar.
package struct CalendarDate: Comparable, Hashable, Sendable {
  package let year: Int
  package let month: Int
  package let day: Int

  /// `nil` where there is no such day, or the year is outside 1...9999.
  package init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...Self.dayCount(month: month, year: year)).contains(day)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The day that lies `days` after 1970-01-01, clamped to the years 1...9999.
  package init(daysSince1970 days: Int) {
    // Days are counted from 0000-03-01, so that the leap day ends the year, and in numbers that are
    // divided by a multiplication alone.
    let shifted = UInt32(min(max(days, -719_162), 2_932_896) + 719_468)
    let era = shifted / 146_097
    let dayOfEra = shifted &- era &* 146_097
    let yearOfEra =
      (dayOfEra &- dayOfEra / 1460 &+ dayOfEra / 36_524 &- dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra &- (365 &* yearOfEra &+ yearOfEra / 4 &- yearOfEra / 100)
    let shiftedMonth = (5 &* dayOfYear &+ 2) / 153
    day = Int(dayOfYear &- (153 &* shiftedMonth &+ 2) / 5 &+ 1)
    month = Int(shiftedMonth < 10 ? shiftedMonth &+ 3 : shiftedMonth &- 9)
    year = Int(yearOfEra &+ era &* 400) + (month <= 2 ? 1 : 0)
  }

  package var daysSince1970: Int {
    // Not negative, and as UInt32 its divisions are one multiplication each.
    let shiftedYear = UInt32(truncatingIfNeeded: month <= 2 ? year - 1 : year)
    let shiftedMonth = UInt32(truncatingIfNeeded: month <= 2 ? month + 9 : month - 3)
    let leapDays = shiftedYear / 4 &- shiftedYear / 100 &+ shiftedYear / 400
    let dayOfYear = (153 &* shiftedMonth &+ 2) / 5
    return Int(shiftedYear &* 365 &+ leapDays &+ dayOfYear) + day - 719_469
  }

  package static func < (left: CalendarDate, right: CalendarDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  private static func dayCount(month: Int, year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
