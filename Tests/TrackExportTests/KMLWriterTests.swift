import FixLog
import GNSS
import Testing

@testable import TrackExport

@Suite("KML") struct KMLWriterTests {
  /// Three points with heights, a hole, two of which one has none.
  static let records: [LogRecord] = [
    (0, 100.0), (1, 101), (2, 102), (60, 100), (61, nil),
  ].map { second, altitude in
    var fix = Fix.sample
    fix.time = fix.time.map { $0 + .seconds(second) }
    fix.altitudeMSL = altitude
    return .fix(fix)
  }

  @Test("in a track all times stand before all places")
  func order() throws {
    let tracks = document(KMLWriter(), Self.records).components(
      between: "<gx:Track>", and: "</gx:Track>")
    #expect(tracks.count == 2)
    let track = try #require(tracks.first)
    #expect(
      track.hasPrefix("<altitudeMode>absolute</altitudeMode>\n<when>2026-10-14T05:06:07.250Z"))
    #expect(
      track.components(between: "<gx:coord>", and: "</gx:coord>") == [
        "70.220833333 -49.341666667 100", "70.220833333 -49.341666667 101",
        "70.220833333 -49.341666667 102",
      ])
    let lastTime = try #require(track.ranges(of: "<when>").last)
    let firstPlace = try #require(track.firstRange(of: "<gx:coord>"))
    #expect(lastTime.upperBound < firstPlace.lowerBound)
  }

  @Test("the path is a line, too; without every height it lies on the ground")
  func lines() {
    let text = document(KMLWriter(), Self.records)
    #expect(
      text.components(between: "<LineString>", and: "</LineString>") == [
        "<altitudeMode>absolute</altitudeMode>\n<coordinates>\n"
          + "70.220833333,-49.341666667,100\n70.220833333,-49.341666667,101\n"
          + "70.220833333,-49.341666667,102\n</coordinates>",
        "<tessellate>1</tessellate><altitudeMode>clampToGround</altitudeMode>\n<coordinates>\n"
          + "70.220833333,-49.341666667\n70.220833333,-49.341666667\n</coordinates>",
      ])
  }

  @Test("is well-formed when it ends after any record")
  func interrupted() {
    for count in 0...Self.records.count {
      let text = document(KMLWriter(), Array(Self.records[..<count]))
      #expect(XMLBalance.problem(in: text) == nil)
    }
  }

  @Test("a long segment is written in parts that share a point")
  func parts() {
    let count = TrackSegment.pointCountMax + 2
    let records = (0..<count).map { second in
      var fix = Fix.sample
      fix.time = fix.time.map { $0 + .seconds(second) }
      return LogRecord.fix(fix)
    }
    let tracks = document(KMLWriter(), records).components(
      between: "<gx:Track>", and: "</gx:Track>")
    let times = tracks.map { $0.components(between: "<when>", and: "</when>") }
    #expect(times.map(\.count) == [TrackSegment.pointCountMax, 3])
    #expect(times.first?.last == times.last?.first)
  }
}
