import GNSS
import Testing

@testable import LocationServices

@Suite("Sessions") struct SessionTests {
  static let home = Coordinate(latitude: 48.1, longitude: 11.6)

  private func options(
    _ tier: Tier, filter: SessionOptions.Filter = .tierDefault
  ) -> SessionOptions {
    var options = SessionOptions()
    (options.tier, options.filter) = (tier, filter)
    return options
  }

  @Test(
    "six hours at rest: one fix, one pause, one visit, no region event",
    arguments: [PositionNoise.openSky, .urban])
  func standingStill(noise: PositionNoise) throws {
    var (noise, random) = (noise, SeededRandom(seed: 11))
    var harness = ServiceHarness()
    var session = options(.best, filter: .distance(10))
    session.services = [.updates, .visits]
    harness.open(session, 1, as: .pi)
    harness.ask(.openMonitor("still"), 1)
    var assumed = RegionOptions()
    for (name, north, state) in [
      ("around", 0.0, RegionState.satisfied), ("edge", 100, .unknown), ("away", 500, .unsatisfied),
    ] {
      assumed.assumedState = state
      let shape = RegionShape.circle(centre: Self.home.offset(east: 0, north: north), radius: 100)
      harness.ask(.addRegion(monitor: "still", identifier: name, shape, assumed), 1)
    }
    for second in 0..<21_600 {
      harness.fix(
        noise.moved(Self.home, &random), accuracy: noise.accuracy, seconds: Double(second),
        speed: abs(0.15 * random.normal()))
    }
    #expect(harness.locations(1).map(\.isStationary) == [false, true], "seed 11")
    let visits = harness.log.filter {
      if case .arrival = $0.content { true } else { false }
    }
    #expect(visits.count == 1)
    // On the very edge one entry may be seen, as half of the fixes lie inside.
    #expect(harness.log.count - visits.count <= 1)
    #expect(harness.service.state == .paused)
    #expect(harness.demands.last??.isPaused == true)
  }

  @Test("a pause ends with real movement, and the first update after it says so")
  func resume() throws {
    var harness = ServiceHarness()
    harness.open(options(.best), 1, as: .pi)
    for second in 0..<900 { harness.fix(Self.home, seconds: Double(second), speed: 0) }
    let paused = harness.locations(1)
    #expect(paused.map(\.isStationary) == [false, true])
    for second in 900..<960 {
      let place = Self.home.offset(east: 0, north: Double(second - 900) * 5)
      harness.fix(place, seconds: Double(second), speed: 5)
    }
    let resumed = Array(harness.locations(1).dropFirst(2))
    #expect(resumed.first?.isStationary == false)
    #expect(resumed.count > 20)
    #expect(harness.service.state == .locating)
  }

  @Test("a jump is delivered once, flagged, and the next fix is normal")
  func jump() {
    var harness = ServiceHarness()
    harness.open(options(.bestForNavigation), 1, as: .pi)
    for second in 0..<10 {
      harness.fix(
        Self.home.offset(east: second < 5 ? 0 : 1000, north: 0), seconds: Double(second))
    }
    #expect(harness.locations(1).map(\.isJump) == (0..<10).map { $0 == 5 })
  }

  @Test("two stacked sessions: the stricter decides, each gets its own rate")
  func stacked() {
    var harness = ServiceHarness()
    harness.open(options(.kilometer), 1, as: .pi)
    #expect(harness.demands.last??.tier == .kilometer)
    harness.open(options(.bestForNavigation), 2, as: .pi)
    #expect(harness.demands.last??.tier == .bestForNavigation)
    #expect(harness.demands.last??.distanceFilter == nil)
    for second in 0..<200 {
      harness.fix(
        Self.home.offset(east: 0, north: Double(second) * 10), seconds: Double(second), speed: 10)
    }
    #expect(harness.locations(2).count == 200)
    #expect(harness.locations(1).count == 4)
    harness.handle(.disconnected(2), at: .test(200))
    #expect(harness.demands.last??.tier == .kilometer)
    #expect(harness.demands.last??.distanceFilter == 500)
    harness.handle(.disconnected(1), at: .test(201))
    #expect(harness.demands.last == .some(nil))
    #expect(harness.service.state == .idle)
  }

