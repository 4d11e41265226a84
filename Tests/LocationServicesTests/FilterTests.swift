import GNSS
import Testing

@testable import LocationServices

@Suite("Distance filter") struct DistanceFilterTests {
  static let home = Coordinate(latitude: -49.341_666_7, longitude: 70.220_833_3)

  struct Point: Sendable {
    var seconds: Double
    var north: Double
    var accuracy = 3.0
    var speed: Double?
  }

  /// The seconds of the fixes that a filter lets through.
  private func admitted(_ distance: Double?, _ points: [Point]) throws -> [Double] {
    var filter = DistanceFilter(distance: distance)
    var motion = MotionWatch()
    var seconds: [Double] = []
    for point in points {
      var sighting = try #require(
        Sighting.test(
          Self.home.offset(east: 0, north: point.north), accuracy: point.accuracy,
          seconds: point.seconds, speed: point.speed))
      motion.observe(&sighting, plausibleSpeed: 100)
      if filter.admits(sighting) { seconds.append(point.seconds) }
    }
    return seconds
  }

  @Test("measures from the last fix let through, not from the last one seen")
  func fromDelivered() throws {
    let points = [
      Point(seconds: 1, north: 0), Point(seconds: 2, north: 0.5), Point(seconds: 10, north: 29.5),
    ]
    #expect(try admitted(10, points) == [1, 10])
  }

  @Test("a stop behind a move is let through once, though it is nearer than the filter")
  func stop() throws {
    var points = (0..<5).map {
      Point(seconds: Double($0) * 10, north: Double($0) * 40, speed: 4)
    }
    points.append(Point(seconds: 50, north: 170, speed: 1.5))
    points += (6..<36).map { Point(seconds: Double($0) * 10, north: 172, speed: 0) }
    let seconds = try admitted(30, points)
    #expect(seconds.prefix(5) == [0, 10, 20, 30, 40])
    #expect(seconds.count == 6)
    #expect((60...120).contains(seconds[5]))
  }

  @Test("on a straight line fixes come at the filter's distance")
  func straightLine() throws {
    var random = SeededRandom(seed: 1)
    var noise = PositionNoise.openSky
    var filter = DistanceFilter(distance: 10)
    var motion = MotionWatch()
    var along: [Double] = []
    for second in 0..<600 {
      // 3 m/s: every fourth fix or so.
      let truth = Self.home.offset(east: 0, north: Double(second) * 3)
      var sighting = try #require(
        Sighting.test(
          noise.moved(truth, &random), accuracy: noise.accuracy, seconds: Double(second),
          speed: 3 + 0.1 * random.normal()))
      motion.observe(&sighting, plausibleSpeed: 100)
      if filter.admits(sighting) { along.append(Double(second) * 3) }
    }
    let steps = zip(along.dropFirst(), along).map { $0 - $1 }
    #expect(steps.allSatisfy { (5...15).contains($0) }, "seed 1")
    #expect(along.count > 120)
  }

  @Test(
    "six hours of standing still let nothing through but the first fix",
    arguments: [PositionNoise.openSky, .urban], [1, 2] as [UInt64])
  func standingStill(noise: PositionNoise, seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var noise = noise
    var filter = DistanceFilter(distance: 10)
    var motion = MotionWatch()
    var count = 0
    for second in 0..<21_600 {
      var sighting = try #require(
        Sighting.test(
          noise.moved(Self.home, &random), accuracy: noise.accuracy, seconds: Double(second),
          speed: abs(0.15 * random.normal())))
      motion.observe(&sighting, plausibleSpeed: 100)
      if filter.admits(sighting) { count += 1 }
    }
    #expect(count == 1, "seed \(seed)")
  }

  @Test("older and repeated fixes are dropped, a corrected clock does not stop the stream")
  func order() throws {
    func admitted(_ times: [Double]) throws -> [Double] {
      var filter = DistanceFilter(distance: nil)
      return try times.enumerated().filter { index, time in
        let fix = Fix.at(Self.home, seconds: time)
        return filter.admits(try #require(Sighting(fix, at: .test(Double(index)))))
      }.map(\.element)
    }
    #expect(try admitted([0, 1, 2, 3, 1, 2, 3, 4]) == [0, 1, 2, 3, 4])
    #expect(try admitted([0, 5, 5, 5, 5, 8]) == [0, 5, 8])
    #expect(try admitted([10_000, 10_001, 2, 3]) == [10_000, 10_001, 2, 3])
  }
}

