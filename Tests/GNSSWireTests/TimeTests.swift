import Bytes
import GNSS
import Testing

@testable import GNSSWire

/// Where the date and the second of a fix come from. The right values are computed from the
/// calendar, GPS time and the announced leap seconds (IERS Bulletin C).
@Suite("Time") struct TimeTests {
  /// 2026-10-14 is day 3 of GPS week 2440: (20740 - 3657) / 7.
  static let weekNumber: Int16 = 2440

  /// NAV-SOL with a fix at 0 N 90 E, of a time of GPS.
  static func solution(week: Int16, seconds: UInt32) -> [UInt8] {
    ubx(0x01, 0x06) {
      $0.append(littleEndian: seconds * 1000)
      $0.append(littleEndian: Int32(0))
      $0.append(littleEndian: week)
      $0.append(bytes: [3, 0x0d])
      for centimetres in [Int32(0), 637_813_700, 0] { $0.append(littleEndian: centimetres) }
      $0.append(bytes: [UInt8](repeating: 0, count: 28))
    }
  }

  /// NAV-TIMELS: the leap seconds, where they come from, and whether they are valid.
  static func leap(_ seconds: Int8, source: UInt8, isValid: Bool, at time: UInt32) -> [UInt8] {
    ubx(0x01, 0x26) {
      $0.append(littleEndian: time * 1000)
      $0.append(bytes: [0, 0, 0, 0, source, UInt8(bitPattern: seconds)])
      $0.append(bytes: [UInt8](repeating: 0, count: 13))
      $0.append(byte: isValid ? 1 : 0)
    }
  }

  /// GPS weeks and seconds, and the UTC that was then.
  static let table: [(week: Int16, seconds: UInt32, right: String, isLeap: Bool)] = [
    (2440, 259_200 + 18, "2026-10-14T00:00:00.000Z", false),
    // GPS was 17 s ahead until the leap second at the end of 2016, a Saturday.
    (1930, 16, "2016-12-31T23:59:59.000Z", false),
    (1930, 17, "2017-01-01T00:00:00.000Z", true),
    (1930, 18, "2017-01-01T00:00:00.000Z", false),
    (1042, 0, "1999-12-25T23:59:47.000Z", false),
    (0, 0, "1980-01-06T00:00:00.000Z", false),
  ]

