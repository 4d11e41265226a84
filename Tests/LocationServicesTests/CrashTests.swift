import GNSS
import Testing

@testable import LocationServices

/// A day: at home, a walk to the bus, a ride, the office with a walk at noon, and back.
private struct Day {
  struct Moment {
    var seconds: Double
    var place: Coordinate
    var speed: Double
  }

  static let home = Coordinate(latitude: 48.1, longitude: 11.6)
  static let stop = home.offset(east: 700, north: 200)
  static let office = home.offset(east: 9000, north: 4000)
  static let lunch = office.offset(east: -300, north: 500)
  static let interval = 10.0

  /// Fixes every ten seconds, with noise, the same in every call.
  static func moments(seed: UInt64) -> [Moment] {
    // Where one is when, in seconds of the day.
    let stays: [(from: Double, until: Double, place: Coordinate)] = [
      (0, 25_200, home), (25_800, 26_000, stop), (27_000, 43_200, office),
      (43_700, 46_000, lunch), (46_500, 61_200, office), (62_400, 86_400, home),
    ]
    var random = SeededRandom(seed: seed)
    var noise = PositionNoise(white: 1, wander: 3, memory: 20)
    var moments: [Moment] = []
    for (index, stay) in stays.enumerated() {
      var second = stay.from
      while second < stay.until {
        moments.append(
          Moment(seconds: second, place: noise.moved(stay.place, &random), speed: 0.1))
        second += interval
      }
      guard index + 1 < stays.count else { break }
      let next = stays[index + 1]
      let way = Geodesic(from: stay.place, to: next.place)
      while second < next.from {
        let share = (second - stay.until) / (next.from - stay.until)
        let truth = stay.place.destination(
          bearing: way.initialBearing, distance: way.distance * share)
        moments.append(
          Moment(
            seconds: second, place: noise.moved(truth, &random),
            speed: way.distance / (next.from - stay.until)))
        second += interval
      }
    }
    return moments
  }

  static func begin() throws -> ServiceHarness {
    var harness = ServiceHarness()
    harness.handle(.connected(1, .pi), at: .test(0))
    #expect(harness.ask(.openMonitor("day"), 1) == .done)
    let regions: [(String, Coordinate, Double)] = [
      ("home", home, 150), ("stop", stop, 100), ("office", office, 200), ("lunch", lunch, 100),
      ("half-way", home.offset(east: 4850, north: 2100), 800),
    ]
    for (name, centre, radius) in regions {
      let request = Request.addRegion(
        monitor: "day", identifier: name, .circle(centre: centre, radius: radius), RegionOptions())
      #expect(harness.ask(request, 1) == .done)
    }
    return harness
  }
}

extension ServiceEvent {
  fileprivate var summary: String {
    switch content {
    case .region(_, let identifier, let state, _): "\(identifier) \(state)"
    case .arrival: "arrival"
    case .departure: "departure"
    }
  }
}

@Suite("Crashes") struct CrashTests {
  @Test("the day itself: what is entered, left and visited")
  func day() throws {
    var harness = try Day.begin()
    for moment in Day.moments(seed: 41) {
      harness.fix(
        moment.place, accuracy: 4.8, seconds: moment.seconds, speed: moment.speed)
    }
    let visits = harness.log.map(\.summary).filter { ["arrival", "departure"].contains($0) }
    // Home, office, lunch, office, home; the wait at the stop is too short for a visit.
    let stays = (0..<9).map { $0 % 2 == 0 ? "arrival" : "departure" }
    #expect(visits == stays)
    // The ride back passes the stop 101 m beside, and it is 100 m wide.
    let passed = [
      "home", "home", "stop", "stop", "half-way", "half-way", "office", "office", "lunch",
      "lunch", "office", "office", "half-way", "half-way", "home",
    ]
    let crossed = harness.log.compactMap { event -> String? in
      if case .region(_, let identifier, _, _) = event.content { identifier } else { nil }
    }
    #expect(crossed == passed)
    #expect(harness.log.map(\.sequence) == (1...UInt64(harness.log.count)).map { $0 })
  }

