import Bytes
import FixLog
import GNSS
import Testing

@testable import TrackExport

@Suite("GeoJSON") struct GeoJSONWriterTests {
  @Test("a segment is a line, with what is known of its points")
  func line() throws {
    var bare = LogRecord.fix(at: "2026-10-14T05:06:08Z", -49.5, 70)
    bare.boottime = .zero
    #expect(
      document(GeoJSONWriter(), [.fix(.sample), bare]) == """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","geometry":{"type":"LineString","coordinates":\
        [[70.220833333,-49.341666667,553.325],[70,-49.5]]},\
        "properties":{"receiver":"u-blox 8","coordinateProperties":{"times":\
        ["2026-10-14T05:06:07.250Z","2026-10-14T05:06:08.000Z"],\
        "speed":[1.25,null],"track":[120.5,null],"eph":[2.5,null]}}}
        ]}

        """)
  }

  @Test("a lone fix is a point, no fix an empty collection")
  func few() {
    #expect(
      document(GeoJSONWriter(), [.fix(at: "2026-10-14T05:06:08Z", 1, 2)]) == """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","geometry":{"type":"Point","coordinates":[2,1]},\
        "properties":{"receiver":"u-blox 8","coordinateProperties":{"times":\
        "2026-10-14T05:06:08.000Z"}}}
        ]}

        """)
    #expect(
      document(GeoJSONWriter(), []) == "{\"type\":\"FeatureCollection\",\"features\":[\n]}\n")
  }

  @Test("a path across the antimeridian is cut there")
  func antimeridian() {
    let text = document(
      GeoJSONWriter(),
      [
        .fix(at: "2026-10-14T05:00:00Z", -17, 179.75),
        .fix(at: "2026-10-14T05:00:04Z", -16, -179.25),
        .fix(at: "2026-10-14T05:00:08Z", -16, -179.25),
      ])
    #expect(
      text.contains(
        #""type":"MultiLineString","coordinates":"#
          + "[[[179.75,-17],[180,-16.75]],[[-180,-16.75],[-179.25,-16],[-179.25,-16]]]"))
    #expect(
      text.contains(
        #"[["2026-10-14T05:00:00.000Z","2026-10-14T05:00:01.000Z"],["2026-10-14T05:00:01.000Z","#))
  }

  @Test("is one JSON value when it ends after any record")
  func interrupted() throws {
    let records: [LogRecord] = [
      .event(.attach, at: "2026-10-14T05:00:00Z"), .fix(at: "2026-10-14T05:00:00Z", 0, 180),
      .fix(at: "2026-10-14T05:00:01Z", 0, -180), .fix(at: "2026-10-14T06:00:00Z"),
      .fix(
        at: "2026-10-14T06:00:00Z", of: StreamDescriptor(receiverID: 2, name: "\"\n")),
    ]
    for count in 0...records.count {
      let text = document(GeoJSONWriter(), Array(records[..<count]))
      #expect(throws: Never.self) {
        try Array(text.utf8).withByteView { try JSONReader.value(of: $0) }
      }
    }
  }
}
