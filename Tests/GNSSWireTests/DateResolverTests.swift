import GNSS
import Testing

@testable import GNSSWire

@Suite("Date resolver") struct DateResolverTests {
  static func time(_ text: String) -> UTCTime { UTCTime(iso8601: text) ?? UTCTime(seconds: 0) }

  /// 1024 weeks are 7168 days; the right dates by date(1).
  static let rollovers: [(sent: String, right: String)] = [
    ("2007-02-27T12:00:00Z", "2026-10-13T12:00:00.000Z"),
    ("1987-07-14T12:00:00Z", "2026-10-13T12:00:00.000Z"),
    ("2000-03-01T00:00:00Z", "2039-06-01T00:00:00.000Z"),
  ]

  @Test("a date of an earlier cycle of weeks is moved behind the floor", arguments: rollovers)
  func rollover(sent: String, right: String) throws {
    var dates = DateResolver(settings: DateSettings(buildDate: Self.time("2026-06-01")))
    let result = dates.resolve(Self.time(sent), isTrusted: true, at: .zero)
    let resolved = try #require(result)
    #expect(resolved.time.iso8601 == right)
    #expect(resolved.source == .rolloverCorrected)
  }

  @Test("the later of build date and persisted time is the floor, with a day of grace")
  func floor() {
    var dates = DateResolver(
      settings: DateSettings(
        buildDate: Self.time("2026-06-01"), floor: Self.time("2026-10-14T05:00:00Z")))
    let before = dates.resolve(Self.time("2026-10-13T05:00:01Z"), isTrusted: true, at: .zero)
    #expect(before?.source == .receiver)
  }

  @Test("a date before the floor without a solution is the default of a clock that was never set")
  func untrusted() {
    var dates = DateResolver(settings: DateSettings(buildDate: Self.time("2026-06-01")))
    let result = dates.resolve(Self.time("1980-01-06T00:00:10Z"), isTrusted: false, at: .zero)
    #expect(result == nil)
  }

  @Test("a recording is of any age")
  func recording() {
    var dates = DateResolver(settings: DateSettings())
    let old = dates.resolve(Self.time("1999-08-22T00:02:31Z"), isTrusted: true, at: .zero)
    #expect(old?.time.iso8601 == "1999-08-22T00:02:31.000Z")
    #expect(old?.source == .receiver)
  }

  @Test("a receiver that falls back by 1024 weeks while it runs is not followed")
  func fallBack() {
    var dates = DateResolver(settings: DateSettings())
    _ = dates.resolve(Self.time("2019-04-06T23:59:41Z"), isTrusted: true, at: .zero)
    let next = dates.resolve(Self.time("1999-08-21T23:59:42Z"), isTrusted: true, at: .zero)
    #expect(next?.time.iso8601 == "2019-04-06T23:59:42.000Z")
    #expect(next?.source == .rolloverCorrected)
  }

  /// A time of day after a dated epoch, the seconds between them, and where it belongs.
  static let carried: [(first: String, elapsed: Int, timeOfDay: Int, right: String)] = [
    ("2025-12-31T23:59:59Z", 0, 0, "2026-01-01T00:00:00.000Z"),
    ("2028-02-28T23:59:59Z", 1, 0, "2028-02-29T00:00:00.000Z"),
    // Reordered by a fraction: the day does not change.
    ("2026-01-02T00:00:00Z", 0, 86_399, "2026-01-01T23:59:59.000Z"),
    // After 30 hours of silence the monotonic clock tells the day.
    ("2026-01-01T12:00:00Z", 30 * 3600, 18 * 3600, "2026-01-02T18:00:00.000Z"),
  ]

  @Test("a time of day is carried on", arguments: carried)
  func carry(first: String, elapsed: Int, timeOfDay: Int, right: String) throws {
    var dates = DateResolver(settings: DateSettings())
    _ = dates.resolve(Self.time(first), isTrusted: true, at: .zero)
    let later = Monotonic.zero + .seconds(elapsed)
    let result = dates.carry(
      TimeOfDay(microseconds: Int64(timeOfDay) * 1_000_000), at: later)
    let resolved = try #require(result)
    #expect(resolved.time.iso8601 == right)
    #expect(resolved.source == .carried)
  }

  @Test("without a date the host's clock is asked only if it is synchronised")
  func host() {
    let timeOfDay = TimeOfDay(microseconds: 86_399_000_000)
    var alone = DateResolver(settings: DateSettings())
    let nothing = alone.carry(timeOfDay, at: .zero)
    #expect(nothing == nil)
    var dates = DateResolver(
      settings: DateSettings(hostTime: Self.time("2026-09-12T00:00:00.691Z")))
    let resolved = dates.carry(timeOfDay, at: .zero)
    #expect(resolved?.time.iso8601 == "2026-09-11T23:59:59.000Z")
    #expect(resolved?.source == .hostClock)
  }
}
