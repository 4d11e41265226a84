import GNSS

/// Cuts a path where it crosses 180 degrees of longitude, as maps in the plane need it.
enum Antimeridian {
  /// One or more lines, each with longitudes that never jump by more than half a turn. Where the
  /// path crosses, both lines get a point on the meridian; its values are those of the point
  /// before, its place and time lie between.
  static func cut(_ points: [TrackSegment.Point]) -> [[TrackSegment.Point]] {
    var lines: [[TrackSegment.Point]] = []
    var line: [TrackSegment.Point] = []
    line.reserveCapacity(points.count)
    for point in points {
      if let last = line.last, let (end, start) = crossing(from: last, to: point) {
        lines.append(line + [end])
        line = [start]
      }
      line.append(point)
    }
    return lines + [line]
  }

  /// The ends of the two lines on the meridian; `nil` where the step does not cross it.
  private static func crossing(
    from: TrackSegment.Point, to: TrackSegment.Point
  ) -> (TrackSegment.Point, TrackSegment.Point)? {
    let step = to.position.longitude - from.position.longitude
    guard abs(step) > 180 else { return nil }
    let side: Double = from.position.longitude < 0 ? -180 : 180
    let whole = 360 - abs(step)
    let part = whole > 0 ? abs(side - from.position.longitude) / whole : 0
    var end = from
    end.position.latitude += (to.position.latitude - from.position.latitude) * part
    end.position.longitude = side
    if let first = from.time, let second = to.time {
      let share = (Double((second - first).wholeMicroseconds) * part).rounded()
      end.time = first + .microseconds(Int64(exactly: share) ?? 0)
    }
    end.altitudeMSL = between(from.altitudeMSL, to.altitudeMSL, part)
    end.altitudeEllipsoid = between(from.altitudeEllipsoid, to.altitudeEllipsoid, part)
    end.isLeapSecond = false
    var start = end
    start.position.longitude = -side
    return (end, start)
  }

  private static func between(_ first: Double?, _ second: Double?, _ part: Double) -> Double? {
    guard let first, let second else { return nil }
    return first + (second - first) * part
  }
}
