import Bytes
import GNSS
import Testing

@testable import TrackExport

@Suite("Fix as JSON") struct FixJSONTests {
  @Test("every known value, in order")
  func everything() {
    let line = written { FixJSON.append(.sample, to: &$0) }
    #expect(
      line == #"{"type":"fix","time":"2026-10-14T05:06:07.250Z","mode":3,"status":"dgps","#
        + #""lat":-49.341666667,"lon":70.220833333,"alt_msl":512.118,"alt_hae":553.325,"#
        + #""geoid_sep":41.207,"speed":1.25,"track":120.5,"climb":-0.1,"mag_var":-3.8,"#
        + #""eph":2.5,"epv":4,"eps":0.3,"epd":12,"sats_used":7,"hdop":1.27,"vdop":2.1,"pdop":2.45}"#
    )
  }

  @Test("an unknown value is left out, the mode never")
  func nothing() {
    #expect(written { FixJSON.append(Fix(), to: &$0) } == #"{"type":"fix","mode":0}"#)
  }

  @Test("no value that is no number reaches the output")
  func notNumbers() {
    var fix = Fix()
    (fix.speed, fix.course, fix.altitudeMSL) = (.nan, .infinity, 1e300)
    #expect(written { FixJSON.append(fix, to: &$0) } == #"{"type":"fix","mode":0}"#)
  }

  @Test("the time of day is given, also without a date")
  func timeOfDay() {
    var fix = Fix()
    fix.timeOfDay = TimeOfDay(hour: 15, minute: 17, second: 9, microsecond: 5)
    #expect(
      written { FixJSON.append(fix, to: &$0) }
        == #"{"type":"fix","tod":"15:17:09.000005","mode":0}"#)
  }

  @Test("second 60 stays second 60")
  func leapSecond() {
    var fix = Fix()
    fix.time = UTCTime(iso8601: "2017-01-01T00:00:00Z")
    fix.isLeapSecond = true
    fix.dateSource = .carried
    #expect(
      written { FixJSON.append(fix, to: &$0) }
        == #"{"type":"fix","time":"2016-12-31T23:59:60.000Z","date":"carried","mode":0}"#)
  }

  @Test("a course that rounds to a full turn is north")
  func fullTurn() {
    var fix = Fix()
    fix.course = 359.999_999_9
    #expect(written { FixJSON.append(fix, to: &$0) } == #"{"type":"fix","mode":0,"track":0}"#)
  }

  @Test("satellites with what is known of each")
  func satellites() {
    var first = Satellite(constellation: .galileo, svid: 5, signal: 7)
    (first.elevation, first.azimuth, first.cn0) = (-3, 359, 41)
    (first.isUsed, first.isHealthy) = (true, false)
    let second = Satellite(constellation: .glonass, svid: 255)
    #expect(
      written { FixJSON.append([first, second], to: &$0) }
        == #"{"type":"satellites","satellites":[{"gnss":"galileo","svid":5,"el":-3,"az":359,"#
        + #""snr":41,"used":true,"signal":7,"healthy":false},"#
        + #"{"gnss":"glonass","svid":255,"used":false}]}"#)
    #expect(written { FixJSON.append([], to: &$0) } == #"{"type":"satellites","satellites":[]}"#)
  }
}
