import GNSS
import Testing

@testable import ReceiverControl

/// Drives a duty cycle by hand under a simulated clock.
struct DutyBench {
  var duty: DutyCycle
  var now = Monotonic.zero
  var timer = Monotonic.never
  var isAwake = true
  var sent: [DutyCycle.Command] = []
  /// What each epoch says, while awake.
  var observation = DutyCycle.Observation()

  static let power = ReceiverPower(
    acquisition: 25, tracking: 20, cyclic: 8, shortestInterval: .milliseconds(200), canSleep: true)
  static let place = Coordinate(latitude: 48, longitude: 11)

  init(_ power: ReceiverPower = Self.power) { duty = DutyCycle(power: power) }

  mutating func give(_ event: DutyCycle.Event) {
    for command in duty.handle(event, at: now) {
      sent.append(command)
      switch command {
      case .armTimer(let instant): timer = instant
      case .wake:
        isAwake = true
        give(.awake)
      case .sleep:
        isAwake = false
        give(.asleep)
      case .run, .noFix: break
      }
    }
  }

  /// Lets seconds go by, with an epoch in each while awake.
  mutating func pass(_ seconds: Int) {
    for _ in 0..<seconds {
      now = now + .seconds(1)
      if timer <= now {
        timer = .never
        give(.timerFired)
      }
      if isAwake { give(.epoch(observation)) }
    }
  }

  /// The last sleep's length.
  var lastSleep: Duration? {
    for case .sleep(let span) in sent.reversed() { return span }
    return nil
  }

  mutating func seeSky(speed: Double = 0, accuracy: Double = 3) {
    observation = DutyCycle.Observation(
      position: Self.place, accuracy: accuracy, speed: speed, strongCount: 12, ephemerisCount: 8)
  }

  mutating func seeNothing() { observation = DutyCycle.Observation(strongCount: 0) }
}

@Suite("Duty cycle") struct DutyCycleTests {
  @Test("sleeps while nothing is wanted, and wakes for a demand")
  func idle() {
    var bench = DutyBench()
    bench.give(.demand(Demand(tier: .kilometer)))
    bench.give(.demand(nil))
    #expect(!bench.isAwake)
    bench.pass(100)
    #expect(!bench.isAwake)
    bench.give(.demand(Demand(tier: .kilometer)))
    #expect(bench.isAwake)
  }

  @Test("a continuous tier never sleeps under the sky")
  func continuous() {
    for tier in [Tier.bestForNavigation, .best] {
      var bench = DutyBench()
      bench.seeSky(speed: 10)
      bench.give(.demand(Demand(tier: tier)))
      bench.pass(600)
      #expect(bench.lastSleep == nil)
      #expect(bench.duty.running?.isCyclic == false)
    }
  }

  /// m/s and the sleep's bounds in seconds: the radius over the speed, less the lead.
  static let paces: [(Double, ClosedRange<Double>)] = [
    (10, 60...90), (30, 20...30), (1, 100...150),
  ]

  @Test("the faster, the shorter the sleep", arguments: paces)
  func pace(speed: Double, bounds: ClosedRange<Double>) throws {
    var bench = DutyBench()
    bench.seeSky(speed: speed)
    bench.give(.demand(Demand(tier: .kilometer)))
    bench.pass(50)
    let sleep = try #require(bench.lastSleep)
    #expect(bounds.contains(sleep.inSeconds), "\(sleep)")
  }

  @Test("a short period runs through in cyclic tracking, at speed at a higher rate")
  func cyclic() {
    var bench = DutyBench()
    bench.seeSky(speed: 1.5)
    bench.give(.demand(Demand(tier: .nearestTenMeters)))
    bench.pass(120)
    #expect(bench.duty.running == .init(interval: .seconds(1), isCyclic: true))
    bench.seeSky(speed: 20)
    bench.pass(60)
    #expect(bench.duty.running?.isCyclic == false)
    #expect(bench.duty.running.map { $0.interval <= .milliseconds(500) } == true)
  }

  @Test("without a sky it gives up early and waits longer each time, to a bound")
  func backOff() {
    var bench = DutyBench()
    bench.seeNothing()
    bench.give(.demand(Demand(tier: .hundredMeters)))
    bench.pass(10)
    #expect(!bench.isAwake)
    bench.pass(3600)
    var waits: [Duration] = []
    for case .noFix(let next) in bench.sent { waits.append(next) }
    #expect(Array(waits.prefix(4)) == [60, 120, 300, 300].map { .seconds($0) })
  }

  @Test("one of three searches in vain is long")
  func longSearch() {
    var bench = DutyBench()
    bench.seeNothing()
    bench.give(.demand(Demand(tier: .hundredMeters)))
    var longest = 0
    var awake = 0
    for _ in 0..<3000 {
      bench.pass(1)
      awake = bench.isAwake ? awake + 1 : 0
      longest = max(longest, awake)
    }
    #expect(longest >= 70 && longest <= 80)
  }

  @Test("a fix ends the back-off")
  func reset() {
    var bench = DutyBench()
    bench.seeNothing()
    bench.give(.demand(Demand(tier: .hundredMeters)))
    bench.pass(900)
    bench.seeSky(speed: 1.4)
    bench.pass(900)
    #expect(bench.duty.failures == 0)
  }

