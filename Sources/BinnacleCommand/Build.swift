import GNSS

/// What this program is.
enum Build {
  static let version = "0.1.0"
  /// No receiver can have a date before this day: the program did not exist. Raised with releases.
  static let date = UTCTime(
    date: CalendarDate(daysSince1970: 20_605), timeOfDay: TimeOfDay(microseconds: 0))
}