  @Test(
    "killed at 200 random moments, the history is the same as without",
    arguments: [51, 52, 53] as [UInt64])
  func kill(seed: UInt64) throws {
    let moments = Day.moments(seed: 41)
    var calm = try Day.begin()
    for moment in moments {
      calm.fix(moment.place, accuracy: 4.8, seconds: moment.seconds, speed: moment.speed)
    }
    var random = SeededRandom(seed: seed)
    var kills: Set<Int> = []
    while kills.count < 200 { kills.insert(Int(random.next() % UInt64(moments.count))) }
    // Half of the kills hit where something happens: that is where a history can go wrong.
    for event in calm.log {
      let second = (event.time ?? .test(0)) - .test(0)
      let index = moments.firstIndex { $0.seconds >= second.inSeconds } ?? 0
      for offset in 0..<4 where index + offset < moments.count { kills.insert(index + offset) }
    }
    var harness = try Day.begin()
    for (index, moment) in moments.enumerated() {
      // Between any two commands of this fix, or in the middle of one.
      if kills.contains(index) { harness.commandsLeft = Int(random.next() % 6) }
      harness.fix(
        moment.place, accuracy: 4.8, seconds: moment.seconds, speed: moment.speed)
      if kills.contains(index) { try harness.restart(at: .test(moment.seconds + 1)) }
    }
    #expect(harness.log.map(\.summary) == calm.log.map(\.summary), "seed \(seed)")
    #expect(harness.log.map(\.sequence) == calm.log.map(\.sequence), "seed \(seed)")
    for (event, expected) in zip(harness.log, calm.log) {
      let late = (event.time ?? .test(0)) - (expected.time ?? .test(0))
      // A kill costs a fix, and several kills stand in a row.
      #expect(abs(late.inSeconds) <= 120, "seed \(seed), \(event.summary)")
    }
  }

  @Test("a disk that takes nothing does not silence the service, and is tried again")
  func brokenDisk() throws {
    var harness = try Day.begin()
    harness.diskWorks = false
    harness.fix(Day.home, seconds: 0)
    #expect(harness.log.map(\.summary) == ["home satisfied"])
    harness.diskWorks = true
    harness.passTime(to: .test(31))
    try harness.restart(at: .test(40))
    harness.fix(Day.home, seconds: 41)
    #expect(harness.log.map(\.summary) == ["home satisfied"])
    harness.fix(Day.office, seconds: 1000)
    harness.fix(Day.office, seconds: 1001)
    #expect(harness.log.map(\.summary).contains("home unsatisfied"))
  }

  @Test("a change that was answered outlives a power cut right after the answer")
  func answered() throws {
    let (subject, verdict) = (Subject.user("pi"), Verdict(.always))
    var answeredCount = 0
    for commandCount in 1...6 {
      var harness = ServiceHarness()
      harness.handle(.connected(1, .root), at: .test(0))
      harness.commandsLeft = commandCount
      let answer = harness.ask(.administer(.grant(subject, verdict)), 1)
      try harness.restart(at: .test(1))
      guard answer != nil else { continue }
      answeredCount += 1
      #expect(harness.service.authorizations.grants[subject] == verdict, "\(commandCount)")
    }
    #expect(answeredCount >= 1)
  }

  @Test("the state file is written anew before it grows without end")
  func compaction() throws {
    var harness = try Day.begin()
    var largest = 0
    for turn in 0..<3000 {
      harness.fix(turn % 2 == 0 ? Day.home : Day.office, seconds: Double(turn) * 600)
      largest = max(largest, harness.disk.count)
    }
    #expect(harness.log.count >= 5000)
    #expect(largest < 3 * LocationService.journalSlackByteCount / 2)
  }
}

@Suite("Monitors") struct MonitorTests {
  private func add(_ name: String, _ centre: Coordinate = Day.home) -> Request {
    .addRegion(
      monitor: "m", identifier: name, .circle(centre: centre, radius: 200), RegionOptions())
  }

