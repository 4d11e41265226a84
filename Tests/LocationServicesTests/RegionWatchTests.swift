import GNSS
import Testing

@testable import LocationServices

@Suite("Regions") struct RegionWatchTests {
  static let home = Coordinate(latitude: -49.341_666_7, longitude: 70.220_833_3)

  /// What a watch makes of fixes so many metres north of the circle's middle.
  private func events(
    radius: Double, _ fixes: [(seconds: Double, north: Double, accuracy: Double)],
    options: RegionOptions = RegionOptions()
  ) throws -> [(state: RegionState, seconds: Double)] {
    var watch = RegionWatch()
    try watch.add(
      "f1", to: 1, shape: .circle(centre: Self.home, radius: radius), options: options)
    var events: [(RegionState, Double)] = []
    for fix in fixes {
      let sighting = Sighting.test(
        Self.home.offset(east: 0, north: fix.north), accuracy: fix.accuracy, seconds: fix.seconds)
      for event in watch.observe(try #require(sighting)) {
        events.append((event.state, fix.seconds))
      }
    }
    return events
  }

  @Test("a receiver at rest on the edge makes no series of events")
  func jitter() throws {
    // 48 m and 53 m from the middle in turns, with 12 m accuracy: 39 crossings of a 50 m circle.
    let fixes = (0..<40).map { (Double($0) * 5, $0 % 2 == 0 ? 53.0 : 48.0, 12.0) }
    #expect(try events(radius: 50, fixes).count <= 1)
  }

  @Test("a walk along the diameter enters once and leaves once, without much delay")
  func passage() throws {
    let fixes = (0..<25).map { (Double($0) * 5, Double($0) * 10 - 120, 3.0) }
    let events = try events(radius: 50, fixes)
    #expect(events.map(\.state) == [.satisfied, .unsatisfied])
    #expect((35...55).contains(events[0].seconds))
    #expect((85...115).contains(events[1].seconds))
  }

  @Test("a lost fix and coarse fixes are no exit")
  func coarse() throws {
    let fixes = [
      (0.0, 5.0, 3.0), (5, 5, 3), (60, 0, 250), (65, 400, 500), (70, 6, 3),
    ]
    #expect(try events(radius: 50, fixes).map(\.state) == [.satisfied])
  }

  @Test("a coarse fix does not prove that a small region was entered")
  func coarseEntry() throws {
    #expect(try events(radius: 50, [(0, 0, 250)]).isEmpty)
    #expect(try events(radius: 5, [(0, 0, 3)]).map(\.state) == [.satisfied])
  }

  @Test("a wrong assumption is corrected by the first fix, a right one makes no event")
  func assumption() throws {
    var options = RegionOptions()
    options.assumedState = .satisfied
    #expect(
      try events(radius: 50, [(0, 500, 3), (1, 500, 3)], options: options).map(\.state)
        == [.unsatisfied])
    #expect(try events(radius: 50, [(0, 0, 3)], options: options).isEmpty)
    options.assumedState = .unsatisfied
    #expect(
      try events(radius: 50, [(0, 0, 3)], options: options).map(\.state) == [.satisfied])
    #expect(try events(radius: 50, [(0, 500, 3)], options: options).isEmpty)
  }

  @Test("circles and polygons across the antimeridian")
  func antimeridian() throws {
    var watch = RegionWatch()
    let centre = Coordinate(latitude: -17, longitude: 179.9995)
    try watch.add("circle", to: 1, shape: .circle(centre: centre, radius: 200))
    let corners = [(-17.01, 179.99), (-17.01, -179.99), (-16.99, -179.99), (-16.99, 179.99)]
      .map { Coordinate(latitude: $0.0, longitude: $0.1) }
    try watch.add("poly", to: 1, shape: .polygon(corners))
    let place = Coordinate(latitude: -17, longitude: -179.9995)
    var events: [String] = []
    for seconds in 0..<4 {
      let sighting = try #require(Sighting.test(place, seconds: Double(seconds) * 5))
      events += watch.observe(sighting).map { "\($0.identifier) \($0.state)" }
    }
    #expect(events.sorted() == ["circle satisfied", "poly satisfied"])
    let away = try #require(
      Sighting.test(Coordinate(latitude: -17, longitude: 0), seconds: 10_000))
    let exits = watch.observe(away)
    #expect(exits.map(\.state) == [.unsatisfied, .unsatisfied])
  }

  @Test("a polygon around the pole holds the pole and not its surroundings")
  func pole() throws {
    let corners = [0, 60, 120, 180, -120, -60].map {
      Coordinate(latitude: 80, longitude: Double($0))
    }
    let polygon = try #require(RegionPolygon(corners))
    #expect(polygon.edgeDistance(from: Coordinate(latitude: 90, longitude: 0)) < -900_000)
    #expect(polygon.edgeDistance(from: Coordinate(latitude: 85, longitude: -170)) < 0)
    #expect(polygon.edgeDistance(from: Coordinate(latitude: 79, longitude: 30)) > 0)
    #expect(polygon.edgeDistance(from: Coordinate(latitude: 40, longitude: 30)) > 0)
  }

  @Test("shapes that cannot be are refused, with the reason")
  func refused() {
    let shapes: [RegionShape] = [
      .circle(centre: Self.home, radius: 0.5), .circle(centre: Self.home, radius: .nan),
      .circle(centre: Coordinate(latitude: 91, longitude: 0), radius: 10),
      .circle(centre: Coordinate(latitude: .nan, longitude: 0), radius: 10),
      .circle(centre: Self.home, radius: .infinity), .polygon([]),
      .polygon([Self.home, Self.home, Self.home]),
      .polygon([-120, 0, 120].map { Coordinate(latitude: 0, longitude: $0) }),
      .polygon([0, 1, .infinity].map { Coordinate(latitude: 0, longitude: $0) }),
    ]
    for shape in shapes {
      #expect(throws: LocationError.self, "\(shape)") { try shape.validate() }
    }
  }

  @Test("removed regions are silent, and their names can be used again")
  func remove() throws {
    var watch = RegionWatch()
    let shape = RegionShape.circle(centre: Self.home, radius: 100)
    try watch.add("a", to: 1, shape: shape)
    try watch.add("b", to: 1, shape: shape)
    try watch.add("a", to: 2, shape: shape)
    let removed = [watch.remove("b", from: 1), watch.remove("b", from: 1)]
    #expect(removed == [true, false])
    #expect(watch.count == 2)
    let here = try #require(Sighting.test(Self.home, seconds: 0))
    let first = watch.observe(here)
    #expect(first.map(\.monitor).sorted() == [1, 2])
    watch.removeAll(of: 1)
    try watch.add("b", to: 1, shape: shape)
    let second = watch.observe(here)
    #expect(second.map(\.identifier) == ["b"])
    #expect(watch.record(for: "b", in: 1)?.state == .satisfied)
    #expect(watch.records(of: 2).map(\.identifier) == ["a"])
  }
}