  @Test("fixes worse than the tier accepts are not delivered", arguments: Tier.allCases)
  func acceptance(tier: Tier) {
    let limits: [Tier: Double] = [
      .best: 15, .nearestTenMeters: 20, .hundredMeters: 100, .kilometer: 1000,
      .threeKilometers: 3000, .reduced: 5000,
    ]
    var harness = ServiceHarness()
    harness.open(options(tier, filter: .everyEpoch), 1, as: .pi)
    harness.fix(Self.home, accuracy: -1, seconds: 0)
    harness.fix(Self.home, accuracy: (limits[tier] ?? 1e6) + 0.1, seconds: 1)
    #expect(harness.locations(1).count == (limits[tier] == nil ? 1 : 0))
    harness.fix(Self.home, accuracy: limits[tier] ?? 1e6, seconds: 2)
    #expect(harness.locations(1).count == (limits[tier] == nil ? 2 : 1))
  }

  @Test("one position: the first that is good enough, else the best when time is up")
  func oneShot() {
    var harness = ServiceHarness()
    harness.handle(.connected(1, .pi), at: .test(0))
    #expect(harness.ask(.requestLocation(.init(tier: .best)), 1) == nil)
    #expect(harness.demands.last??.wantsFixNow == true)
    harness.fix(Self.home, accuracy: 40, seconds: 1)
    harness.fix(Self.home, accuracy: 14, seconds: 2)
    guard case .position(let met)? = harness.answers.last?.answer else {
      Issue.record("no answer")
      return
    }
    #expect(met.meetsTier && met.fix.horizontalAccuracy == 14)
    #expect(harness.demands.last == .some(nil))
    // The fix is 3 s old: young enough.
    #expect(harness.ask(.requestLocation(.init(tier: .best)), 1, seconds: 5) != nil)
    // Now it is too old, and only coarse ones follow.
    #expect(harness.ask(.requestLocation(.init(tier: .best)), 1, seconds: 100) == nil)
    harness.fix(Self.home, accuracy: 50, seconds: 101)
    harness.fix(Self.home, accuracy: 30, seconds: 102)
    harness.fix(Self.home, accuracy: 60, seconds: 103)
    #expect(harness.timer == Now.test(110).boottime)
    harness.passTime(to: .test(110))
    guard case .position(let best)? = harness.answers.last?.answer else {
      Issue.record("no answer")
      return
    }
    #expect(!best.meetsTier && best.fix.horizontalAccuracy == 30)
    // Nothing at all.
    #expect(harness.ask(.requestLocation(.init(tier: .best)), 1, seconds: 200) == nil)
    harness.passTime(to: .test(210))
    guard case .refused(let error)? = harness.answers.last?.answer else {
      Issue.record("no answer")
      return
    }
    #expect(error.code == .locationUnknown)
  }

  @Test("locationUnknown comes once, six seconds after the last fix was missed")
  func unknown() {
    var harness = ServiceHarness()
    harness.open(options(.best), 1, as: .pi)
    harness.fix(Self.home, seconds: 0)
    harness.handle(.fix(Fix()), at: .test(10))
    var failures: [Double] = []
    for second in stride(from: 10.0, to: 3600, by: 1) {
      let before = harness.delivered.count
      harness.passTime(to: .test(second))
      for (update, _) in harness.delivered[before...] {
        if case .failure(let error) = update {
          #expect(error.code == .locationUnknown)
          failures.append(second)
        }
      }
    }
    #expect(failures == [16])
    #expect(harness.diagnostics(1).last == .locationUnavailable)
    harness.fix(Self.home, seconds: 3600)
    #expect(harness.diagnostics(1).last == [])
  }

  @Test("significant changes come every 500 m, also to a standing session without client")
  func significant() {
    var harness = ServiceHarness()
    var session = SessionOptions()
    session.services = .significantChanges
    (session.isStanding, session.name) = (true, "far")
    harness.open(session, 1, as: .pi)
    #expect(harness.demands.last??.wantsSignificantChanges == true)
    harness.handle(.disconnected(1), at: .test(0))
    for second in 0..<110 {
      harness.fix(
        Self.home.offset(east: 0, north: Double(second) * 10.1), seconds: Double(second), speed: 10)
    }
    #expect(harness.service.sessions.first?.deliveredCount == 3)
    harness.open(session, 2, as: .pi, seconds: 120)
    #expect(harness.locations(2).count == 1)
    #expect(harness.locations(2).first?.fix.time == .test(100))
    harness.fix(Self.home.offset(east: 0, north: 2000), seconds: 200, speed: 10)
    #expect(harness.locations(2).count == 2)
  }

