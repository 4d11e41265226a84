import FixLog
import GNSS
import Testing

@testable import TrackExport

/// What went wrong in other loggers.
@Suite("Loggers' troubles") struct LoggerCaseTests {
  private let start = Coordinate(latitude: -49.3416667, longitude: 70.2208333)

  private struct Point {
    var second: Double
    /// Metres north of the start.
    var north = 0.0
    var accuracy = 3.0
    var speed: Double?
  }

  private func records(_ points: [Point]) -> [LogRecord] {
    points.map { point in
      var fix = Fix()
      fix.time = UTCTime(microseconds: 1_800_000_000_000_000 + Int64(point.second * 1e6))
      fix.mode = .threeD
      fix.position = start.destination(bearing: 0, distance: point.north)
      (fix.horizontalAccuracy, fix.speed) = (point.accuracy, point.speed)
      return .fix(fix)
    }
  }

  /// What passes a filter and a thinner.
  private func kept(
    _ points: [Point], filter: RecordFilter = RecordFilter(), distance: Double
  ) -> [LogRecord] {
    var pipeline = TrackPipeline(thinner: TrackThinner(distanceMin: distance, period: nil))
    var kept: [LogRecord] = []
    for record in records(points) where filter.admits(record) {
      pipeline.add(record) { record, _ in kept.append(record) }
    }
    return kept
  }

  private func seconds(_ records: [LogRecord]) -> [Double] {
    records.compactMap { record in
      record.time.map { Double($0.microseconds - 1_800_000_000_000_000) / 1e6 }
    }
  }

  @Test("a fix that is refused for its accuracy is nothing to measure distances from")
  func refusedFirst() {
    var filter = RecordFilter()
    filter.accuracyMax = 5
    let points = [
      Point(second: 0, accuracy: 6), Point(second: 1, north: 0.5), Point(second: 2, north: 1),
      Point(second: 10, north: 30),
    ]
    #expect(seconds(kept(points, filter: filter, distance: 10)) == [1, 10])
  }

  @Test("where and when a journey came to rest is kept though it is near to the fix before")
  func stop() throws {
    var points = (0...4).map { Point(second: Double($0) * 10, north: Double($0) * 40, speed: 4) }
    points.append(Point(second: 50, north: 170, speed: 1.5))
    points += (6...20).map { Point(second: Double($0) * 10, north: 172, speed: 0.05) }
    let found = kept(points, distance: 30)
    #expect(seconds(found) == [0, 10, 20, 30, 40, 60])
  }

  @Test("a clock that goes back begins a segment, and one that repeats itself is not divided by")
  func times() {
    let points = [0, 1, 2, 3, 1, 2, 3, 3, 3, 4].enumerated().map {
      Point(second: Double($0.element), north: Double($0.offset) * 5)
    }
    var (statistics, segmenter) = (TrackStatistics(), Segmenter())
    for record in records(points) {
      statistics.add(record, startsSegment: segmenter.startsSegment(record))
    }
    #expect(statistics.segmentCount == 2 && statistics.recorded == .seconds(6))
    #expect(statistics.distance < 46)
    let gpx = document(GPXWriter(), records(points))
    let segments = gpx.components(between: "<trkseg>", and: "</trkseg>")
    #expect(segments.map { $0.components(between: "<time>", and: "</time>").count } == [4, 4])
  }

  @Test("tenths stay, points are points, what is not known is left out")
  func formats() {
    var (first, second) = (Fix(), Fix())
    first.time = UTCTime(iso8601: "2026-10-14T23:45:10.2Z")
    second.time = UTCTime(iso8601: "2026-10-14T23:45:10.4Z")
    (first.mode, second.mode) = (.threeD, .twoD)
    first.position = start
    second.position = Coordinate(latitude: -49.34167, longitude: 70.22084)
    (first.altitudeMSL, first.altitudeEllipsoid, first.speed) = (12.5, 60, 1.25)
    let records = [LogRecord.fix(first), .fix(second)]
    let rows = document(CSVWriter(), records).split(separator: "\n")
    #expect(rows.count == 3)
    #expect(Set(rows.map { $0.filter { $0 == "," }.count }) == [20])
    #expect(rows.last?.hasPrefix("2026-10-14T23:45:10.400Z,2,,-49.34167,70.22084,,,,,") == true)
    let gpx = document(GPXWriter(), records)
    #expect(gpx.components(between: "<ele>", and: "</ele>") == ["12.5"])
    let geojson = document(GeoJSONWriter(), records)
    #expect(
      geojson.contains("[[70.2208333,-49.3416667,60],[70.22084,-49.34167]]"), "\(geojson)")
    let nmea = document(NMEAWriter(), records).split(separator: "\r\n")
    let gga = nmea.filter { $0.contains("GGA,") }.map { $0.split(separator: ",", maxSplits: 20) }
    #expect(nmea.contains { $0.contains("RMC,234510.20,A,") && $0.contains(",141026,") })
    #expect(gga.count == 2)
  }
}
