import GNSS

/// A stretch of one receiver's track without holes, or a part of one: what a format that names a
/// track's times, places and values in turn writes at once.
struct TrackSegment {
  /// What is kept of a fix while its segment is gathered.
  struct Point: Equatable {
    var position: Coordinate
    /// With `isLeapSecond`, second 60 of the day before.
    var time: UTCTime?
    var isLeapSecond = false
    var altitudeMSL: Double?
    var altitudeEllipsoid: Double?
    var speed: Double?
    var course: Double?
    var horizontalAccuracy: Double?
  }

  /// Longer segments are written in parts; each starts with the last point of the one before.
  static let pointCountMax = 4096

  var receiver: String
  /// One or more.
  var points: [Point]
}

/// Gathers points into segments.
struct SegmentCollector {
  private var state = TrackState()
  private var open: TrackSegment?

  /// Takes a point in.
  /// - Returns: The segment that is complete without it.
  mutating func add(_ point: TrackPoint, startsSegment: Bool) -> TrackSegment? {
    switch state.next(point, startsSegment: startsSegment) {
    case .dropped: return nil
    case .startsSegment, .startsTrack: return replace(by: [TrackSegment.Point(point)], of: point)
    case .continues:
      guard let segment = open, segment.points.count >= TrackSegment.pointCountMax else {
        open?.points.append(TrackSegment.Point(point))
        return nil
      }
      return replace(by: segment.points.suffix(1) + [TrackSegment.Point(point)], of: point)
    }
  }

  /// The last segment.
  mutating func finish() -> TrackSegment? {
    defer { open = nil }
    return open
  }

  private mutating func replace(
    by points: [TrackSegment.Point], of point: TrackPoint
  ) -> TrackSegment? {
    defer { open = TrackSegment(receiver: point.receiver, points: points) }
    return open
  }
}

extension TrackSegment.Point {
  init(_ point: TrackPoint) {
    let fix = point.fix
    self.init(
      position: point.position, time: fix.time, isLeapSecond: fix.isLeapSecond,
      altitudeMSL: fix.altitudeMSL, altitudeEllipsoid: fix.altitudeEllipsoid, speed: fix.speed,
      course: fix.course, horizontalAccuracy: fix.horizontalAccuracy)
  }
}
