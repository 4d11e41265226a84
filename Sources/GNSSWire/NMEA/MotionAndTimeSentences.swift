import Bytes
import GNSS

/// Course and speed over ground. NMEA 0183 4.11, VTG.
struct VTG {
  /// Degrees true.
  var course: DecimalNumber?
  var knots: DecimalNumber?
  var kilometresPerHour: DecimalNumber?
  var isValid: Bool

  @inline(__always)
  init?(_ all: SentenceFields) {
    var fields = all
    course = fields.decimal()
    var plain = fields
    fields.skip(2)
    guard !fields.isAtEnd else { return nil }
    fields.skip(1)
    // Before NMEA 2.0 the four values came without their unit letters.
    guard !fields.isAtEnd else {
      plain.skip(1)
      (knots, kilometresPerHour, isValid) = (plain.decimal(), plain.decimal(), true)
      return
    }
    knots = fields.decimal()
    fields.skip(1)
    kilometresPerHour = fields.decimal()
    guard !fields.isAtEnd else { return nil }
    fields.skip(1)
    isValid = fields.letter().map { SolutionMode.status(of: $0) != nil } ?? true
  }
}

/// Time and date. NMEA 0183 4.11, ZDA.
struct ZDA {
  var time: TimeOfDay?
  var date: CalendarDate?

  @inline(__always)
  init?(_ all: SentenceFields) {
    var fields = all
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

  @inline(__always)
  init?(_ all: SentenceFields) {
    var fields = all
    time = fields.timeOfDay()
    statistics.rms = fields.magnitude()
    statistics.semiMajor = fields.magnitude()
    statistics.semiMinor = fields.magnitude()
    statistics.orientation = fields.number()
    statistics.latitude = fields.magnitude()
    statistics.longitude = fields.magnitude()
    guard !fields.isAtEnd else { return nil }
    statistics.altitude = fields.magnitude()
    guard !fields.isMalformed else { return nil }
  }
}
