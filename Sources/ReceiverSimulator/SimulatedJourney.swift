import CMath
import GNSS

/// How much of the sky a receiver sees. The figures are plausible, not measured: they part the easy
/// from the hard.
package enum Reception: Sendable {
  case open
  case trees
  case canyon
  /// Indoors near a window.
  case window
  /// Indoors, tunnel.
  case none

  /// What a fix takes longer than under an open sky.
  var slowness: Double {
    switch self {
    case .open: 1
    case .trees: 1.3
    case .canyon: 2.5
    case .window: 1.2
    case .none: .infinity
    }
  }

  /// Metres of error on each axis.
  var sigma: Double {
    switch self {
    case .open: 1.2
    case .trees: 2.2
    case .canyon: 5
    case .window: 9
    case .none: 0
    }
  }

  /// Satellites at 28 dB-Hz or more.
  var strongCount: Int {
    switch self {
    case .open: 12
    case .trees: 9
    case .canyon: 6
    case .window: 4
    case .none: 0
    }
  }
}

/// Where a receiver is carried, and what it sees there.
package struct SimulatedJourney: Sendable {
  /// A stretch at one velocity under one sky.
  package struct Leg: Equatable, Sendable {
    package var start: Duration
    package var end: Duration
    /// Metres north and east of the origin at the start.
    package var north: Double
    package var east: Double
    /// m/s.
    package var northward: Double
    package var eastward: Double
    package var reception: Reception
  }

  /// Where it is at an instant.
  package struct Point: Equatable, Sendable {
    package var north: Double
    package var east: Double
    package var speed: Double
    /// Degrees from true north.
    package var course: Double
    package var reception: Reception
  }

  package private(set) var legs: [Leg] = []
  package let origin: Coordinate
  private var north = 0.0
  private var east = 0.0

  package init(origin: Coordinate) { self.origin = origin }

  package var length: Duration { legs.last?.end ?? .zero }

  /// Goes on for this long.
  package mutating func go(
    _ span: Duration, speed: Double, course: Double, under reception: Reception
  ) {
    let angle = course * .pi / 180
    let (northward, eastward) = (speed * math_cos(angle), speed * math_sin(angle))
    let start = length
    legs.append(
      Leg(
        start: start, end: start + span, north: north, east: east, northward: northward,
        eastward: eastward, reception: reception))
    north += northward * span.inSeconds
    east += eastward * span.inSeconds
  }

  package mutating func rest(_ span: Duration, under reception: Reception) {
    go(span, speed: 0, course: 0, under: reception)
  }

  /// Along a recorded track, under an open sky; it rests between its segments.
  package init(_ track: Track) {
    let first = track.segments.first?.first?.coordinate
    self.init(origin: first ?? Coordinate(latitude: 0, longitude: 0))
    let points = track.segments.flatMap { $0 }
    for (from, to) in zip(points, points.dropFirst()) {
      let span = to.time - from.time
      guard span > .zero else { continue }
      let distance = from.coordinate.distance(to: to.coordinate)
      let course = from.coordinate.bearing(to: to.coordinate)
      go(span, speed: distance / span.inSeconds, course: course, under: .open)
    }
  }

  /// Where it is after this time; behind the end the journey begins again.
  ///
  /// - Parameter cursor: The leg that was found last; times may go any way, rising ones are cheap.
  package func point(at time: Duration, cursor: inout Int) -> Point {
    guard length > .zero, let last = legs.last else {
      return Point(north: 0, east: 0, speed: 0, course: 0, reception: .open)
    }
    let cycle = time.wholeNanoseconds % length.wholeNanoseconds
    let within = Duration.nanoseconds(max(cycle, 0))
    if !legs.indices.contains(cursor) || legs[cursor].start > within { cursor = 0 }
    while cursor + 1 < legs.count, legs[cursor].end <= within { cursor += 1 }
    let leg = legs.indices.contains(cursor) ? legs[cursor] : last
    let seconds = (within - leg.start).inSeconds
    let speed = (leg.northward * leg.northward + leg.eastward * leg.eastward).squareRoot()
    let course = speed > 0 ? math_atan2(leg.eastward, leg.northward) * 180 / .pi : 0
    return Point(
      north: leg.north + leg.northward * seconds, east: leg.east + leg.eastward * seconds,
      speed: speed, course: course < 0 ? course + 360 : course, reception: leg.reception)
  }
}

extension SimulatedJourney {
  /// A day of a person: at home near a window, a walk, a drive through town, on a road and
  /// through a tunnel, a meeting deep indoors, a ride, a rest outdoors, a walk home. It ends
  /// where it began.
  package static let day: SimulatedJourney = {
    var day = SimulatedJourney(origin: Coordinate(latitude: 48.1, longitude: 11.5))
    day.rest(.seconds(27_000), under: .window)
    day.walk(minutes: 30, from: 80)
    day.driveInTown(minutes: 8, from: 100)
    day.go(.seconds(840), speed: 25, course: 95, under: .open)
    day.go(.seconds(40), speed: 22, course: 95, under: .none)
    day.driveInTown(minutes: 7, from: 60)
    day.walk(minutes: 5, from: 0)
    day.rest(.seconds(7200), under: .none)
    day.ride(minutes: 60)
    day.rest(.seconds(3000), under: .open)
    day.returnHome(minutes: 45)
    day.rest(.seconds(86_400) - day.length, under: .window)
    return day
  }()

  private mutating func walk(minutes: Int, from course: Double) {
    for minute in 0..<minutes {
      let turn = Double(minute % 4) * 25
      let reception: Reception = minute % 5 == 3 ? .trees : .open
      go(.seconds(60), speed: 1.4, course: course + turn, under: reception)
    }
  }

  /// Forty seconds at 12 m/s, a traffic light; a part of it between high houses.
  private mutating func driveInTown(minutes: Int, from course: Double) {
    for minute in 0..<minutes {
      let reception: Reception = minute % 4 == 1 ? .canyon : .open
      go(.seconds(42), speed: 12, course: course + Double(minute % 3) * 30, under: reception)
      rest(.seconds(18), under: reception)
    }
  }

  private mutating func ride(minutes: Int) {
    for minute in 0..<minutes {
      let reception: Reception = minute % 6 == 4 ? .trees : .open
      go(.seconds(60), speed: 5.5, course: 250 + Double(minute % 5) * 12, under: reception)
    }
  }

  /// By bus, straight home.
  private mutating func returnHome(minutes: Int) {
    let distance = (north * north + east * east).squareRoot()
    let course = math_atan2(-east, -north) * 180 / .pi
    let seconds = Double(minutes * 60)
    go(.seconds(minutes * 60), speed: distance / seconds, course: course, under: .open)
  }
}
