import Bytes
import GNSS
import Testing

@testable import FixLog

@Suite("Records round trip") struct RoundTripTests {
  /// Fixes at the edges of what can be said, each with what may come back of it.
  static let cases: [(name: String, fix: Fix)] = {
    var list: [(String, Fix)] = [("nothing known", Fix())]
    func add(_ name: String, _ change: (inout Fix) -> Void) {
      var fix = Fix()
      change(&fix)
      list.append((name, fix))
    }
    add("no fix, time of day only") {
      $0.mode = .none
      $0.timeOfDay = TimeOfDay(hour: 5, minute: 6, second: 7, microsecond: 250_000)
    }
    add("leap second") {
      $0.time = UTCTime(iso8601: "2017-01-01T00:00:00.5Z")
      $0.timeOfDay = TimeOfDay(hour: 23, minute: 59, second: 60, microsecond: 500_000)
      $0.isLeapSecond = true
      $0.dateSource = .rolloverCorrected
    }
    add("altitude above sea only") { $0.altitudeMSL = 553.325 }
    add("ellipsoid only") { $0.altitudeEllipsoid = -0.001 }
    add("separation only") { $0.geoidSeparation = -28.7 }
    add("sea level and separation") {
      ($0.altitudeMSL, $0.geoidSeparation) = (512.118, 41.207)
    }
    add("all three") {
      ($0.altitudeMSL, $0.geoidSeparation) = (512.118, 41.207)
      $0.altitudeEllipsoid = 553.325
    }
    add("the corner of the map") {
      $0.mode = .twoD
      $0.position = Coordinate(latitude: -90, longitude: 180)
    }
    add("nine decimals") {
      $0.position = Coordinate(latitude: -49.341666666667, longitude: 70.220833333333)
      ($0.course, $0.speed, $0.climb) = (359.999994, 0.0617333, -0.0005)
    }
    add("course that rounds to north") { $0.course = 359.999996 }
    add("extras") {
      ($0.heading, $0.magneticVariation) = (12.3, -1.5)
      ($0.differentialAge, $0.differentialStation) = (0.5, 402)
      ($0.dop.geometric, $0.dop.time, $0.dop.north, $0.dop.east) = (2.5, 1.25, 0.5, 0.75)
      var errors = ErrorStatistics()
      (errors.rms, errors.latitude, errors.orientation) = (1.5, 2.25, 273.5)
      $0.errorStatistics = errors
    }
    add("status and estimate") {
      ($0.mode, $0.status, $0.accuracyIsEstimated) = (.threeD, .manual, true)
      ($0.horizontalAccuracy, $0.satellitesUsed) = (0.014, 31)
    }
    return list
  }()

  @Test("fixes come back, each after each other", arguments: [false, true])
  func sequence(_ isReversed: Bool) throws {
    var harness = try LogHarness(LogFixtures.disk(blockCount: 8))
    let pairs = Self.cases.flatMap { first in Self.cases.map { [first.fix, $0.fix] } }.flatMap {
      $0
    }
    let fixes = isReversed ? pairs.reversed() : pairs
    for (index, fix) in fixes.enumerated() {
      harness.append(
        .fix(fix, LogFixtures.receiver), boottime: LogFixtures.boottime(index))
    }
    harness.commit()
    var query = LogQuery()
    query.kinds = .fixes
    let (records, gaps) = try LogReader(harness.disk, query: query).readAll()
    #expect(gaps.isEmpty)
    #expect(records.count == fixes.count)
    for (index, (record, fix)) in zip(records, fixes).enumerated() {
      #expect(record.boottime == LogFixtures.boottime(index))
      guard case .fix(let back, let stream) = record.content else {
        Issue.record("not a fix")
        continue
      }
      #expect(stream == LogFixtures.receiver)
      #expect(digits(of: back) == digits(of: fix))
      #expect(back.time == fix.time && back.timeOfDay == fix.timeOfDay)
      #expect(back.isLeapSecond == fix.isLeapSecond && back.dateSource == fix.dateSource)
      #expect(back.mode == fix.mode && back.status == fix.status)
      #expect(back.accuracyIsEstimated == fix.accuracyIsEstimated)
      #expect(back.satellitesUsed == fix.satellitesUsed)
      #expect(back.differentialStation == fix.differentialStation)
      #expect((back.errorStatistics == nil) == (fix.errorStatistics == nil))
    }
  }

