import GNSS
import Testing

@testable import BinnacleCommand

@Suite("Time expression") struct TimeExpressionTests {
  static let now = "2026-10-14T05:06:07.250Z"
  static let cases: [(text: String, time: String?)] = [
    ("now", now),
    ("today", "2026-10-14T00:00:00.000Z"),
    ("yesterday", "2026-10-13T00:00:00.000Z"),
    ("tomorrow", "2026-10-15T00:00:00.000Z"),
    ("-2h", "2026-10-14T03:06:07.250Z"),
    ("-1min", "2026-10-14T05:05:07.250Z"),
    ("-1h30min", "2026-10-14T03:36:07.250Z"),
    ("+1 day 1.5 hours", "2026-10-15T06:36:07.250Z"),
    ("2 weeks ago", "2026-09-30T05:06:07.250Z"),
    ("-30", "2026-10-14T05:05:37.250Z"),
    ("@1791954367.5", "2026-10-14T05:06:07.500Z"),
    ("2026-10-14", "2026-10-14T00:00:00.000Z"),
    ("2026-10-13 23:59", "2026-10-13T23:59:00.000Z"),
    ("2026-10-13  23:59:01.5 UTC", "2026-10-13T23:59:01.500Z"),
    ("2026-10-14T07:00:00+02:00", "2026-10-14T05:00:00.000Z"),
    ("04:05", "2026-10-14T04:05:00.000Z"),
    ("04:05:06.5", "2026-10-14T04:05:06.500Z"),
    ("", nil), ("-", nil), ("noon", nil), ("-2 parsecs", nil), ("-1h-", nil), ("@", nil),
    ("@nan", nil), ("-1e999h", nil), ("-99999999999y", nil), ("2026-02-30", nil), ("25:00", nil),
    ("--2h", nil), (" ago", nil), ("-.", nil),
  ]

  @Test("is understood as journalctl does", arguments: cases)
  func times(text: String, expected: String?) throws {
    let now = try #require(UTCTime(iso8601: Self.now))
    #expect(TimeExpression.time(text, now: now)?.iso8601 == expected)
  }
}
