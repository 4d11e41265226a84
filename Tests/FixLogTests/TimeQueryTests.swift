import GNSS
import Testing

@testable import FixLog

/// Queries by time give what a scan of everything gives, however the clocks went.
@Suite("Queries by time") struct TimeQueryTests {
  static let queryCount = 150

  /// How the clocks of a log behave.
  enum Clocks: String, CaseIterable, Sendable {
    case steady
    /// Back by more than the tolerance, as journald's lost entries after a step back.
    case stepsBack
    case stepsAhead
    /// One fix of the year 2045 between good ones.
    case bogusFuture
    /// Every boot begins without a date, as on a board without a clock.
    case untimedBoots
    /// The receiver loses the date for long spans.
    case untimedSpans
    /// A second receiver is three seconds behind.
    case skewedReceivers
    case everything
  }

  @Test("equal a scan", arguments: Clocks.allCases)
  func queries(clocks: Clocks) throws {
    let seed = UInt64(clocks.rawValue.utf8.count) * 31
    var random = SeededRandom(seed: seed)
    var scenario = try Scenario(clocks, blockCount: 48)
    for _ in 0..<6 { try scenario.boot(&random) }
    let everything = try LogReader(scenario.disk, query: Self.query()).readAll().records
    let times = everything.compactMap(\.time)
    let (low, high) = (try #require(times.min()), try #require(times.max()))
    #expect(everything.count > 500)
    for turn in 0..<Self.queryCount {
      var query = Self.query()
      let bounds = [0, 1].map { _ in
        Bool.random(using: &random)
          ? times.randomElement(using: &random) ?? low
          : UTCTime(
            microseconds: Int64.random(
              in: low.microseconds - 10_000_000...high.microseconds + 10_000_000, using: &random))
      }
      if turn % 3 != 0 { query.since = bounds.min() }
      if turn % 3 != 1 { query.until = bounds.max() }
      if turn % 5 == 0 { query.last = Int.random(in: 0...40, using: &random) }
      var expected = everything.filter { query.matches($0) }
      if let last = query.last { expected = expected.suffix(last) }
      let found = try LogReader(scenario.disk, query: query).readAll().records
      guard numbers(found) == numbers(expected) else {
        Issue.record("\(clocks), seed \(seed), turn \(turn): \(found.count), not \(expected.count)")
        continue
      }
      #expect(found.map(\.time) == expected.map(\.time))
    }
  }

  private static func query() -> LogQuery {
    var query = LogQuery()
    query.kinds = [.events, .fixes]
    return query
  }

  private func numbers(_ records: [LogRecord]) -> [Int64] { records.map(\.boottime.nanoseconds) }

  /// A machine with receivers, over several boots.
  struct Scenario {
    let disk: SimDisk
    private let clocks: Clocks
    /// True time, seconds since the start.
    private var now = 0
    /// What the receiver believes, besides.
    private var error = 0
    private var bootTag: UInt64 = 0
    private var bootStart = 0

    init(_ clocks: Clocks, blockCount: Int) throws {
      (self.clocks, disk) = (clocks, LogFixtures.disk(blockCount: blockCount))
    }

    private func has(_ kind: Clocks) -> Bool { clocks == kind || clocks == .everything }

    mutating func boot(_ random: inout SeededRandom) throws {
      now += Int.random(in: 30...5000, using: &random)
      (bootStart, bootTag) = (now, bootTag + 1)
      if has(.stepsBack) { error = [0, 0, -40, -7200].randomElement(using: &random) ?? 0 }
      if has(.stepsAhead) { error = [0, 90, 86_400].randomElement(using: &random) ?? 0 }
      // The clock of a board without a battery is set only by the receiver.
      var untimed = has(.untimedBoots) ? Int.random(in: 0...120, using: &random) : 0
      var harness = try LogHarness(disk, bootTag: bootTag)
      var isDated = false
      for _ in 0..<Int.random(in: 100...300, using: &random) {
        now += Int.random(in: 1...3, using: &random)
        let isTimed = untimed == 0
        if untimed > 0 { untimed -= 1 }
        if isTimed, !isDated {
          isDated = true
          harness.append(.clock(clockRecord))
        }
        if has(.untimedSpans), isTimed, Int.random(in: 0..<40, using: &random) == 0 {
          untimed = Int.random(in: 1...90, using: &random)
        }
        append(&harness, isTimed: isTimed && untimed == 0, &random)
      }
      harness.commit()
    }

    private var clockRecord: ClockRecord {
      ClockRecord(
        bootTag: bootTag, boottime: boottime, time: time, source: .gnss,
        uncertaintyMicroseconds: 100)
    }

    private var boottime: Monotonic {
      Monotonic(nanoseconds: Int64(now - bootStart) * 1_000_000_000)
    }
    private var time: UTCTime { LogFixtures.start + .seconds(now + error) }

    private mutating func append(
      _ harness: inout LogHarness, isTimed: Bool, _ random: inout SeededRandom
    ) {
      harness.now = boottime
      var time = time
      if has(.bogusFuture), Int.random(in: 0..<150, using: &random) == 0 {
        time = UTCTime(seconds: 2_366_841_600)
      }
      if Int.random(in: 0..<3, using: &random) == 0 {
        let text = String(repeating: "x", count: Int.random(in: 100...200, using: &random))
        let fields = [LogEvent.Field](repeating: LogEvent.Field(.reason, .text(text)), count: 4)
        harness.append(
          .event(
            LogEvent(
              .configuration, time: isTimed ? time : nil, boottime: boottime, fields: fields)))
        return
      }
      var fix = LogFixtures.fix(0, random: &random)
      var descriptor = LogFixtures.receiver
      if has(.skewedReceivers), Bool.random(using: &random) {
        descriptor.receiverID = 2
        time = time + .seconds(-3)
      }
      fix.time = isTimed ? time : nil
      fix.timeOfDay = isTimed ? time.timeOfDay : nil
      harness.append(.fix(fix, descriptor), boottime: boottime)
    }
  }
}
