import GNSS
import Testing

@testable import LocationServices

/// The rule for one circle, written down again without any index: each fix asks the geodesic.
private struct Reference {
  let centre: Coordinate
  let radius: Double
  var state = RegionState.unknown
  var anchor: Place?

  mutating func observe(_ place: Place) -> RegionState? {
    // A degree of latitude is at least 110.5 km: no geodesic is needed to see that this is far.
    let apart = abs(centre.latitude - place.position.latitude) * 110_500
    let distance =
      apart > radius + 1000 ? apart - radius : centre.distance(to: place.position) - radius
    let inner =
      place.accuracy <= max(radius, 15) ? min(place.accuracy, radius / 2) : place.accuracy
    var proven: RegionState?
    if distance <= -inner { proven = .satisfied }
    if distance >= place.accuracy { proven = .unsatisfied }
    guard let proven, proven != state else { return nil }
    if state != .unknown, let anchor {
      let least =
        3
        * (anchor.accuracy * anchor.accuracy + place.accuracy * place.accuracy)
        .squareRoot()
      if anchor.position.distance(to: place.position) < least { return nil }
    }
    let isEvent = proven == .satisfied || state == .satisfied
    state = proven
    anchor = abs(distance) < 6 * place.accuracy ? place : nil
    return isEvent ? proven : nil
  }
}

@Suite("Regions against brute force") struct RegionReferenceTests {
  /// Where tracks begin: mid-latitudes, the equator at longitude 0, the antimeridian, the poles.
  static let origins = [
    Coordinate(latitude: 48.1, longitude: 11.6), Coordinate(latitude: 0.001, longitude: 0.001),
    Coordinate(latitude: -17, longitude: 179.999), Coordinate(latitude: 89.995, longitude: 45),
    Coordinate(latitude: -89.99, longitude: -100),
  ]

  @Test("on 1,000 random tracks every entry and exit is the one that geodesics tell")
  func tracks() throws {
    let seed: UInt64 = 6
    var random = SeededRandom(seed: seed)
    var eventCount = 0
    for track in 0..<1000 {
      let origin = Self.origins[track % Self.origins.count]
      var watch = RegionWatch()
      var references: [Reference] = []
      for number in 0..<30 {
        let centre = origin.offset(
          east: random.uniform(-3000, 3000), north: random.uniform(-3000, 3000))
        let radius = [5, 50, 200, 1000, 20_000][number % 5] * random.uniform(0.5, 1.5)
        try watch.add("\(number)", to: 1, shape: .circle(centre: centre, radius: radius))
        references.append(Reference(centre: centre, radius: radius))
      }
      var place = origin
      var bearing = random.uniform(0, 360)
      for step in 0..<25 {
        bearing += random.normal() * 30
        // Mostly a walk, now and then a wake-up far away.
        let isFar = random.uniform(0, 1) < 0.05
        place = place.destination(
          bearing: bearing, distance: isFar ? random.uniform(0, 30_000) : random.uniform(0, 300))
        let accuracy = random.uniform(1, 40)
        let sighting = try #require(
          Sighting.test(place, accuracy: accuracy, seconds: Double(step)))
        let events = Set(watch.observe(sighting).map { "\($0.identifier) \($0.state)" })
        var expected: Set<String> = []
        for number in references.indices {
          if let state = references[number].observe(sighting.place) {
            expected.insert("\(number) \(state)")
          }
        }
        #expect(events == expected, "seed \(seed), track \(track), step \(step)")
        eventCount += expected.count
      }
    }
    #expect(eventCount > 5000)
  }

  @Test("an index of many answers as a list of all")
  func manyRegions() throws {
    let seed: UInt64 = 7
    var random = SeededRandom(seed: seed)
    var watch = RegionWatch()
    var references: [Reference] = []
    for number in 0..<3000 {
      let centre = Coordinate(
        latitude: random.uniform(47, 48),
        longitude: random.uniform(179.5, 180.5).remainder(dividingBy: 360))
      let radius = random.uniform(20, 5000)
      try watch.add("\(number)", to: 1, shape: .circle(centre: centre, radius: radius))
      references.append(Reference(centre: centre, radius: radius))
    }
    var place = Coordinate(latitude: 47.5, longitude: 180)
    for step in 0..<60 {
      place = place.destination(bearing: random.uniform(0, 360), distance: random.uniform(0, 2000))
      let sighting = try #require(Sighting.test(place, seconds: Double(step)))
      let events = Set(watch.observe(sighting).map { "\($0.identifier) \($0.state)" })
      var expected: Set<String> = []
      var nearest = Double.infinity
      for number in references.indices {
        if let state = references[number].observe(sighting.place) {
          expected.insert("\(number) \(state)")
        }
        if step % 20 == 0 {
          let reference = references[number]
          let distance = reference.centre.distance(to: sighting.place.position)
          nearest = min(nearest, abs(distance - reference.radius))
        }
      }
      #expect(events == expected, "seed \(seed), step \(step)")
      if step % 20 == 0 {
        #expect(abs((watch.edgeDistance ?? -1) - nearest) < 0.1, "seed \(seed), step \(step)")
      }
    }
  }

  @Test("polygons agree with a plane drawn by bearing and distance")
  func polygons() throws {
    let seed: UInt64 = 8
    var random = SeededRandom(seed: seed)
    for round in 0..<200 {
      let origin = Self.origins[round % Self.origins.count]
      // A star around the origin, so that its sides never cross.
      let corners = (0..<7).map { number in
        origin.destination(
          bearing: Double(number) * 360 / 7 + random.uniform(0, 40),
          distance: random.uniform(200, 3000))
      }
      let polygon = try #require(RegionPolygon(corners))
      for _ in 0..<10 {
        let place = origin.destination(
          bearing: random.uniform(0, 360), distance: random.uniform(0, 4000))
        let expected = Self.planeDistance(corners, from: place)
        let distance = polygon.edgeDistance(from: place)
        #expect(
          abs(distance - expected) < 0.01 * abs(expected) + 0.1, "seed \(seed), round \(round)")
      }
    }
  }

  /// The distance to the nearest side in the plane whose middle is `place`, negative inside.
  private static func planeDistance(_ corners: [Coordinate], from place: Coordinate) -> Double {
    let points = corners.map { corner -> (x: Double, y: Double) in
      let line = Geodesic(from: place, to: corner)
      let direction = Coordinate(latitude: 0, longitude: line.initialBearing).normal
      return (line.distance * direction.y, line.distance * direction.x)
    }
    var isInside = false
    var nearest = Double.infinity
    var start = points[points.count - 1]
    for end in points {
      if (start.y > 0) != (end.y > 0),
        start.x + (end.x - start.x) * start.y / (start.y - end.y) > 0
      {
        isInside.toggle()
      }
      let (dx, dy) = (end.x - start.x, end.y - start.y)
      let share = min(max(-(start.x * dx + start.y * dy) / (dx * dx + dy * dy), 0), 1)
      let (x, y) = (start.x + share * dx, start.y + share * dy)
      nearest = min(nearest, (x * x + y * y).squareRoot())
      start = end
    }
    return isInside ? -nearest : nearest
  }
}
