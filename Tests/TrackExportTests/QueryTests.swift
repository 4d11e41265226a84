import FixLog
import GNSS
import Testing

@testable import TrackExport

@Suite("Areas and filters") struct RecordFilterTests {
  @Test("a circle and a box hold their edges, also across the antimeridian and at a pole")
  func areas() {
    let date = MapArea.box(south: -20, west: 179, north: -10, east: -179)
    #expect(date.contains(Coordinate(latitude: -15, longitude: 180)))
    #expect(date.contains(Coordinate(latitude: -20, longitude: -179)))
    #expect(!date.contains(Coordinate(latitude: -15, longitude: 0)))
    let pole = MapArea.circle(centre: Coordinate(latitude: 89.99, longitude: 0), radius: 3000)
    #expect(pole.contains(Coordinate(latitude: 89.99, longitude: 180)))
    #expect(!pole.contains(Coordinate(latitude: 89.9, longitude: 180)))
    // 0.001 degrees of longitude on the equator are 111.32 m.
    let centre = Coordinate(latitude: 0, longitude: 179.9995)
    let east = Coordinate(latitude: 0, longitude: -179.9995)
    #expect(MapArea.circle(centre: centre, radius: 111.4).contains(east))
    #expect(!MapArea.circle(centre: centre, radius: 111.2).contains(east))
  }

  @Test("a fix without accuracy or position passes no condition on them; events always do")
  func unknown() {
    var filter = RecordFilter()
    let bare = LogRecord.fix(at: "2026-10-14T05:00:00Z")
    let event = LogRecord.event(.attach, at: "2026-10-14T05:00:00Z")
    #expect(filter.admits(bare))
    filter.accuracyMax = 10
    #expect(!filter.admits(bare) && filter.admits(.fix(.sample)) && filter.admits(event))
    filter.accuracyMax = nil
    filter.areas = [.circle(centre: Coordinate(latitude: 0, longitude: 0), radius: 1e8)]
    #expect(!filter.admits(.fix(Fix())) && filter.admits(bare) && filter.admits(event))
  }
}

@Suite("Thinning") struct TrackThinnerTests {
  /// Which of fixes, a second and so many metres north of each other, are kept.
  private func kept(_ thinner: TrackThinner, metres: Double, count: Int) -> [Int] {
    var thinner = thinner
    return (0..<count).filter { index in
      let place = Coordinate(latitude: 10, longitude: 20)
        .destination(bearing: 0, distance: metres * Double(index))
      var fix = Fix.sample
      fix.time = UTCTime(seconds: 1_800_000_000 + Int64(index))
      (fix.position, fix.speed) = (place, metres)
      return thinner.keep(.fix(fix), startsSegment: index == 0) != nil
    }
  }

  @Test("distance and time count from the last fix kept")
  func steps() {
    #expect(
      kept(TrackThinner(distanceMin: 25, period: nil), metres: 10, count: 8) == [0, 3, 6])
    #expect(
      kept(TrackThinner(distanceMin: nil, period: .seconds(4)), metres: 10, count: 9) == [0, 4, 8])
    #expect(
      kept(TrackThinner(distanceMin: 25, period: .seconds(4)), metres: 10, count: 9) == [0, 4, 8])
  }

  @Test("a stop is kept among fixes thinned out by distance; a period is a period")
  func stop() {
    let speeds: [Double] = [10, 10, 10, 0, 0]
    func kept(_ thinner: TrackThinner) -> [Int] {
      var thinner = thinner
      return speeds.indices.filter { index in
        var fix = Fix.sample
        (fix.time, fix.speed) = (UTCTime(seconds: 1_800_000_000 + Int64(index)), speeds[index])
        return thinner.keep(.fix(fix), startsSegment: index == 0) != nil
      }
    }
    #expect(kept(TrackThinner(distanceMin: 1000, period: nil)) == [0, 3])
    #expect(kept(TrackThinner(distanceMin: nil, period: .seconds(60))) == [0])
  }

  @Test("the fix that starts a segment is kept, or hands its mark on")
  func segments() {
    var thinner = TrackThinner(distanceMin: 1000, period: nil)
    #expect(thinner.keep(.fix(.sample), startsSegment: true) == true)
    #expect(thinner.keep(.fix(.sample), startsSegment: false) == nil)
    #expect(thinner.keep(.fix(.sample), startsSegment: true) == true)
  }
}

@Suite("Events in tracks") struct EventPlacesTests {
  @Test("an event is where the last fix was, or else the first")
  func places() {
    var places = EventPlaces()
    var found: [(EventKind, Double?)] = []
    let emit = { (record: LogRecord, place: Coordinate?) in
      guard case .event(let event) = record.content else { return }
      found.append((event.kind, place?.latitude))
    }
    places.add(.event(.sessionStart, at: "2026-10-14T05:00:00Z"), emit: emit)
    places.add(.fix(at: "2026-10-14T05:00:01Z", 1), emit: emit)
    places.add(.fix(at: "2026-10-14T05:00:02Z", 2), emit: emit)
    places.add(.event(.detach, at: "2026-10-14T05:00:03Z"), emit: emit)
    places.finish(emit: emit)
    #expect(found.map(\.0) == [.sessionStart, .detach] && found.map(\.1) == [1, 2])
  }

  @Test("GPX has waypoints before tracks, KML placemarks, GeoJSON features; text is escaped")
  func formats() throws {
    let record = LogRecord.event(
      .attach, at: "2026-10-14T05:00:00Z", [.init(.node, .text("a<b & \"c\""))])
    let placed = try #require(
      PlacedEvent(record, at: Coordinate(latitude: 1, longitude: 180)))
    let lost = try #require(PlacedEvent(record, at: nil))
    func events(_ writer: some RecordWriter) -> String {
      var writer = writer
      return written {
        writer.begin(to: &$0)
        writer.write(placed, to: &$0)
        writer.write(lost, to: &$0)
        writer.end(to: &$0)
      }
    }
    let gpx = events(GPXWriter())
    #expect(
      gpx.components(between: "<wpt", and: "</wpt>\n") == [
        #" lat="1" lon="-180"><time>2026-10-14T05:00:00.000Z</time><name>attach</name>"#
          + "<desc>node a&lt;b &amp; &quot;c&quot;</desc>"
      ])
    let kml = events(KMLWriter())
    #expect(kml.components(between: "<Placemark>", and: "</Placemark>").count == 2)
    #expect(kml.components(between: "<coordinates>", and: "</coordinates>") == ["180,1"])
    for text in [gpx, kml] { #expect(XMLBalance.problem(in: text) == nil) }
    let json = events(GeoJSONWriter())
    #expect(json.contains(#""geometry":{"type":"Point","coordinates":[180,1]},"#))
    #expect(json.contains(#""geometry":null,"properties":{"type":"event","event":"attach","#))
  }
}
