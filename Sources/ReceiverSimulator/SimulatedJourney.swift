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
    /// Where it begins.
    package var position: Coordinate
    /// Metres above mean sea level, there.
    package var altitude: Double
    /// m/s.
    package var northward: Double
    package var eastward: Double
    package var upward: Double
    package var reception: Reception
  }

  /// Where it is at an instant.
  package struct Point: Equatable, Sendable {
    package var position: Coordinate
    /// Metres above mean sea level.
    package var altitude: Double
    /// m/s over ground, and upward.
    package var speed = 0.0
    package var climb = 0.0
    /// Degrees from true north.
    package var course = 0.0
    package var reception = Reception.open
  }

  package private(set) var legs: [Leg] = []
  /// Where the next leg begins.
  private(set) var position: Coordinate
  private var altitude: Double

  /// Longer ways are divided, so that each leg is straight on a plane too. Metres.
  private static let legMax = 5000.0

  package init(origin: Coordinate, altitude: Double = 500) {
    (position, self.altitude) = (origin, altitude)
  }

  package var length: Duration { legs.last?.end ?? .zero }

  /// Goes on for this long.
  package mutating func go(
    _ span: Duration, speed: Double, course: Double, under reception: Reception
  ) {
    let angle = course * .pi / 180
    go(span, northward: speed * math_cos(angle), eastward: speed * math_sin(angle), reception)
  }

  private mutating func go(
    _ span: Duration, northward: Double, eastward: Double, upward: Double = 0,
    _ reception: Reception
  ) {
    legs.append(
      Leg(
        start: length, end: length + span, position: position, altitude: altitude,
        northward: northward, eastward: eastward, upward: upward, reception: reception))
    let seconds = span.inSeconds
    position = position.moved(north: northward * seconds, east: eastward * seconds)
    altitude += upward * seconds
  }

  package mutating func rest(_ span: Duration, under reception: Reception) {
    go(span, speed: 0, course: 0, under: reception)
  }

  /// Goes the shortest way to another place.
  package mutating func go(
    _ span: Duration, to end: Coordinate, altitude endAltitude: Double? = nil,
    under reception: Reception
  ) {
    guard span > .zero else { return }
    let climb = ((endAltitude ?? altitude) - altitude) / span.inSeconds
    let line = Geodesic(from: position, to: end)
    let start = position
    let pieceCount = Int(min(line.distance / Self.legMax, 10_000)) + 1
    for piece in 1...pieceCount {
      let part = line.distance * Double(piece) / Double(pieceCount)
      let target =
        piece == pieceCount
        ? end : start.destination(bearing: line.initialBearing, distance: part)
      let offset = position.planarOffset(to: target)
      let seconds = span.inSeconds / Double(pieceCount)
      go(
        span / pieceCount, northward: offset.north / seconds, eastward: offset.east / seconds,
        upward: climb, reception)
    }
  }

  /// Is somewhere else at once, as no receiver can be carried: what a spoofed or broken one says.
  package mutating func jump(north: Double, east: Double) {
    position = position.moved(north: north, east: east)
  }

  /// Along a recorded track, under an open sky; between its segments without a sky.
  package init(_ track: Track) {
    let first = track.segments.first?.first
    self.init(
      origin: first?.coordinate ?? Coordinate(latitude: 0, longitude: 0),
      altitude: first?.altitude ?? 0)
    var last = first
    for segment in track.segments {
      for (index, point) in segment.enumerated() {
        if let last, point.time > last.time {
          go(
            point.time - last.time, to: point.coordinate, altitude: point.altitude,
            under: index == 0 ? .none : .open)
        }
        last = point
      }
    }
  }

  /// Where it is after this time; behind the end the journey begins again.
  ///
  /// - Parameter cursor: The leg that was found last; times may go any way, rising ones are cheap.
  package func point(at time: Duration, cursor: inout Int) -> Point {
    guard length > .zero, let last = legs.last else {
      return Point(position: position, altitude: altitude)
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
      position: leg.position.moved(
        north: leg.northward * seconds, east: leg.eastward * seconds),
      altitude: leg.altitude + leg.upward * seconds, speed: speed, climb: leg.upward,
      course: course < 0 ? course + 360 : course, reception: leg.reception)
  }
}
