import Bytes
import FixLog
import GNSS

/// One page that needs nothing else: the track on a map that can be moved and magnified, the values
/// over time, what happened, and what it adds up to.
///
/// The data are lines of text in the page; its script draws them. `r` begins a receiver and `e` is
/// an event, both with JSON behind; `s` begins a segment. All else is a fix: milliseconds, latitude
/// and longitude (1e-7 degrees) as differences to the fix before, then altitude (dm), speed (cm/s),
/// accuracy (cm, 68 %) and satellites used, empty where not known.
package struct HTMLWriter: RecordWriter {
  private let tiles: String?
  private var statistics = TrackStatistics()
  private var track = TrackState()
  private var last = Row(milliseconds: 0, latitude: 0, longitude: 0)

  private struct Row {
    var milliseconds: Int64
    /// 1e-7 degrees.
    var latitude: Int64
    var longitude: Int64
  }

  /// - Parameter tiles: The address of a background, with `{z}`, `{x}` and `{y}` where the numbers
  ///   of a tile belong. Without one the page may not use the network.
  package init(tiles: String? = nil) { self.tiles = tiles }

  package mutating func begin(to output: inout OutputBuffer) {
    output.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n")
    output.append("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ")
    output.append("style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src ")
    output.append(tiles == nil ? "'none'" : "http: https: file: data:")
    output.append("\">\n<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n")
    output.append("<title>Binnacle</title>\n<style>\n")
    output.append(HTMLPage.style)
    output.append("</style></head>\n")
    output.append(HTMLPage.body)
    output.append("<script type=\"text/plain\" id=\"data\">\n")
  }

  package mutating func write(
    _ record: LogRecord, startsSegment: Bool, to output: inout OutputBuffer
  ) {
    statistics.add(record, startsSegment: startsSegment)
    guard let point = TrackPoint(record) else { return }
    switch track.next(point, startsSegment: startsSegment) {
    case .dropped: return
    case .continues: break
    case .startsSegment: output.append("s\n")
    case .startsTrack:
      output.append(byte: UInt8(ascii: "r"))
      output.append(script: point.receiver)
      output.append(byte: UInt8(ascii: "\n"))
      last = Row(milliseconds: 0, latitude: 0, longitude: 0)
    }
    append(point, to: &output)
  }

  package mutating func write(_ event: PlacedEvent, to output: inout OutputBuffer) {
    statistics.add(event.record, startsSegment: false)
    output.append(#"e{"kind":""#)
    output.append(event.event.kind.name)
    output.append(#"","text":"#)
    output.append(script: event.text)
    if let time = event.time { output.append(member: "t", Int(time.microseconds / 1000)) }
    if case .text(let reason)? = event.event[.reason] {
      output.append(member: "reason")
      output.append(script: reason)
    }
    if case .text(let receiver)? = event.event[.receiver] {
      output.append(member: "receiver")
      output.append(script: receiver)
    }
    output.append(member: "lat", event.place?.latitude, decimals: 7)
    output.append(member: "lon", event.place?.longitude, decimals: 7)
    output.append("}\n")
  }

  package mutating func end(to output: inout OutputBuffer) {
    output.append("</script>\n<script type=\"application/json\" id=\"summary\">{\"fixes\":")
    output.append(decimal: statistics.fixCount)
    output.append(member: "segments", statistics.segmentCount)
    output.append(member: "distance", statistics.distance, decimals: 1)
    output.append(member: "recorded", statistics.recorded.inSeconds, decimals: 1)
    output.append(member: "moving", statistics.moving.inSeconds, decimals: 1)
    output.append(member: "speedMax", statistics.speedMax, decimals: 2)
    output.append(member: "low", statistics.altitudes?.lowerBound, decimals: 1)
    output.append(member: "high", statistics.altitudes?.upperBound, decimals: 1)
    output.append(member: "joules", statistics.energy, decimals: 1)
    if let tiles {
      output.append(member: "tiles")
      output.append(script: tiles)
    }
    output.append("}</script>\n<script>\n\"use strict\";\n")
    output.append(HTMLPage.data)
    output.append(HTMLPage.map)
    output.append(HTMLPage.plots)
    output.append(HTMLPage.controls)
    output.append("</script></body></html>\n")
  }

  private mutating func append(_ point: TrackPoint, to output: inout OutputBuffer) {
    let fix = point.fix
    let row = Row(
      milliseconds: fix.time.map { $0.microseconds / 1000 } ?? last.milliseconds,
      latitude: Int64((point.position.latitude * 1e7).rounded()),
      longitude: Int64((point.position.longitude * 1e7).rounded()))
    output.append(decimal: row.milliseconds - last.milliseconds)
    output.append(byte: UInt8(ascii: ","))
    output.append(decimal: row.latitude - last.latitude)
    output.append(byte: UInt8(ascii: ","))
    output.append(decimal: row.longitude - last.longitude)
    last = row
    append((fix.altitudeMSL ?? fix.altitudeEllipsoid).map { $0 * 10 }, to: &output)
    append(fix.speed.map { $0 * 100 }, to: &output)
    append(fix.horizontalAccuracy.map { $0 * 100 }, to: &output)
    append(fix.satellitesUsed.map { Double($0) }, to: &output)
    output.append(byte: UInt8(ascii: "\n"))
  }

  private func append(_ value: Double?, to output: inout OutputBuffer) {
    output.append(byte: UInt8(ascii: ","))
    if let number = value.flatMap({ Int64(exactly: $0.rounded()) }) {
      output.append(decimal: number)
    }
  }
}

extension OutputBuffer {
  /// A JSON string that cannot end the script element it stands in.
  fileprivate mutating func append(script text: String) {
    var json = OutputBuffer()
    json.append(jsonString: text)
    for byte in json.bytes {
      if byte == UInt8(ascii: "<") { append("\\u003c") } else { append(byte: byte) }
    }
  }
}
