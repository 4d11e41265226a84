import GNSS
import Testing

@testable import LocationServices

@Suite("Reduced accuracy") struct ReducedTests {
  @Test("cells are about 5 km wide everywhere, and hold what is mapped to them")
  func cells() {
    var random = SeededRandom(seed: 21)
    for _ in 0..<2000 {
      // Also the poles and the antimeridian.
      let latitude = max(-90, min(90, random.uniform(-91, 91)))
      let place = Coordinate(latitude: latitude, longitude: random.uniform(-180, 180))
      let middle = ReducedAccuracy.Cell(holding: place).middle
      #expect(middle.isValid)
      #expect(middle.distance(to: place) < ReducedAccuracy.accuracy, "seed 21, \(place)")
      #expect(ReducedAccuracy.Cell(holding: middle).middle == middle)
    }
  }

  @Test("10,000 queries of one who stands still tell no more than one")
  func queries() throws {
    let seed: UInt64 = 22
    var random = SeededRandom(seed: seed)
    // On the border of two cells, where a position that wavers would tell most.
    let cell = ReducedAccuracy.Cell(holding: Coordinate(latitude: 48.1, longitude: 11.6)).middle
    let place = Coordinate(
      latitude: cell.latitude + ReducedAccuracy.cellHeight / 2, longitude: cell.longitude)
    var noise = PositionNoise.urban
    var harness = try ServiceHarness(policy: "default reduced")
    var seen: Set<Coordinate> = []
    for query in 0..<10_000 {
      let second = Double(query) * 8
      harness.fix(
        noise.moved(place, &random), accuracy: noise.accuracy, seconds: second, speed: 0.1)
      // Always another client, by name and number: that gains nothing.
      let client = ClientID(query + 1)
      let credentials = Credentials(
        userID: UInt32(1000 + query % 50), clientName: "client \(query % 7)")
      harness.handle(.connected(client, credentials), at: .test(second))
      let answer = harness.ask(
        .requestLocation(.init(tier: .bestForNavigation)), client, seconds: second)
      guard case .position(let update)? = answer, let position = update.fix.position else {
        Issue.record("no answer to query \(query)")
        return
      }
      #expect(update.isReduced)
      #expect(update.fix.speed == nil && update.fix.course == nil && update.fix.altitudeMSL == nil)
      seen.insert(position)
      harness.handle(.disconnected(client), at: .test(second))
    }
    #expect(seen.count == 1, "seed \(seed)")
    #expect(seen.first.map { $0.distance(to: place) > 2000 } == true)
  }

  @Test("in motion there is one update in 15 minutes, and many clients get the same one")
  func rate() throws {
    var harness = try ServiceHarness(policy: "default reduced")
    var session = SessionOptions()
    session.filter = .everyEpoch
    for client: ClientID in 1...3 { harness.open(session, client, as: .guest) }
    for second in stride(from: 0.0, to: 7200, by: 10) {
      let place = Coordinate(latitude: 48, longitude: 11).offset(east: second * 20, north: 0)
      harness.fix(place, seconds: second, speed: 20)
    }
    let first = harness.locations(1)
    #expect(first.count == 8)
    #expect(harness.locations(2).map(\.fix) == first.map(\.fix))
    let times = first.compactMap(\.fix.time)
    #expect(zip(times.dropFirst(), times).allSatisfy { $0 - $1 >= .seconds(900) })
    #expect(harness.diagnostics(1) == [.accuracyLimited])
    #expect(harness.demands.last??.tier == .reduced)
    // A client that comes later gets the position that all have, not a new one.
    harness.open(session, 9, as: .guest, seconds: 7300)
    #expect(harness.locations(9).map(\.fix) == first.suffix(1).map(\.fix))
  }

  @Test("small regions are refused, and large ones see only the cell")
  func regions() throws {
    let true1 = Coordinate(latitude: 48.1, longitude: 11.6)
    var harness = try ServiceHarness(policy: "default reduced")
    harness.handle(.connected(1, .guest), at: .test(0))
    harness.ask(.openMonitor("m"), 1)
    func add(_ name: String, _ centre: Coordinate, _ radius: Double) -> Request {
      .addRegion(
        monitor: "m", identifier: name, .circle(centre: centre, radius: radius), RegionOptions())
    }
    guard case .refused(let error)? = harness.ask(add("small", true1, 9_999), 1) else {
      Issue.record("accepted")
      return
    }
    #expect(error.code == .regionMonitoringDenied && error.message.contains("accuracyLimited"))
    // Hundreds of circles whose edges pass within metres of the true position, from all sides.
    for number in 0..<360 {
      let centre = true1.destination(
        bearing: Double(number), distance: 10_000 + Double(number % 2) * 10 - 5)
      #expect(harness.ask(add("\(number)", centre, 10_000), 1) == .done)
    }
    harness.fix(true1, seconds: 1)
    let middle = try #require(harness.service.reducer.published?.position)
    // What they say is what the cell's middle says: nobody learns on which side the truth lies.
    for number in 0..<360 {
      let record = try #require(harness.service.record(for: "\(number)", in: "m", client: 1))
      let centre = true1.destination(
        bearing: Double(number), distance: 10_000 + Double(number % 2) * 10 - 5)
      let beyond = centre.distance(to: middle) - 10_000
      if record.state == .satisfied { #expect(beyond < 0) }
      if record.state == .unsatisfied { #expect(beyond > 0) }
    }
    for event in harness.log {
      if case .region(_, _, _, let place) = event.content { #expect(place.position == middle) }
    }
  }

  @Test("visits are told in the cell and by the quarter of an hour")
  func visits() throws {
    var harness = try ServiceHarness(policy: "default reduced")
    var session = SessionOptions()
    session.services = .visits
    harness.open(session, 1, as: .guest)
    for second in 0..<400 {
      harness.fix(Coordinate(latitude: 48.1, longitude: 11.6), seconds: Double(second) + 100)
    }
    let told = harness.delivered.compactMap { update, _ -> Visit? in
      if case .visit(let visit) = update { visit } else { nil }
    }
    #expect(told.count == 1)
    #expect(told.first?.coordinate == harness.service.reducer.published?.position)
    #expect(told.first?.arrival == .test(0))
  }

  @Test("a dump tells the same, wherever it begins within a day")
  func dump() {
    var random = SeededRandom(seed: 23)
    let fixes = (0..<2000).map { number in
      Fix.at(
        Coordinate(latitude: 48, longitude: 11).offset(
          east: Double(number) * 30, north: random.uniform(-50, 50)),
        seconds: Double(number) * 10)
    }
    var track = ReducedTrack()
    let reduced = fixes.compactMap { track.reduce($0) }
    #expect(reduced.count == 23)
    let times = reduced.compactMap(\.time?.microseconds)
    #expect(times.allSatisfy { $0 % 900_000_000 == 0 })
    #expect(Set(times).count == times.count)
    #expect(reduced.allSatisfy { $0.speed == nil && $0.mode == .twoD })
    for fix in reduced {
      let cell = fix.position.map(ReducedAccuracy.Cell.init(holding:))?.middle
      #expect(cell == fix.position)
    }
  }
}