  /// Each number as text with the digits of the record, as the program's output shows it.
  private func digits(of fix: Fix) -> [String] {
    let numbers: [(Double?, Int)] = [
      (fix.position?.latitude, 9), (fix.position?.longitude, 9), (fix.altitudeMSL, 3),
      (fix.altitudeEllipsoid, 3), (fix.geoidSeparation, 3), (fix.speed, 3),
      (fix.course.map { Bearing.rounded($0, decimals: 5) }, 5), (fix.climb, 3), (fix.heading, 5),
      (fix.magneticVariation, 5), (fix.horizontalAccuracy, 3), (fix.verticalAccuracy, 3),
      (fix.speedAccuracy, 3), (fix.courseAccuracy, 5), (fix.dop.position, 2),
      (fix.dop.horizontal, 2), (fix.dop.vertical, 2), (fix.dop.geometric, 2), (fix.dop.time, 2),
      (fix.dop.north, 2), (fix.dop.east, 2), (fix.differentialAge, 3),
      (fix.errorStatistics?.rms, 3), (fix.errorStatistics?.latitude, 3),
      (fix.errorStatistics?.longitude, 3), (fix.errorStatistics?.orientation, 5),
    ]
    return numbers.map { value, decimals in
      guard let value else { return "-" }
      var output = OutputBuffer()
      output.append(fixed: value, decimals: decimals)
      return output.text
    }
  }

  @Test("nonsense is left out, not stored", arguments: [Double.nan, .infinity, 1e300, -1e300])
  func nonsense(_ value: Double) throws {
    var harness = try LogHarness(LogFixtures.disk(blockCount: 3))
    var fix = Fix()
    fix.position = Coordinate(latitude: value, longitude: 1)
    (fix.speed, fix.course, fix.altitudeMSL) = (value, value, value)
    (fix.horizontalAccuracy, fix.dop.time, fix.heading) = (value, value, value)
    harness.append(.fix(fix, LogFixtures.receiver))
    harness.commit()
    let (records, _) = try LogReader(harness.disk).readAll()
    guard case .fix(let back, _)? = records.first?.content else {
      Issue.record("no fix")
      return
    }
    var expected = Fix()
    expected.position = nil
    #expect(back == expected)
  }

  @Test("events and clock records come back")
  func events() throws {
    var harness = try LogHarness(LogFixtures.disk(blockCount: 4))
    let event = LogEvent(
      .gap, time: LogFixtures.start, boottime: LogFixtures.boottime(3),
      fields: [
        LogEvent.Field(.from, .number(Int64.min)), LogEvent.Field(.to, .number(.max)),
        LogEvent.Field(.reason, .text("Schlüssel\n\"é")), LogEvent.Field(.node, .text("")),
        LogEvent.Field(EventKey(rawValue: 999), .number(0)),
      ])
    let clock = ClockRecord(
      bootTag: 1, boottime: LogFixtures.boottime(4), time: LogFixtures.start + .seconds(1),
      source: .gnss, uncertaintyMicroseconds: 250)
    harness.append(.event(event))
    harness.append(.clock(clock))
    harness.commit()
    var query = LogQuery()
    query.kinds = [.events, .clocks]
    let (records, _) = try LogReader(harness.disk, query: query).readAll()
    #expect(records.count == 2)
    guard case .event(let back)? = records.first?.content,
      case .clock(let clockBack)? = records.last?.content
    else {
      Issue.record("other kinds")
      return
    }
    #expect(back == event)
    #expect(clockBack == clock)
  }

  @Test("the largest event fits into a block, longer ones are cut")
  func largestEvent() throws {
    var harness = try LogHarness(LogFixtures.disk(blockCount: 8))
    let field = LogEvent.Field(
      EventKey(rawValue: .max), .text(String(repeating: "ü", count: 500)))
    let event = LogEvent(
      .visitArrival, time: UTCTime(microseconds: .max - 1), boottime: .never,
      fields: [LogEvent.Field](repeating: field, count: 40))
    for _ in 0..<3 { harness.append(.event(event)) }
    harness.commit()
    let (records, gaps) = try LogReader(harness.disk).readAll()
    #expect(gaps.isEmpty)
    #expect(harness.writer.status.lostCount == 0)
    #expect(records.count == 3)
  }
}
