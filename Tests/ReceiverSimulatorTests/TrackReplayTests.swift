import Bytes
import GNSS
import Testing

@testable import ReceiverSimulator

@Suite("Track replay") struct TrackReplayTests {
  static let noon = UTCTime(iso8601: "2026-10-14T12:00:00Z") ?? UTCTime(microseconds: 0)

  static func point(_ seconds: Double?, _ latitude: Double, _ longitude: Double = 10) -> GPXPoint {
    GPXPoint(
      coordinate: Coordinate(latitude: latitude, longitude: longitude), altitude: 100,
      time: seconds.map { noon + .microseconds(Int64($0 * 1e6)) })
  }

  /// Every epoch of a track, with the second it is due in.
  static func epochs(
    _ segments: [[GPXPoint]], rate: Int = 1, turnCount: Int? = 1, limit: Int = 10_000
  ) throws -> [(epoch: Epoch, due: Double)] {
    var replay = TrackReplay(
      try Track(recorded: segments), language: .nmea, rate: rate, turnCount: turnCount)
    var found: [(epoch: Epoch, due: Double)] = []
    while found.count < limit, let due = replay.nextDue, let epoch = replay.nextEpoch(at: noon) {
      found.append((epoch, due.inSeconds))
    }
    return found
  }

  static func seconds(_ epoch: Epoch) -> Double? {
    epoch.fix.time.map { ($0 - noon).inSeconds }
  }

  @Test("moves at constant velocity from point to point")
  func constantVelocity() throws {
    // 0.001 degrees of latitude at 49.1 degrees are 111.213 m on WGS-84 (meridian radius
    // 6,372,032 m).
    let found = try Self.epochs([[Self.point(0, 49.1), Self.point(10, 49.101)]])
    #expect(found.count == 11)
    for (index, (epoch, due)) in found.enumerated() {
      let latitude = try #require(epoch.fix.position?.latitude)
      #expect(abs(latitude - (49.1 + 0.0001 * Double(index))) < 1e-9)
      #expect(abs((epoch.fix.speed ?? 0) - 11.1213) < 0.0005)
      #expect(epoch.fix.course.map { $0 < 1e-6 || $0 > 359.999_999 } == true)
      #expect(due == Double(index))
    }
  }

  @Test("times that stand or go back neither stop nor hurry it")
  func badTimes() throws {
    let points = [0, 5, 5, 3, 10].enumerated().map { Self.point(Double($1), 49 + Double($0) / 1e4) }
    let found = try Self.epochs([points])
    #expect(found.map { Self.seconds($0.epoch) } == (0...10).map { Double($0) })
    #expect(found.allSatisfy { $0.epoch.fix.speed?.isFinite == true })
    #expect(try Track(recorded: [points]).droppedCount == 2)
  }

  @Test("there is no fix between segments, and one point is seen")
  func gaps() throws {
    let found = try Self.epochs([
      [Self.point(20, 3)], [Self.point(0, 1), Self.point(2, 1.0001)], [Self.point(5.5, 2)],
    ])
    let modes = found.map { ($0.epoch.fix.position?.latitude).map { Int($0) } }
    #expect(modes.count == 21)
    #expect(modes[..<3] == [1, 1, 1])
    let without = [Int?](repeating: nil, count: 13)
    #expect(Array(modes[3...]) == [nil, nil, nil, 2] + without + [3])
    #expect(
      found.allSatisfy { $0.epoch.fix.status == ($0.epoch.fix.hasPosition ? .simulated : .unknown) }
    )
  }

  @Test("ten epochs a second stand at tenths", arguments: [2, 5, 10, 20])
  func rates(rate: Int) throws {
    let found = try Self.epochs([[Self.point(0, 1), Self.point(3, 1.0001)]], rate: rate)
    #expect(
      found.map { Self.seconds($0.epoch) } == (0...(3 * rate)).map { Double($0) / Double(rate) })
  }

  @Test("a further turn goes on in time")
  func loops() throws {
    let found = try Self.epochs(
      [[Self.point(0, 1), Self.point(5, 1.0001)]], turnCount: nil, limit: 20)
    #expect(found.map { Self.seconds($0.epoch) } == (0..<20).map { Double($0) })
    #expect(found.map(\.due) == (0..<20).map { Double($0) })
    #expect(found[6].epoch.fix.position == found[0].epoch.fix.position)
  }

  @Test("epochs of the present rise, whatever the clock does")
  func present() throws {
    var replay = TrackReplay(
      try Track(recorded: [[Self.point(0, 1), Self.point(9, 1.0001)]]), language: .nmea,
      stamp: .present)
    let clock = [100.1, 100.9, 101.2, 103.4, 90, 104.9]
    let times = clock.map { second in
      replay.nextEpoch(at: Self.noon + .microseconds(Int64(second * 1e6))).flatMap(Self.seconds)
    }
    #expect(times == [100, 101, 102, 103, 104, 105])
  }

  @Test("crosses the antimeridian the short way")
  func antimeridian() throws {
    let found = try Self.epochs([[Self.point(0, 0, 179.9999), Self.point(10, 0, -179.9999)]])
    for (epoch, _) in found {
      let longitude = try #require(epoch.fix.position?.longitude)
      #expect(abs(longitude) > 179.9998 && abs(longitude) <= 180)
      #expect(abs((epoch.fix.course ?? 0) - 90) < 0.001)
    }
  }

  @Test("without times it is refused, or travelled at a given speed")
  func untimed() throws {
    let segments = [[Self.point(nil, 49), Self.point(nil, 49.001)], [Self.point(nil, 50)]]
    #expect(throws: GPXError.noTime(point: 1)) { try Track(recorded: segments) }
    let track = try Track(segments, groundSpeed: 10, start: Self.noon)
    // 111.211 m at 49 degrees: WGS-84 meridian radius 6,371,921 m.
    #expect(abs((track.segments[0][1].time - Self.noon).inSeconds - 11.1211) < 0.001)
    #expect(track.segments.count == 2)
  }

  @Test("a year of slowness is not too long", arguments: [0.01, 1e6])
  func extremes(speed: Double) throws {
    let far = (0..<50).map { Self.point(nil, $0 % 2 == 0 ? -80 : 80, Double($0 % 360) - 180) }
    let track = try Track([far], groundSpeed: speed, start: Self.noon)
    var replay = TrackReplay(track, language: .ubx, rate: 20, turnCount: nil)
    var output = OutputBuffer()
    for _ in 0..<100 {
      let count = output.count
      #expect(replay.nextDue != nil)
      replay.next(into: &output, at: Self.noon)
      #expect(output.count > count)
    }
  }
}
