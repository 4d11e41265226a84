import Bytes
import FixLog
import GNSS

/// GeoJSON (RFC 7946): a feature for each segment. A path that crosses the antimeridian is cut
/// there (3.1.9); a lone fix is a point. The third number of a position is the height above the
/// ellipsoid (4), left out where it is not known. Times and values of the points stand in
/// `coordinateProperties`, nested as the coordinates are. Events are points, too; one whose place
/// is not known has no geometry (3.2).
package struct GeoJSONWriter: RecordWriter {
  private var collector = SegmentCollector()
  private var isFirst = true

  package init() {}

  package mutating func begin(to output: inout OutputBuffer) {
    output.append("{\"type\":\"FeatureCollection\",\"features\":[\n")
  }

  package mutating func write(
    _ record: LogRecord, startsSegment: Bool, to output: inout OutputBuffer
  ) {
    guard let point = TrackPoint(record),
      let segment = collector.add(point, startsSegment: startsSegment)
    else { return }
    append(segment, to: &output)
  }

  package mutating func write(_ event: PlacedEvent, to output: inout OutputBuffer) {
    output.append(isFirst ? "" : ",\n")
    isFirst = false
    output.append(#"{"type":"Feature","geometry":"#)
    if let place = event.place {
      output.append(#"{"type":"Point","coordinates":["#)
      output.append(trimmed: place.longitude, decimals: 9)
      output.append(byte: UInt8(ascii: ","))
      output.append(trimmed: place.latitude, decimals: 9)
      output.append("]}")
    } else {
      output.append("null")
    }
    output.append(#","properties":{"type":"event""#)
    output.append(membersOf: event.event, event.record)
    output.append("}}")
  }

  package mutating func end(to output: inout OutputBuffer) {
    if let segment = collector.finish() { append(segment, to: &output) }
    output.append(isFirst ? "]}\n" : "\n]}\n")
  }

  private mutating func append(_ segment: TrackSegment, to output: inout OutputBuffer) {
    output.append(isFirst ? "" : ",\n")
    isFirst = false
    let lines = Antimeridian.cut(segment.points)
    output.append(#"{"type":"Feature","geometry":{"type":""#)
    output.append(
      segment.points.count == 1 ? "Point" : lines.count == 1 ? "LineString" : "MultiLineString")
    output.append(#"","coordinates":"#)
    append(lines, isPoint: segment.points.count == 1, to: &output) {
      Self.append(place: $0, to: &$1)
    }
    output.append(#"},"properties":{"receiver":"#)
    output.append(jsonString: segment.receiver)
    output.append(#","coordinateProperties":{"times":"#)
    append(lines, isPoint: segment.points.count == 1, to: &output) {
      Self.append(time: $0, to: &$1)
    }
    append(lines, of: segment, \.speed, named: "speed", decimals: 3, to: &output)
    append(lines, of: segment, \.course, named: "track", decimals: 5, to: &output)
    append(lines, of: segment, \.horizontalAccuracy, named: "eph", decimals: 3, to: &output)
    output.append("}}}")
  }

  /// The values of one kind, unless none is known.
  private func append(
    _ lines: [[TrackSegment.Point]], of segment: TrackSegment,
    _ value: KeyPath<TrackSegment.Point, Double?>, named name: StaticString, decimals: Int,
    to output: inout OutputBuffer
  ) {
    guard segment.points.contains(where: { $0[keyPath: value] != nil }) else { return }
    output.append(member: name)
    append(lines, isPoint: segment.points.count == 1, to: &output) { point, output in
      guard let number = point[keyPath: value], number.isFinite else {
        return output.append("null")
      }
      output.append(trimmed: number, decimals: decimals)
    }
  }

  /// One element for each point, in as many arrays as the geometry has.
  private func append(
    _ lines: [[TrackSegment.Point]], isPoint: Bool, to output: inout OutputBuffer,
    element: (TrackSegment.Point, inout OutputBuffer) -> Void
  ) {
    if lines.count > 1 { output.append(byte: UInt8(ascii: "[")) }
    for (index, line) in lines.enumerated() {
      if index > 0 { output.append(byte: UInt8(ascii: ",")) }
      if !isPoint { output.append(byte: UInt8(ascii: "[")) }
      for (index, point) in line.enumerated() {
        if index > 0 { output.append(byte: UInt8(ascii: ",")) }
        element(point, &output)
      }
      if !isPoint { output.append(byte: UInt8(ascii: "]")) }
    }
    if lines.count > 1 { output.append(byte: UInt8(ascii: "]")) }
  }

  private static func append(place point: TrackSegment.Point, to output: inout OutputBuffer) {
    output.append(byte: UInt8(ascii: "["))
    output.append(trimmed: point.position.longitude, decimals: 9)
    output.append(byte: UInt8(ascii: ","))
    output.append(trimmed: point.position.latitude, decimals: 9)
    if let altitude = point.altitudeEllipsoid, altitude.isFinite {
      output.append(byte: UInt8(ascii: ","))
      output.append(trimmed: altitude, decimals: 3)
    }
    output.append(byte: UInt8(ascii: "]"))
  }

  private static func append(time point: TrackSegment.Point, to output: inout OutputBuffer) {
    guard let time = point.time else { return output.append("null") }
    output.append(byte: UInt8(ascii: "\""))
    output.append(xmlTime: time, isLeapSecond: point.isLeapSecond)
    output.append(byte: UInt8(ascii: "\""))
  }
}