  @Test("ephemerides are renewed before they are two hours old, for half a minute")
  func refresh() {
    var bench = DutyBench()
    bench.seeSky()
    bench.give(.demand(Demand(tier: .kilometer)))
    var longOn: [Monotonic] = []
    var awake = 0
    for _ in 0..<20_000 {
      bench.pass(1)
      if !bench.isAwake, awake >= 34 { longOn.append(bench.now) }
      awake = bench.isAwake ? awake + 1 : 0
      #expect(awake < 60)
    }
    #expect(longOn.count >= 3)
    for (before, after) in zip(longOn, longOn.dropFirst()) {
      #expect(after - before <= .seconds(7260))
    }
  }

  @Test("external power ends the sleeping, a low battery stretches it")
  func supply() throws {
    var bench = DutyBench()
    bench.seeSky(speed: 10)
    bench.give(.demand(Demand(tier: .kilometer)))
    bench.pass(100)
    let usual = try #require(bench.lastSleep)
    bench.give(.supply(.external))
    #expect(bench.isAwake)
    bench.sent = []
    bench.pass(1000)
    #expect(bench.lastSleep == nil)
    bench.give(.supply(.low))
    bench.pass(1000)
    #expect(try #require(bench.lastSleep) > usual * 3 / 2)
  }

  @Test("a region's edge shortens the period, and alone it lengthens it")
  func regions() throws {
    func sleep(_ demand: Demand) throws -> Duration {
      var bench = DutyBench()
      bench.seeSky(speed: 2)
      bench.give(.demand(demand))
      bench.pass(100)
      return try #require(bench.lastSleep)
    }
    let plain = try sleep(Demand(tier: .kilometer))
    // 1600 m at 40 m/s at most: 40 s.
    #expect(try sleep(Demand(tier: .kilometer, nearestRegionEdge: 1600)) < .seconds(40))
    #expect(try sleep(Demand(tier: .kilometer, nearestRegionEdge: 1_000_000)) == plain)
    var only = Demand(tier: .kilometer, nearestRegionEdge: 1_000_000)
    only.isForRegionsOnly = true
    #expect(try sleep(only) > .seconds(1700))
  }

  @Test("a pause checks ever less often, and movement from outside ends it")
  func pause() throws {
    var bench = DutyBench()
    bench.seeSky()
    bench.give(.demand(Demand(tier: .best, activity: .fitness, isPaused: true)))
    bench.pass(60)
    let first = try #require(bench.lastSleep)
    bench.pass(4000)
    #expect(try #require(bench.lastSleep) > first * 4)
    #expect(!bench.isAwake)
    bench.give(.moved)
    #expect(bench.isAwake)
  }

  @Test("a one-shot request wakes it at once")
  func oneShot() {
    var bench = DutyBench()
    bench.seeSky()
    bench.give(.demand(Demand(tier: .threeKilometers)))
    bench.pass(100)
    #expect(!bench.isAwake)
    bench.give(.demand(Demand(tier: .hundredMeters, wantsFixNow: true)))
    #expect(bench.isAwake)
  }

  @Test("a receiver that woke by itself is sent to sleep for the rest")
  func selfWake() throws {
    var bench = DutyBench()
    bench.seeSky()
    bench.give(.demand(Demand(tier: .kilometer)))
    bench.pass(100)
    let whole = try #require(bench.lastSleep)
    bench.pass(20)
    bench.give(.awake)
    #expect(try #require(bench.lastSleep) < whole)
    #expect(!bench.isAwake)
  }

  @Test("a receiver that will not sleep runs through from then on")
  func cannotSleep() {
    var bench = DutyBench()
    bench.seeSky()
    bench.give(.demand(Demand(tier: .kilometer)))
    bench.pass(100)
    bench.isAwake = true
    bench.give(.sleepFailed)
    bench.sent = []
    bench.pass(1000)
    #expect(bench.lastSleep == nil)
  }

  @Test("no order of events leaves it without a timer or a receiver that is awake")
  func neverStuck() {
    for seed in 1...200 as ClosedRange<UInt64> {
      var state = seed
      func draw(_ count: UInt64) -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state >> 33) % count
      }
      var bench = DutyBench()
      for _ in 0..<200 {
        switch draw(8) {
        case 0: bench.give(.demand(Demand(tier: Tier.allCases[Int(draw(7))])))
        case 1: bench.give(.supply([.battery, .external, .low][Int(draw(3))]))
        case 2: bench.give(.moved)
        case 3: bench.give(.awake)
        case 4: bench.seeNothing()
        case 5: bench.seeSky(speed: Double(draw(30)), accuracy: Double(draw(80)))
        case 6: bench.give(.demand(nil))
        default: bench.pass(Int(draw(400)))
        }
      }
      bench.give(.demand(Demand(tier: .hundredMeters)))
      bench.seeSky(speed: 1)
      let before = bench.duty.lastFix
      bench.pass(400)
      #expect(bench.duty.lastFix != before, "seed \(seed)")
    }
  }
}

@Suite("Fix times") struct FixTimesTests {
  @Test("are learned for each range of off times by itself")
  func learn() throws {
    var times = FixTimes()
    for _ in 0..<30 { times.learn(.seconds(12), afterOff: .seconds(60)) }
    #expect(abs(times.expected(afterOff: .seconds(100)).inSeconds - 12) < 0.1)
    #expect(times.expected(afterOff: .seconds(10)) == FixTimes().expected(afterOff: .seconds(10)))
    let again = try #require(FixTimes(expected: times.expected))
    #expect(again == times)
    #expect(FixTimes(expected: [1, 2]) == nil)
    #expect(FixTimes(expected: [1, 2, 3, 4, .nan]) == nil)
  }
}
