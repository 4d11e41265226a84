import Bytes
import FixLog

/// KML 2.2: for each segment a `gx:Track` with times, speeds and accuracies, and the same path as a
/// `LineString` for viewers that do not know the extension. Heights are above mean sea level and
/// given where every point of the segment has one. Events are placemarks.
package struct KMLWriter: RecordWriter {
  private var collector = SegmentCollector()

  package init() {}

  package mutating func begin(to output: inout OutputBuffer) {
    output.append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
      <Document><name>Binnacle</name>
      <Style id="path"><LineStyle><color>ff0055ff</color><width>3</width></LineStyle></Style>
      <Schema id="values">
      <gx:SimpleArrayField name="speed" type="float"><displayName>Speed (m/s)</displayName>\
      </gx:SimpleArrayField>
      <gx:SimpleArrayField name="eph" type="float"><displayName>Accuracy (m, 68 %)</displayName>\
      </gx:SimpleArrayField>
      </Schema>

      """)
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
    output.append("<Placemark><name>")
    output.append(event.event.kind.name)
    output.append("</name>")
    if event.event.hasText {
      output.append(open: "description")
      output.append(xml: event.text)
      output.append(close: "description")
    }
    if let time = event.time {
      output.append("<TimeStamp><when>")
      output.append(xmlTime: time, isLeapSecond: false)
      output.append("</when></TimeStamp>")
    }
    if let place = event.place {
      output.append("<Point><coordinates>")
      output.append(trimmed: place.longitude, decimals: 9)
      output.append(byte: UInt8(ascii: ","))
      output.append(trimmed: place.latitude, decimals: 9)
      output.append("</coordinates></Point>")
    }
    output.append("</Placemark>\n")
  }

  package mutating func end(to output: inout OutputBuffer) {
    if let segment = collector.finish() { append(segment, to: &output) }
    output.append("</Document>\n</kml>\n")
  }

  private func append(_ segment: TrackSegment, to output: inout OutputBuffer) {
    let hasHeights = segment.points.allSatisfy { $0.altitudeMSL != nil }
    let mode: StaticString =
      hasHeights
      ? "<altitudeMode>absolute</altitudeMode>\n" : "<altitudeMode>clampToGround</altitudeMode>\n"
    if segment.points.allSatisfy({ $0.time != nil }) {
      appendHead(of: segment, to: &output)
      appendTrack(segment, mode: mode, hasHeights: hasHeights, to: &output)
      output.append("</Placemark>\n")
    }
    appendHead(of: segment, to: &output)
    output.append("<LineString>")
    output.append(hasHeights ? "" : "<tessellate>1</tessellate>")
    output.append(mode)
    output.append("<coordinates>\n")
    for point in segment.points {
      append(point, separator: ",", hasHeights: hasHeights, to: &output)
      output.append(byte: UInt8(ascii: "\n"))
    }
    output.append("</coordinates></LineString>\n</Placemark>\n")
  }

  private func appendHead(of segment: TrackSegment, to output: inout OutputBuffer) {
    output.append("<Placemark><name>")
    output.append(xml: segment.receiver)
    output.append("</name><styleUrl>#path</styleUrl>\n")
  }

  /// The schema wants all times before all places, and those before the values.
  private func appendTrack(
    _ segment: TrackSegment, mode: StaticString, hasHeights: Bool, to output: inout OutputBuffer
  ) {
    output.append("<gx:Track>")
    output.append(mode)
    for point in segment.points {
      guard let time = point.time else { continue }
      output.append(open: "when")
      output.append(xmlTime: time, isLeapSecond: point.isLeapSecond)
      output.append("</when>\n")
    }
    for point in segment.points {
      output.append(open: "gx:coord")
      append(point, separator: " ", hasHeights: hasHeights, to: &output)
      output.append("</gx:coord>\n")
    }
    output.append("<ExtendedData><SchemaData schemaUrl=\"#values\">\n")
    append(values: \.speed, of: segment, named: "speed", to: &output)
    append(values: \.horizontalAccuracy, of: segment, named: "eph", to: &output)
    output.append("</SchemaData></ExtendedData>\n</gx:Track>\n")
  }

  /// An array has a value for every point or does not exist.
  private func append(
    values: KeyPath<TrackSegment.Point, Double?>, of segment: TrackSegment,
    named name: StaticString,
    to output: inout OutputBuffer
  ) {
    guard segment.points.allSatisfy({ $0[keyPath: values] != nil }) else { return }
    output.append("<gx:SimpleArrayData name=\"")
    output.append(name)
    output.append("\">\n")
    for point in segment.points {
      output.append(element: "gx:value", point[keyPath: values], decimals: 3)
      output.append(byte: UInt8(ascii: "\n"))
    }
    output.append("</gx:SimpleArrayData>\n")
  }

  /// Longitude, latitude and, with `hasHeights`, the height.
  private func append(
    _ point: TrackSegment.Point, separator: Unicode.Scalar, hasHeights: Bool,
    to output: inout OutputBuffer
  ) {
    output.append(trimmed: point.position.longitude, decimals: 9)
    output.append(byte: UInt8(ascii: separator))
    output.append(trimmed: point.position.latitude, decimals: 9)
    guard hasHeights, let altitude = point.altitudeMSL else { return }
    output.append(byte: UInt8(ascii: separator))
    output.append(trimmed: altitude, decimals: 3)
  }
}