  @Test("GPS time becomes UTC by the table, until it expires", arguments: table)
  func byTable(week: Int16, seconds: UInt32, right: String, isLeap: Bool) throws {
    let fix = try #require(
      Played(Self.solution(week: week, seconds: seconds)).epochs.first?.fix)
    #expect(fix.time?.iso8601 == right)
    #expect(fix.isLeapSecond == isLeap)
    #expect(fix.dateSource == .leapTable)
  }

  /// The list of the distribution's tzdata: seconds since 1900, and TAI minus UTC, which is 19 s
  /// more than GPS time minus UTC.
  private static let list = TestFiles.contents("/usr/share/zoneinfo/leap-seconds.list") ?? []

  @Test("agrees with the list that the system has", .enabled(if: !list.isEmpty, "needs tzdata"))
  func systemList() throws {
    var rows = 0
    for line in Self.list.split(separator: UInt8(ascii: "\n")) where line.first != 0x23 {
      let words = line.split { $0 == 0x20 || $0 == 0x09 }
      guard words.count >= 2, let since1900 = Int64(String(decoding: words[0], as: UTF8.self)),
        let offset = Int64(String(decoding: words[1], as: UTF8.self)), offset > 19
      else { continue }
      rows += 1
      let start = UTCTime(seconds: since1900 - 2_208_988_800)
      let table = LeapSeconds()
      let after = try #require(table.convert(gps: start + .seconds(offset - 19)))
      #expect(after.time == start && !after.isLeapSecond)
      let within = try #require(table.convert(gps: start + .seconds(offset - 20)))
      #expect(within.isLeapSecond)
    }
    // 1980 began at 19 s, and 2017 at 37.
    #expect(rows >= 18)
  }

  @Test("behind the end of the table only the receiver knows the leap seconds")
  func expired() {
    // 2027-07-04, week 2478.
    let alone = Played(Self.solution(week: 2478, seconds: 100)).epochs.first?.fix
    #expect(alone?.time == nil && alone?.dateSource == DateSource.none)
    #expect(alone?.position != nil)
    let told = Played(
      Self.leap(19, source: 2, isValid: true, at: 99) + Self.solution(week: 2478, seconds: 100)
    ).epochs.last?.fix
    #expect(told?.time?.iso8601 == "2027-07-04T00:01:21.000Z")
    #expect(told?.dateSource == .receiver)
  }

  /// Source, validity; whether it is believed.
  static let origins: [(source: UInt8, isValid: Bool, isBelieved: Bool)] = [
    (2, true, true), (0, true, false), (255, true, false), (2, false, false),
  ]

  @Test("NAV-TIMELS counts where it is from the satellites", arguments: origins)
  func origin(source: UInt8, isValid: Bool, isBelieved: Bool) throws {
    let fix = try #require(
      Played(
        Self.leap(17, source: source, isValid: isValid, at: 259_199)
          + Self.solution(week: Self.weekNumber, seconds: 259_217)
      ).epochs.last?.fix)
    #expect(
      fix.time?.iso8601 == (isBelieved ? "2026-10-14T00:00:00.000Z" : "2026-10-13T23:59:59.000Z"))
    #expect(fix.dateSource == (isBelieved ? .receiver : .leapTable))
  }

  /// NAV-PVT of 2026-10-14T05:06:07Z as a firmware built with `offset` leap seconds tells it.
  static func pvt(offset: Int, valid: UInt8, fixOK: Bool) -> [UInt8] {
    let time: UInt32 = 3 * 86_400 + 18_367 + 18
    let sent = Int(time) - offset - 3 * 86_400
    return ubx(0x01, 0x07) {
      $0.append(littleEndian: time * 1000)
      $0.append(littleEndian: UInt16(2026))
      $0.append(bytes: [10, 14, UInt8(sent / 3600), UInt8(sent / 60 % 60), UInt8(sent % 60)])
      $0.append(byte: valid)
      $0.append(bytes: [UInt8](repeating: 0, count: 8))
      $0.append(bytes: [3, fixOK ? 1 : 0, 0, 9])
      $0.append(bytes: [UInt8](repeating: 0, count: 68))
    }
  }

  @Test("UTC made with old leap seconds is set right", arguments: [16, 17, 18, 13])
  func unresolved(offset: Int) throws {
    let fix = try #require(
      Played(Self.pvt(offset: offset, valid: 3, fixOK: true)).epochs.first?.fix)
    #expect(fix.time?.iso8601 == "2026-10-14T05:06:07.000Z")
    #expect(fix.timeOfDay?.microseconds == 18_367_000_000)
    #expect(fix.dateSource == .leapTable)
  }

  @Test("a time that is not resolved counts only with a fix, and never as the receiver's own")
  func noFix() {
    let fix = Played(Self.pvt(offset: 18, valid: 3, fixOK: false)).epochs.first?.fix
    #expect(fix != nil && fix?.time == nil)
    let resolved = Played(Self.pvt(offset: 18, valid: 7, fixOK: true)).epochs.first?.fix
    #expect(resolved?.time?.iso8601 == "2026-10-14T05:06:07.000Z")
    #expect(resolved?.dateSource == .receiver)
  }

  @Test("a stream of ZDA alone gives an epoch each, once it is known to be that")
  func zdaOnly() {
    let times = Played(
      sentences(
        "GPZDA,235957.00,31,12,2026,00,00", "GPZDA,235958.00,31,12,2026,00,00",
        "GPZDA,235959.00,31,12,2026,00,00", "GPZDA,000000.00,01,01,2027,00,00")
    ).epochs
    #expect(
      times.map { $0.fix.time?.iso8601 } == [
        "2026-12-31T23:59:59.000Z", "2027-01-01T00:00:00.000Z",
      ])
    #expect(times.allSatisfy { $0.fix.mode == .unknown && $0.fix.position == nil })
  }

  @Test("a stream of GGA alone has a time of day, and a date only from a trusted host")
  func ggaOnly() {
    let stream = sentences(
      "GPGGA,235959.00,4744.6980,N,12206.7275,W,1,05,1.9,135.4,M,-17.1,M,,",
      "GPGGA,000000.00,4744.6980,N,12206.7275,W,1,05,1.9,135.4,M,-17.1,M,,")
    let alone = Played(stream).epochs.map(\.fix)
    #expect(alone.map { $0.time == nil } == [true, true])
    #expect(alone.map { $0.dateSource } == [.none, .none])
    #expect(alone.map { $0.timeOfDay?.microseconds } == [86_399_000_000, 0])
    let host = DateSettings(hostTime: UTCTime(iso8601: "2026-10-15T00:00:02Z"))
    let dated = Played(stream, dates: host).epochs.map(\.fix)
    #expect(
      dated.map { $0.time?.iso8601 } == ["2026-10-14T23:59:59.000Z", "2026-10-15T00:00:00.000Z"])
    #expect(dated.map { $0.dateSource } == [.hostClock, .carried])
  }

  @Test("a capture keeps the dates of its time, however old; a receiver that is there now does not")
  func oldCapture() {
    // A receiver whose weeks wrapped: 2007-02-27 is 7168 days before 2026-10-13.
    let stream = sentences("GPRMC,120000.00,A,4744.6980,N,12206.7275,W,0.1,10.0,270207,,,A")
    let recorded = Played(stream).epochs.first?.fix
    #expect(recorded?.time?.iso8601 == "2007-02-27T12:00:00.000Z")
    #expect(recorded?.dateSource == .receiver)
    let live = Played(
      stream, dates: DateSettings(buildDate: UTCTime(iso8601: "2026-06-01"))
    ).epochs.first?.fix
    #expect(live?.time?.iso8601 == "2026-10-13T12:00:00.000Z")
    #expect(live?.dateSource == .rolloverCorrected)
  }

  @Test("midnight between RMC and GGA of a receiver that numbers its sentences apart")
  func midnight() {
    let fixes = Played(
      sentences(
        "GNRMC,235959.90,A,2707.2000,S,10921.6000,W,1.50,120.0,311226,,,A",
        "GNGGA,235959.90,2707.2000,S,10921.6000,W,1,08,1.10,12.0,M,44.0,M,,",
        "GNGGA,000000.00,2707.2000,S,10921.6000,W,1,08,1.10,12.0,M,44.0,M,,",
        "GNRMC,000000.10,A,2707.2000,S,10921.6000,W,1.50,120.0,010127,,,A",
        "GNGGA,000000.10,2707.2000,S,10921.6000,W,1,08,1.10,12.0,M,44.0,M,,")
    ).epochs.map(\.fix)
    #expect(
      fixes.map { $0.time?.iso8601 } == [
        "2026-12-31T23:59:59.900Z", "2027-01-01T00:00:00.000Z", "2027-01-01T00:00:00.100Z",
      ])
    #expect(fixes.map { $0.dateSource } == [.receiver, .carried, .receiver])
  }
}
