import FixLog
import GNSS
import Testing

@testable import TrackExport

@Suite("GPX") struct GPXWriterTests {
  @Test("the elements of a point stand in the schema's order")
  func point() {
    #expect(
      document(GPXWriter(), [.fix(.sample)]).contains(
        """
        <trk><name>u-blox 8</name>
        <trkseg>
        <trkpt lat="-49.341666667" lon="70.220833333"><ele>512.118</ele>\
        <time>2026-10-14T05:06:07.250Z</time><magvar>356.2</magvar>\
        <geoidheight>41.207</geoidheight><fix>dgps</fix><sat>7</sat><hdop>1.27</hdop>\
        <vdop>2.1</vdop><pdop>2.45</pdop><extensions><gpxtpx:TrackPointExtension>\
        <gpxtpx:speed>1.25</gpxtpx:speed><gpxtpx:course>120.5</gpxtpx:course>\
        </gpxtpx:TrackPointExtension><binnacle:climb>-0.1</binnacle:climb>\
        <binnacle:eph>2.5</binnacle:eph><binnacle:epv>4</binnacle:epv>\
        <binnacle:eps>0.3</binnacle:eps><binnacle:epd>12</binnacle:epd>\
        <binnacle:status>dgps</binnacle:status></extensions></trkpt>
        </trkseg></trk>
        </gpx>

        """))
  }

  @Test("unknown values have no elements")
  func bare() {
    #expect(
      document(GPXWriter(), [.fix(at: "2026-10-14T05:00:00Z", 0, 180)]).contains(
        #"<trkpt lat="0" lon="-180"><time>2026-10-14T05:00:00.000Z</time><fix>3d</fix></trkpt>"#))
  }

  @Test("within a segment times increase; a repeated instant is written once")
  func times() {
    let seconds = ["00", "01", "01", "02", "01", "02", "03"]
    let text = document(GPXWriter(), seconds.map { .fix(at: "2026-10-14T05:00:\($0)Z") })
    let segments = text.components(between: "<trkseg>", and: "</trkseg>")
    #expect(
      segments.map { $0.components(between: "<time>2026-10-14T05:00:", and: ".000Z") } == [
        ["00", "01", "02"], ["01", "02", "03"],
      ])
  }

  @Test("a leap second is written as the last millisecond before it")
  func leapSecond() {
    var fix = Fix.sample
    fix.time = UTCTime(iso8601: "2017-01-01T00:00:00.5Z")
    fix.isLeapSecond = true
    #expect(document(GPXWriter(), [.fix(fix)]).contains("<time>2016-12-31T23:59:59.999Z</time>"))
  }

  @Test("each receiver has its track; names cannot break the document")
  func receivers() {
    let other = StreamDescriptor(receiverID: 2, name: "a<b>&\"\u{0}")
    let text = document(
      GPXWriter(),
      [.fix(at: "2026-10-14T05:00:00Z"), .fix(at: "2026-10-14T05:00:01Z", of: other)])
    #expect(
      text.components(between: "<name>", and: "</name>") == [
        "u-blox 8", "a&lt;b&gt;&amp;&quot;\u{fffd}",
      ])
    #expect(XMLBalance.problem(in: text) == nil)
  }

  @Test("is well-formed when it ends after any record")
  func interrupted() {
    let records: [LogRecord] = [
      .event(.sessionStart, at: "2026-10-14T05:00:00Z"), .fix(Fix()),
      .fix(at: "2026-10-14T05:00:01Z"), .fix(at: "2026-10-14T05:09:01Z"), .fix(.sample),
    ]
    for count in 0...records.count {
      #expect(XMLBalance.problem(in: document(GPXWriter(), Array(records[..<count]))) == nil)
    }
  }
}
