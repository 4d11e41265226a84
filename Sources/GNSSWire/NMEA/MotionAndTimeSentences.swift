import Bytes
import GNSS

/// Course and speed over ground. NMEA 0183 4.11, VTG.
struct VTG {
  /// Degrees true.
  var course: DecimalNumber?
  var knots: DecimalNumber?
  var kilometresPerHour: DecimalNumber?
  var isValid: Bool

  init?(_ fields: inout SentenceFields) {
    // Before NMEA 2.0 the four values came without their unit letters.
    let isPlain = fields.remainingCount == 4
    guard isPlain || fields.remainingCount >= 8 else { return nil }
    course = fields.decimal()
    fields.skip(isPlain ? 1 : 3)
    knots = fields.decimal()
    if !isPlain { fields.skip(1) }
    kilometresPerHour = fields.decimal()
    if !isPlain { fields.skip(1) }
    isValid = fields.letter().map { SolutionMode.status(of: $0) != nil } ?? true
  }
}

/// Time and date. NMEA 0183 4.11, ZDA.
struct ZDA {
  var time: TimeOfDay?
  var date: CalendarDate?

  init?(_ fields: inout SentenceFields) {
    guard fields.remainingCount >= 4 else { return nil }
    time = fields.timeOfDay()
    if let day = fields.integer(), let month = fields.integer(), let year = fields.integer() {
      date = CalendarDate(year: year, month: month, day: day)
    }
    guard !fields.isMalformed else { return nil }
  }
}

/// Pseudorange error statistics. NMEA 0183 4.11, GST.
struct GST: TimedSentence {
  var time: TimeOfDay?
  var statistics = ErrorStatistics()

  init?(_ fields: inout SentenceFields) {
    guard fields.remainingCount >= 8 else { return nil }
    time = fields.timeOfDay()
    statistics.rms = fields.number()
    statistics.semiMajor = fields.number()
    statistics.semiMinor = fields.number()
    statistics.orientation = fields.number()
    statistics.latitude = fields.number()
    statistics.longitude = fields.number()
    statistics.altitude = fields.number()
    guard !fields.isMalformed else { return nil }
  }
}
