import FixLog
import GNSS
import Testing

@testable import TrackExport

@Suite("Smoothing") struct TrackSmootherTests {
  /// Noise with the standard deviation 1, from a generator with a seed.
  private struct Noise {
    var state: UInt64

    mutating func next() -> Double {
      var sum = -6.0
      for _ in 0..<12 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        sum += Double(state >> 11) / Double(UInt64(1) << 53)
      }
      return sum
    }
  }

  private func fix(_ place: Coordinate, second: Int, accuracy: Double) -> LogRecord {
    var fix = Fix()
    fix.time = UTCTime(seconds: 1_800_000_000 + Int64(second))
    (fix.mode, fix.position, fix.horizontalAccuracy) = (.threeD, place, accuracy)
    return .fix(fix)
  }

  private func smoothed(_ records: [LogRecord]) -> (records: [LogRecord], spikes: Int) {
    var smoother = TrackSmoother()
    var found: [LogRecord] = []
    for (index, record) in records.enumerated() {
      smoother.add(record, startsSegment: index == 0) { record, _ in found.append(record) }
    }
    smoother.finish { record, _ in found.append(record) }
    return (found, smoother.spikeCount)
  }

  private func position(_ record: LogRecord) -> Coordinate? {
    guard case .fix(let fix, _) = record.content else { return nil }
    return fix.position
  }

  /// A straight drive at 20 m/s with noise of 5 m in each direction: true and measured places.
  private func drive(
    count: Int, from start: Coordinate, seed: UInt64
  ) -> (truth: [Coordinate], records: [LogRecord]) {
    var noise = Noise(state: seed)
    let truth = (0..<count).map { start.destination(bearing: 60, distance: 20 * Double($0)) }
    let records = truth.enumerated().map { second, place in
      let off = place.destination(bearing: 0, distance: 5 * noise.next())
        .destination(bearing: 90, distance: 5 * noise.next())
      // 68 % of all lie within 1.51 standard deviations.
      return fix(off, second: second, accuracy: 7.55)
    }
    return (truth, records)
  }

  /// The root of the mean square distance, metres.
  private func error(_ places: [Coordinate?], _ truth: [Coordinate]) -> Double {
    let squares = zip(places, truth).map { place, truth -> Double in
      let distance = place?.distance(to: truth) ?? 1e9
      return distance * distance
    }
    return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
  }

  static let starts = [
    Coordinate(latitude: 50, longitude: 8), Coordinate(latitude: -17, longitude: 179.9),
    Coordinate(latitude: 78, longitude: 15),
  ]

  @Test("halves the error of a noisy drive, also over several windows", arguments: starts)
  func noise(start: Coordinate) {
    let (truth, records) = drive(count: 3000, from: start, seed: 7)
    let (found, spikes) = smoothed(records)
    #expect(found.count == 3000 && spikes == 0)
    let before = error(records.map { position($0) }, truth)
    let after = error(found.map { position($0) }, truth)
    #expect(before > 6.5 && before < 7.6)  // 5 m times the root of 2
    #expect(after < before / 2, "seed 7: \(before) m became \(after) m")
    #expect(found.allSatisfy { position($0)?.isValid == true })
  }

  @Test("spikes are left out and counted; the track goes on behind them")
  func spikes() {
    var (truth, records) = drive(count: 60, from: Self.starts[0], seed: 3)
    for second in [20, 40, 41] {
      let far = truth[second].destination(bearing: Double(second * 5), distance: 3000)
      records[second] = fix(far, second: second, accuracy: 7.55)
    }
    let (found, spikes) = smoothed(records)
    #expect(spikes == 3 && found.count == 57)
    #expect(found.allSatisfy { record in truth.contains { near(record, $0) } })
  }

  private func near(_ record: LogRecord, _ place: Coordinate) -> Bool {
    position(record).map { $0.distance(to: place) < 50 } ?? false
  }

  @Test("a jump that lasts is where the track goes on")
  func jump() {
    var (_, records) = drive(count: 20, from: Self.starts[0], seed: 5)
    let (_, later) = drive(count: 40, from: Coordinate(latitude: 51, longitude: 9), seed: 5)
    records += later[20...]
    let (found, spikes) = smoothed(records)
    #expect(spikes == 0 && found.count == 40)
  }

  @Test("other records keep their place; fixes at a pole pass unchanged")
  func others() {
    let pole = Coordinate(latitude: 89.9, longitude: 0)
    let records: [LogRecord] = [
      .event(.attach, at: "2026-10-14T05:00:00Z"), fix(Self.starts[0], second: 0, accuracy: 5),
      .fix(Fix()), .event(.power, at: "2026-10-14T05:00:01Z"),
      fix(Self.starts[0], second: 2, accuracy: 5), fix(pole, second: 3, accuracy: 5),
    ]
    let found = smoothed(records).records
    #expect(found.count == 6)
    #expect(position(found[5]) == pole)
    let isEvent = found.map { if case .event = $0.content { true } else { false } }
    #expect(isEvent == [true, false, false, true, false, false])
  }
}