  @Test("one client at a time has a monitor open, and the regions outlive it")
  func oneLive() throws {
    var harness = ServiceHarness()
    for client: ClientID in 1...2 { harness.handle(.connected(client, .pi), at: .test(0)) }
    #expect(harness.ask(.openMonitor("m"), 1) == .done)
    guard case .refused(let error)? = harness.ask(.openMonitor("m"), 2) else {
      Issue.record("opened twice")
      return
    }
    #expect(error.code == .regionMonitoringFailure)
    #expect(harness.ask(add("home"), 1) == .done)
    guard case .invalid? = harness.ask(add("home"), 2) else {
      Issue.record("a client changed another's monitor")
      return
    }
    harness.handle(.disconnected(1), at: .test(1))
    harness.fix(Day.home, seconds: 2)
    #expect(harness.log.count == 1)
    try harness.restart(at: .test(3))
    harness.handle(.connected(3, .pi), at: .test(4))
    #expect(harness.ask(.openMonitor("m"), 3, seconds: 4) == .done)
    let record = harness.service.record(for: "home", in: "m", client: 3)
    #expect(record?.state == .satisfied && record?.changed == .test(2))
    #expect(harness.service.record(for: "home", in: "m", client: 2) == nil)
    #expect(harness.ask(.removeRegion(monitor: "m", identifier: "home"), 3) == .done)
    #expect(harness.ask(.removeMonitor("m"), 3) == .done)
    #expect(harness.service.monitorDescriptions(for: .pi).isEmpty)
    #expect(harness.demands.last == .some(nil))
  }

  @Test("an event without a listener is told when one comes")
  func unseen() {
    var harness = ServiceHarness()
    harness.handle(.connected(1, .pi), at: .test(0))
    harness.ask(.openMonitor("m"), 1)
    harness.ask(add("home"), 1)
    harness.handle(.disconnected(1), at: .test(0))
    harness.fix(Day.home, seconds: 1)
    #expect(harness.delivered.isEmpty)
    harness.handle(.connected(2, .pi), at: .test(2))
    harness.ask(.openMonitor("m"), 2, seconds: 2)
    #expect(
      harness.delivered.map(\.update)
        == [.region(identifier: "home", state: .satisfied, time: .test(1))])
  }

  @Test("without the right to go on alone, regions rest while the client is away")
  func whenInUse() throws {
    var harness = try ServiceHarness(policy: "user guest allow")
    harness.handle(.connected(1, .guest), at: .test(0))
    harness.ask(.openMonitor("m"), 1)
    #expect(harness.ask(add("home"), 1) == .done)
    harness.fix(Day.home, seconds: 1)
    harness.handle(.disconnected(1), at: .test(2))
    #expect(harness.demands.last == .some(nil))
    harness.fix(Day.office, seconds: 1000)
    #expect(harness.log.count == 1)
    harness.handle(.connected(2, .guest), at: .test(1001))
    harness.ask(.openMonitor("m"), 2, seconds: 1001)
    harness.fix(Day.office, seconds: 1002)
    #expect(harness.log.map(\.summary) == ["home satisfied", "home unsatisfied"])
  }

  @Test("small regions come with a warning; the nearest edge is part of the demand")
  func warnings() {
    var harness = ServiceHarness()
    harness.handle(.connected(1, .pi), at: .test(0))
    harness.ask(.openMonitor("m"), 1)
    let small = Request.addRegion(
      monitor: "m", identifier: "s", .circle(centre: Day.home, radius: 50), RegionOptions())
    guard case .doneWithWarning? = harness.ask(small, 1) else {
      Issue.record("no warning")
      return
    }
    harness.fix(Day.office, seconds: 1)
    let edge = harness.demands.last??.nearestRegionEdge ?? 0
    #expect(abs(edge - Day.home.distance(to: Day.office) + 50) < 1)
  }
}
