import Bytes
import FixLog
import GNSS

/// GPX 1.1: a track for each receiver, a segment for each stretch without holes. Only fixes with a
/// position; within a segment the times increase. Events are waypoints.
///
/// Speed and course stand in Garmin's track point extension (version 2), the accuracies, climb and
/// carrier-phase status in the project's own. `ele` is above mean sea level and left out where that
/// height is not known. Schema: http://www.topografix.com/GPX/1/1/gpx.xsd
package struct GPXWriter: RecordWriter {
  private var track = TrackState()

  package init() {}

  package mutating func begin(to output: inout OutputBuffer) {
    output.append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="Binnacle" xmlns="http://www.topografix.com/GPX/1/1"
        xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
        xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2"
        xmlns:binnacle="urn:binnacle:gpx:1"
        xsi:schemaLocation="http://www.topografix.com/GPX/1/1 \
      http://www.topografix.com/GPX/1/1/gpx.xsd">

      """)
  }

  package mutating func write(
    _ record: LogRecord, startsSegment: Bool, to output: inout OutputBuffer
  ) {
    guard let point = TrackPoint(record) else { return }
    switch track.next(point, startsSegment: startsSegment) {
    case .dropped: return
    case .continues: break
    case .startsSegment: output.append("</trkseg>\n<trkseg>\n")
    case .startsTrack(let isFirst):
      if !isFirst { output.append("</trkseg></trk>\n") }
      output.append("<trk><name>")
      output.append(xml: point.receiver)
      output.append("</name>\n<trkseg>\n")
    }
    append(point, to: &output)
  }

  /// The schema wants all waypoints before the tracks.
  package mutating func write(_ event: PlacedEvent, to output: inout OutputBuffer) {
    guard let place = event.place, track.isEmpty else { return }
    output.append("<wpt")
    append(place, to: &output)
    if let time = event.time {
      output.append(open: "time")
      output.append(xmlTime: time, isLeapSecond: false)
      output.append(close: "time")
    }
    output.append(open: "name")
    output.append(event.event.kind.name)
    output.append(close: "name")
    if event.event.hasText {
      output.append(open: "desc")
      output.append(xml: event.text)
      output.append(close: "desc")
    }
    output.append("</wpt>\n")
  }

  package mutating func end(to output: inout OutputBuffer) {
    output.append(track.isEmpty ? "</gpx>\n" : "</trkseg></trk>\n</gpx>\n")
  }

  /// The elements of a point stand in the order of the schema.
  private func append(_ point: TrackPoint, to output: inout OutputBuffer) {
    let fix = point.fix
    output.append("<trkpt")
    append(point.position, to: &output)
    output.append(element: "ele", fix.altitudeMSL, decimals: 3)
    if let time = fix.time {
      output.append(open: "time")
      output.append(xmlTime: time, isLeapSecond: fix.isLeapSecond)
      output.append(close: "time")
    }
    let variation = fix.magneticVariation.map { $0 < 0 ? $0 + 360 : $0 }
    output.append(
      element: "magvar", variation.map { Bearing.rounded($0, decimals: 2) }, decimals: 2)
    output.append(element: "geoidheight", fix.geoidSeparation, decimals: 3)
    output.append(open: "fix")
    output.append(Self.kind(of: fix))
    output.append(close: "fix")
    output.append(element: "sat", fix.satellitesUsed.map { Double($0) }, decimals: 0)
    output.append(element: "hdop", fix.dop.horizontal, decimals: 2)
    output.append(element: "vdop", fix.dop.vertical, decimals: 2)
    output.append(element: "pdop", fix.dop.position, decimals: 2)
    output.append(element: "ageofdgpsdata", fix.differentialAge, decimals: 3)
    if let station = fix.differentialStation, (0...1023).contains(station) {
      output.append(element: "dgpsid", Double(station), decimals: 0)
    }
    appendExtensions(of: fix, to: &output)
    output.append("</trkpt>\n")
  }

  private func append(_ place: Coordinate, to output: inout OutputBuffer) {
    output.append(#" lat=""#)
    output.append(trimmed: place.latitude, decimals: 9)
    output.append(#"" lon=""#)
    // The schema excludes the longitude of 180 degrees east, which is that of 180 degrees west.
    output.append(trimmed: place.longitude >= 180 ? -180 : place.longitude, decimals: 9)
    output.append("\">")
  }

  private func appendExtensions(of fix: Fix, to output: inout OutputBuffer) {
    let start = output.count
    output.append("<extensions>")
    let empty = output.count
    if fix.speed != nil || fix.course != nil {
      output.append("<gpxtpx:TrackPointExtension>")
      output.append(element: "gpxtpx:speed", fix.speed, decimals: 3)
      output.append(
        element: "gpxtpx:course", fix.course.map { Bearing.rounded($0, decimals: 5) }, decimals: 5)
      output.append("</gpxtpx:TrackPointExtension>")
    }
    output.append(element: "binnacle:climb", fix.climb, decimals: 3)
    output.append(element: "binnacle:eph", fix.horizontalAccuracy, decimals: 3)
    output.append(element: "binnacle:epv", fix.verticalAccuracy, decimals: 3)
    output.append(element: "binnacle:eps", fix.speedAccuracy, decimals: 3)
    output.append(element: "binnacle:epd", fix.courseAccuracy, decimals: 5)
    if let status = fix.status.name {
      output.append("<binnacle:status>")
      output.append(status)
      output.append("</binnacle:status>")
    }
    if output.count == empty {
      output.truncate(to: start)
    } else {
      output.append("</extensions>")
    }
  }

  /// One of the words of the schema's `fixType`.
  private static func kind(of fix: Fix) -> StaticString {
    switch (fix.status, fix.mode) {
    case (.pps, _): "pps"
    case (.dgps, _), (.rtkFixed, _), (.rtkFloat, _): "dgps"
    case (_, .threeD): "3d"
    case (_, .twoD): "2d"
    case (_, .none), (_, .unknown): "none"
    }
  }
}