  @Test("what clients of gpsd and the daemon's own sessions get is counted, but told nobody")
  func unheard() {
    var harness = ServiceHarness()
    var client = Credentials.pi
    client.isGPSD = true
    harness.open(options(.best, filter: .everyEpoch), 1, as: client)
    var own = options(.best, filter: .everyEpoch)
    (own.isStanding, own.name) = (true, "log")
    _ = harness.service.openSystemSession(own, at: .test(0))
    harness.open(options(.best, filter: .everyEpoch), 2, as: .pi)
    for second in 0..<10 { harness.fix(Self.home, seconds: Double(second)) }
    harness.handle(.receiverLost(reason: "gone"), at: .test(11))
    harness.passTime(to: .test(60))
    #expect(harness.service.sessions.map(\.deliveredCount) == [10, 10, 10])
    #expect(harness.locations(2).count == 10)
    #expect(harness.diagnostics(2) == [.locationUnavailable])
    let recipients = harness.delivered.map(\.to)
    #expect(recipients.allSatisfy { $0 == .session(3, 2) })
  }

  @Test("a standing session survives a restart, one of a connection does not")
  func restart() throws {
    var harness = ServiceHarness()
    var session = options(.kilometer)
    (session.isStanding, session.name, session.purpose) = (true, "night", "to find the van")
    harness.open(session, 1, as: .pi)
    harness.open(options(.best), 1, as: .pi)
    try harness.restart(at: .test(10))
    #expect(harness.service.sessions.map(\.options) == [session])
    #expect(harness.demands.last??.tier == .kilometer)
    harness.open(session, 1, as: .pi, seconds: 11)
    #expect(harness.service.sessions.count == 1)
    let id = try #require(harness.service.sessions.first?.id)
    #expect(harness.ask(.closeSession(id), 1, seconds: 12) == .done)
    try harness.restart(at: .test(20))
    #expect(harness.service.sessions.isEmpty)
  }

  @Test("headings need speed, and tell the declination")
  func heading() {
    var harness = ServiceHarness()
    var session = SessionOptions()
    session.services = .heading
    session.headingFilter = 5
    harness.open(session, 1, as: .pi)
    for (second, speed, course) in [
      (0.0, 0.3, 10.0), (1, 3, 359), (2, 3, 2), (3, 3, 5), (4, 0.2, 5),
    ] {
      var fix = Fix.at(Self.home, seconds: second, speed: speed, course: course)
      fix.magneticVariation = 4
      harness.handle(.fix(fix), at: .test(second))
    }
    let headings = harness.delivered.compactMap { update, _ -> HeadingFilter.Change? in
      if case .heading(let change) = update { change } else { nil }
    }
    func heading(_ course: Double, _ magnetic: Double, _ second: Double) -> HeadingFilter.Change {
      .heading(
        Heading(trueHeading: course, magneticHeading: magnetic, time: .test(second)))
    }
    #expect(headings == [heading(359, 355, 1), heading(5, 1, 3), .lost])
  }

  @Test("sessions that make no sense are refused with the reason")
  func invalid() {
    var harness = ServiceHarness()
    var nameless = SessionOptions()
    nameless.isStanding = true
    var endless = SessionOptions()
    endless.filter = .distance(.nan)
    var nothing = SessionOptions()
    nothing.services = []
    for session in [nameless, endless, nothing] {
      guard case .invalid? = harness.open(session, 1, as: .pi) else {
        Issue.record("accepted \(session)")
        continue
      }
    }
    for _ in 0..<LocationService.sessionCountPerClientMax {
      harness.open(options(.best), 1, as: .pi)
    }
    guard case .invalid? = harness.open(options(.best), 1, as: .pi) else {
      Issue.record("too many sessions")
      return
    }
  }
}