@Suite("Statistics") struct TrackStatisticsTests {
  @Test("energy is what a receiver drew from one power event to the next")
  func energy() {
    func power(_ millijoules: Int64, _ receiver: String) -> LogRecord {
      .event(
        .power, at: "2026-10-14T05:00:00Z",
        [.init(.receiver, .text(receiver)), .init(.energy, .number(millijoules))])
    }
    var statistics = TrackStatistics()
    statistics.add(power(1000, "a"), startsSegment: false)
    #expect(statistics.energy == nil)
    // The daemon was started again before the third: its meter began at zero.
    for record in [power(4000, "a"), power(70_000, "b"), power(500, "a"), power(70_250, "b")] {
      statistics.add(record, startsSegment: false)
    }
    #expect(statistics.energy == 3.75)
    #expect(statistics.lines.last?.hasSuffix(", energy 3.8 J") == true)
  }

  @Test("energy counts from zero where the daemon's start is seen")
  func energySinceStart() {
    var statistics = TrackStatistics()
    let time = "2026-10-14T05:00:00Z"
    for millijoules: Int64 in [2000, 5000] {
      statistics.add(.event(.sessionStart, at: time), startsSegment: false)
      for (receiver, factor) in [("a", Int64(1)), ("b", 10)] {
        statistics.add(
          .event(
            .power, at: time,
            [.init(.receiver, .text(receiver)), .init(.energy, .number(millijoules * factor))]),
          startsSegment: false)
      }
    }
    #expect(statistics.energy == 77)
  }

  @Test("distance counts steps beyond the accuracy; times end at holes")
  func sums() {
    var (statistics, segmenter) = (TrackStatistics(), Segmenter())
    let start = Coordinate(latitude: 50, longitude: 8)
    for second in 0..<200 {
      // A minute's drive at 10 m/s, a hole of an hour, and rest with a metre of noise.
      let isRest = second >= 60
      let distance = isRest ? 590 + Double(second % 2) : Double(second) * 10
      var fix = Fix()
      fix.time = UTCTime(seconds: 1_800_000_000 + Int64(second + (isRest ? 3600 : 0)))
      fix.mode = .threeD
      fix.position = start.destination(bearing: 90, distance: distance)
      (fix.speed, fix.horizontalAccuracy) = (isRest ? 0.1 : 10, 3)
      let record = LogRecord.fix(fix)
      statistics.add(record, startsSegment: segmenter.startsSegment(record))
    }
    #expect(abs(statistics.distance - 590) < 0.01)
    #expect(statistics.recorded == .seconds(59 + 139) && statistics.moving == .seconds(59))
    #expect(statistics.segmentCount == 2 && statistics.fixCount == 200)
    #expect(
      statistics.lines == [
        "fixes 200, segments 2, events 0",
        "from 2027-01-15T08:00:00.000Z to 2027-01-15T09:03:19.000Z",
        "recorded 0:03:18, moving 0:00:59", "distance 0.590 km, fastest 10.0 m/s",
      ])
  }
}
