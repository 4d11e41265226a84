import Bytes
import Testing

@testable import GNSS

@Suite("UTC time") struct UTCTimeTests {
  /// Seconds since 1970 by date(1).
  static let instants: [(text: String, seconds: Int64)] = [
    ("1970-01-01T00:00:00.000Z", 0), ("1969-12-31T23:59:59.000Z", -1),
    ("2000-02-29T12:00:00.000Z", 951_825_600), ("2026-10-14T05:06:07.000Z", 1_791_954_367),
    ("2038-01-19T03:14:08.000Z", 2_147_483_648), ("1980-01-06T00:00:00.000Z", 315_964_800),
  ]

  @Test("text and seconds agree", arguments: instants)
  func known(text: String, seconds: Int64) {
    #expect(UTCTime(iso8601: text) == UTCTime(seconds: seconds))
    #expect(UTCTime(seconds: seconds).iso8601 == text)
  }

  @Test("every day from 1600 to 2400 comes back")
  func everyDay() {
    for days in -135_140...157_054 {
      #expect(CalendarDate(daysSince1970: days).daysSince1970 == days)
    }
  }

  @Test(
    "zones, short forms and fractions are read",
    arguments: [
      ("2026-09-12T02:00:00+02:00", "2026-09-12T00:00:00.000Z"),
      ("2026-09-12 00:00", "2026-09-12T00:00:00.000Z"), ("2026-09-12", "2026-09-12T00:00:00.000Z"),
      ("2026-09-12T00:00:00.6914999Z", "2026-09-12T00:00:00.691Z"),
      ("2026-12-31T23:59:60Z", "2027-01-01T00:00:00.000Z"),
    ])
  func forms(text: String, expected: String) {
    #expect(UTCTime(iso8601: text)?.iso8601 == expected)
  }

  @Test(
    "what is no time is refused",
    arguments: [
      "", "2026", "2026-13-01", "2026-02-29", "2026-09-12T", "2026-09-12T24:00",
      "2026-09-12T00:00:61",
      "2026-09-12T00:00:00.Z", "2026-09-12T00:00Zx", "0000-01-01", "2026-09-12T00:00+2",
    ])
  func refused(text: String) { #expect(UTCTime(iso8601: text) == nil) }

  @Test("a leap second is written as second 60")
  func leapSecond() {
    var buffer = OutputBuffer()
    let time = UTCTime(iso8601: "2026-12-31T23:59:60.25Z")
    buffer.append(time: time ?? UTCTime(seconds: 0), isLeapSecond: true)
    #expect(buffer.text == "2026-12-31T23:59:60.250Z")
  }
}