@Suite("Motion") struct MotionTests {
  static let home = Coordinate(latitude: 48, longitude: 11)

  /// Which of the fixes, a second apart and so many metres north, are jumps.
  private func jumps(_ north: [Double]) throws -> [Bool] {
    var motion = MotionWatch()
    return try north.enumerated().map { second, metres in
      var sighting = try #require(
        Sighting.test(Self.home.offset(east: 0, north: metres), seconds: Double(second)))
      motion.observe(&sighting, plausibleSpeed: 100)
      return sighting.isJump
    }
  }

  @Test("a jump is flagged once, whether the receiver stays there or comes back")
  func jump() throws {
    #expect(try jumps([0, 1, 1000, 1001, 1002]) == [false, false, true, false, false])
    #expect(try jumps([0, 1, 1000, 2, 3]) == [false, false, true, false, false])
    #expect(try jumps([0, 90, 180, 270]) == [false, false, false, false])
  }

  @Test("each activity stops and resumes by its own rule", arguments: Activity.allCases)
  func stationary(activity: Activity) throws {
    let rule = ActivityTable()[activity]
    var watch = StationaryWatch(rule: rule)
    var changes: [(StationaryWatch.Change, Double)] = []
    var random = SeededRandom(seed: 4)
    for second in 0..<2400 {
      let north = second < 2000 ? 0 : Double(second - 2000) * 2
      let position = Self.home.offset(
        east: random.normal(), north: north + random.normal())
      let sighting = try #require(
        Sighting.test(position, seconds: Double(second), speed: second < 2000 ? 0.1 : 2))
      if let change = watch.observe(sighting) { changes.append((change, Double(second))) }
    }
    guard let span = rule.stationarySpan else {
      #expect(changes.isEmpty)
      return
    }
    #expect(changes.map(\.0) == [.stopped, .resumed])
    #expect(changes.first?.1 == span.inSeconds)
    #expect((2001...2035).contains(changes.last?.1 ?? 0))
  }

  @Test("watches that come and go tell what each alone does")
  func stationaryWatches() throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    var random = SeededRandom(seed: seed)
    var watches = StationaryWatches()
    var single: [Activity: StationaryWatch] = [:]
    var (north, stopCount) = (0.0, 0)
    for second in 0..<20_000 {
      if second.isMultiple(of: 700) {
        var wanted: ActivitySet = []
        for activity in Activity.allCases {
          let isWanted = random.uniform(0, 1) < 0.8
          if isWanted { wanted.insert(ActivitySet(activity)) }
          let rule = ActivityTable()[activity]
          single[activity] = isWanted ? single[activity] ?? StationaryWatch(rule: rule) : nil
        }
        watches.keep(wanted, rules: ActivityTable())
      }
      // A minute of motion in each half hour.
      if second % 1800 < 60 { north += 5 }
      let place = Self.home.nudged(east: random.normal(), north: north + random.normal())
      let sighting = try #require(Sighting.test(place, seconds: Double(second)))
      watches.observe(sighting)
      for activity in Activity.allCases {
        stopCount += single[activity]?.observe(sighting) == .stopped ? 1 : 0
        try #require(
          watches.isStationary(activity) == (single[activity]?.isStationary ?? false),
          "seed \(seed), second \(second), \(activity)")
      }
    }
    #expect(stopCount > 10, "seed \(seed)")
  }

  @Test("a slow walk never counts as standing still")
  func slowWalk() throws {
    var watch = StationaryWatch(rule: ActivityTable()[.other])
    for second in 0..<3600 {
      let position = Self.home.offset(east: 0, north: Double(second) * 0.25)
      let sighting = try #require(Sighting.test(position, seconds: Double(second)))
      #expect(watch.observe(sighting) == nil)
    }
  }
}
