import GNSS

/// Where something was and when: what a simulated receiver moves along.
package struct Track: Sendable {
  package struct Point: Equatable, Sendable {
    package let time: UTCTime
    package let coordinate: Coordinate
    /// Metres above mean sea level.
    package let altitude: Double?
  }

  /// At least one, each with at least one point; the times rise through all of them.
  package let segments: [[Point]]
  /// The points that were left out because their times did not rise.
  package let droppedCount: Int

  /// Where a track that is travelled at a given speed ends at the latest: the year 9999.
  private static let endMax = UTCTime(seconds: 253_402_300_799)

  /// A track at its recorded pace.
  ///
  /// Segments are put in the order of their times; points that are not later than the one before
  /// them are left out.
  package init(recorded segments: [[GPXPoint]]) throws(GPXError) {
    var timed: [[Point]] = []
    var number = 0
    for segment in segments {
      var points: [Point] = []
      for point in segment {
        number += 1
        guard let time = point.time else { throw .noTime(point: number) }
        points.append(Point(time: time, coordinate: point.coordinate, altitude: point.altitude))
      }
      if !points.isEmpty { timed.append(points) }
    }
    timed.sort { $0[0].time < $1[0].time }
    try self.init(inOrder: timed)
  }

  /// A track that is travelled at one speed, whatever times it has. The way from one segment to the
  /// next is not travelled: it takes one second.
  ///
  /// - Parameter groundSpeed: m/s, above zero.
  package init(_ segments: [[GPXPoint]], groundSpeed: Double, start: UTCTime) throws(GPXError) {
    var time = start
    var timed: [[Point]] = []
    for segment in segments {
      var points: [Point] = []
      for point in segment {
        if let last = points.last {
          let seconds = last.coordinate.distance(to: point.coordinate) / groundSpeed
          time = min(time + .seconds(min(seconds, 1e9)), Self.endMax)
        }
        points.append(Point(time: time, coordinate: point.coordinate, altitude: point.altitude))
      }
      if !points.isEmpty { timed.append(points) }
      time = time + .seconds(1)
    }
    try self.init(inOrder: timed)
  }

  private init(inOrder timed: [[Point]]) throws(GPXError) {
    var kept: [[Point]] = []
    var last: UTCTime?
    var dropped = 0
    for segment in timed {
      var points: [Point] = []
      for point in segment {
        if let last, point.time <= last {
          dropped += 1
          continue
        }
        points.append(point)
        last = point.time
      }
      if !points.isEmpty { kept.append(points) }
    }
    guard !kept.isEmpty else { throw .noPoints }
    (segments, droppedCount) = (kept, dropped)
  }

  package var start: UTCTime { segments.first?.first?.time ?? UTCTime(microseconds: 0) }
  package var end: UTCTime { segments.last?.last?.time ?? start }
}

/// Finds the motion along a track at instants that rise.
struct TrackCursor {
  /// Where and how fast one is at an instant.
  struct Motion: Equatable {
    var coordinate: Coordinate
    var altitude: Double?
    /// m/s over ground.
    var speed: Double
    /// Degrees from true north; `nil` while standing.
    var course: Double?
    /// m/s, up positive.
    var climb: Double?
  }

  /// Slower than this, a course says nothing. m/s.
  static let standingSpeed = 0.05

  private let track: Track
  private var segment = 0
  private var point = 0
  /// The leg that `point` begins, measured once.
  private var leg: Leg?

  private struct Leg {
    let start: Track.Point
    let end: Track.Point
    let distance: Double
    let bearing: Double
    let finalBearing: Double
    let seconds: Double
  }

  init(_ track: Track) { self.track = track }

  /// The motion at `time`, which must not lie before that of the call before; `nil` between two
  /// segments and behind the last one.
  ///
  /// - Parameter hold: How long a segment lasts at the least: one of a single point is then seen.
  mutating func motion(at time: UTCTime, hold: Duration) -> Motion? {
    while segment < track.segments.count {
      let points = track.segments[segment]
      guard time >= points[0].time else { return nil }
      let last = points[points.count - 1].time
      if time <= last || time < points[0].time + hold { break }
      (segment, point, leg) = (segment + 1, 0, nil)
    }
    guard segment < track.segments.count else { return nil }
    let points = track.segments[segment]
    while point + 2 < points.count, points[point + 1].time <= time {
      (point, leg) = (point + 1, nil)
    }
    guard point + 1 < points.count else {
      let only = points[point]
      return Motion(coordinate: only.coordinate, altitude: only.altitude, speed: 0)
    }
    let leg = leg ?? Self.leg(from: points[point], to: points[point + 1])
    self.leg = leg
    return Self.motion(on: leg, at: time)
  }

  private static func leg(from start: Track.Point, to end: Track.Point) -> Leg {
    let line = Geodesic(from: start.coordinate, to: end.coordinate)
    return Leg(
      start: start, end: end, distance: line.distance, bearing: line.initialBearing,
      finalBearing: line.finalBearing, seconds: (end.time - start.time).inSeconds)
  }

  /// At constant velocity along the shortest line.
  private static func motion(on leg: Leg, at time: UTCTime) -> Motion {
    let fraction = min((time - leg.start.time).inSeconds / leg.seconds, 1)
    let speed = leg.distance / leg.seconds
    let isMoving = speed >= standingSpeed
    var motion = Motion(
      coordinate: leg.start.coordinate, altitude: leg.start.altitude,
      speed: isMoving ? speed : 0)
    if isMoving {
      // The direction turns evenly along the line, but for the poles.
      let turn = (leg.finalBearing - leg.bearing).remainder(dividingBy: 360) * fraction
      let course = leg.bearing + turn
      motion.course = course < 0 ? course + 360 : course < 360 ? course : course - 360
    }
    if fraction >= 1 {
      motion.coordinate = leg.end.coordinate
      motion.altitude = leg.end.altitude
    } else if fraction > 0 {
      motion.coordinate = leg.start.coordinate.destination(
        bearing: leg.bearing, distance: leg.distance * fraction)
    }
    if let from = leg.start.altitude, let to = leg.end.altitude {
      motion.altitude = from + (to - from) * fraction
      motion.climb = (to - from) / leg.seconds
    }
    return motion
  }
}
