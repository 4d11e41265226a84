import FixLog
import GNSS
import Glibc
import LinuxIO
import Testing

@testable import BinnacleCommand

/// The corpus's cases about loggers, as they are given there; those about filters are with the
/// daemon's tests, and every instant of a power cut is tried in `CrashTests`.
@Suite("Corpus cases of loggers") struct CorpusLogTests {
  /// What the program prints of the ring, in a place where numbers and times are written otherwise.
  private func dump(_ ring: TemporaryRing, _ format: String, _ more: [String] = []) throws -> String
  {
    let program = try #require(
      ChildProgram(
        binnacle: ["log-dump", "--log", ring.path, "--format", format] + more,
        variables: ["LANG=de_DE.UTF-8", "LC_ALL=de_DE.UTF-8", "TZ=America/St_Johns"]))
    let text = program.allLines().joined(separator: "\n")
    #expect(program.wait() == 0, "\(text)")
    return text
  }

  private func ring(_ points: [Fix], blockCount: Int? = nil) throws -> TemporaryRing {
    let ring = try TemporaryRing(blockCount: blockCount)
    ring.append(points)
    return ring
  }

  private func times(_ gpx: String) -> [UTCTime] {
    gpx.between("<time>", "</time>").compactMap { UTCTime(iso8601: String($0)) }
  }

  @Test("a power cut within a record costs that record")
  func cutRecord() throws {
    guard let found = try CorpusCase("LOG-01") else { return }
    let lists = try found.points()
    let ring = try ring(lists[0])
    try ring.cutPower(tearing: .olderSlot)
    ring.append(lists[1])
    let gpx = try dump(ring, "gpx")
    #expect(found.allows(Double(times(gpx).count), "points_recovered"))
    #expect(times(gpx).first == found.time("first_t") && times(gpx).last == found.time("last_t"))
    #expect(found.allows(Double(gpx.between("<trkseg>", "</trkseg>").count), "segments"))
    #expect(gpx.hasSuffix("</gpx>"))
  }

  @Test("a power cut while the oldest block is written over costs that block")
  func cutOldest() throws {
    guard let found = try CorpusCase("LOG-02") else { return }
    let points = try found.points()[0]
    // The smallest ring is larger than the case's: what is logged before makes it come round.
    let before = [4, 3, 2, 1].flatMap { hours in
      points.map { point in
        var fix = point
        fix.time = point.time.map { $0 + .seconds(-3600 * hours) }
        return fix
      }
    }
    let ring = try ring(before + points, blockCount: 3)
    try ring.cutPower(tearing: .oldestBlock)
    let rows = try dump(ring, "csv").split(separator: "\n").dropFirst()
    let times = rows.compactMap { UTCTime(iso8601: String($0.prefix { $0 != "," })) }
    #expect(times.count == rows.count && found.allows(Double(times.count), "points"))
    #expect(times.count < 5000, "the ring did not come round")
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    let tail = times.suffix(30)
    #expect(zip(tail, tail.dropFirst()).allSatisfy { $1 - $0 == .seconds(1) })
    let newest = found.expect["newest_t"]?["any_of"]?.array?.compactMap(\.string) ?? []
    #expect(newest.contains { UTCTime(iso8601: $0) == times.last })
  }

  @Test("a clock that goes back begins a segment")
  func clockBack() throws {
    guard let found = try CorpusCase("LOG-04") else { return }
    let gpx = try dump(ring(found.points()[0]), "gpx")
    #expect(found.allows(Double(times(gpx).count), "points_total"))
    #expect(times(gpx).last == found.time("last_t"))
    for segment in gpx.between("<trkseg>", "</trkseg>") {
      let times = times(String(segment))
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }
    #expect(!gpx.contains("inf") && !gpx.contains("nan"))
  }

  @Test("times that stand still are not divided by")
  func equalTimes() throws {
    guard let found = try CorpusCase("LOG-05") else { return }
    let ring = try ring(found.points()[0])
    let gpx = try dump(ring, "gpx")
    #expect(found.allows(Double(times(gpx).count), "points"))
    #expect(Set(times(gpx)).count == found.expect["distinct_times"]?.integer.map { Int($0) })
    let sums = try dump(ring, "csv", ["--stats"])
    #expect(!sums.contains("inf") && !sums.contains("nan") && !sums.contains("fastest"))
  }

  @Test("no format depends on the language and the zone")
  func formats() throws {
    guard let found = try CorpusCase("LOG-08") else { return }
    let ring = try ring(found.points()[0])
    let rows = try dump(ring, "csv").split(separator: "\n")
    #expect(rows.count == 3 && Set(rows.map { $0.filter { $0 == "," }.count }).count == 1)
    #expect(rows[2].hasPrefix("2026-10-14T23:45:10.400Z,2,,-49.34167,70.22084,,,,,"))
    let gpx = try dump(ring, "gpx")
    let expected = found.expect["gpx_times"]?.array?.compactMap(\.string) ?? []
    #expect(gpx.between("<time>", "</time>").map(String.init) == expected)
    #expect(gpx.between("<ele>", "</ele>") == ["12.5"])
    #expect(try dump(ring, "geojson").contains("[70.2208333,-49.3416667],[70.22084,-49.34167]"))
    #expect(try dump(ring, "kml").contains("70.2208333,-49.3416667"))
    let sentences = try dump(ring, "nmea").split { $0.isNewline }
    #expect(sentences.contains { $0.contains("RMC,234510.40,A,") && $0.contains(",141026,") })
    let heights = sentences.filter { $0.contains("GGA,") }
      .map { $0.split(separator: ",", omittingEmptySubsequences: false)[9] }
    #expect(heights.map { Double($0) } == [12.5, nil] && heights.last == "")
    for sentence in sentences {
      let (body, sum) = (sentence.dropFirst().prefix { $0 != "*" }, sentence.suffix(2))
      #expect(UInt8(sum, radix: 16) == body.utf8.reduce(0, ^))
    }
  }

  @Test("a track of KML has its times before its places, and a line beside it")
  func kml() throws {
    guard let found = try CorpusCase("LOG-09") else { return }
    let kml = try dump(ring(found.points()[0]), "kml")
    let track = try #require(kml.between("<gx:Track>", "</gx:Track>").first)
    let names = track.split(separator: "<").compactMap { tag -> String? in
      ["when>", "gx:coord>"].first { tag.hasPrefix($0) }.map { String($0.dropLast()) }
    }
    let order = found.expect["kml_gx_track_children_order"]?.array?.compactMap(\.string)
    #expect(names == order)
    #expect(
      String(track).between("<gx:coord>", "</gx:coord>").first.map(String.init)
        == found.expect["coord_first"]?.string)
    #expect(track.contains("<altitudeMode>absolute</altitudeMode>"))
    #expect(kml.contains("<LineString>"))
  }

  @Test("coordinates in NMEA are rounded once and have no sign")
  func coordinates() throws {
    guard let found = try CorpusCase("GPX-05") else { return }
    let points = found.input.between("<trkpt ", "</trkpt>").map { text in
      let numbers = String(text).between("=\"", "\"").compactMap { Double($0) }
      var fix = Fix()
      fix.mode = .twoD
      fix.time = String(text).between("<time>", "</time>").first.flatMap {
        UTCTime(iso8601: String($0))
      }
      fix.position = Coordinate(latitude: numbers[0], longitude: numbers[1])
      return fix
    }
    let sentences = try dump(ring(points), "nmea").split { $0.isNewline }
    // 82 with the line's end.
    #expect(sentences.filter { $0.utf8.count > 80 } == [])
    let fields = sentences.filter { $0.dropFirst(3).hasPrefix("RMC") }.map { sentence in
      sentence.split(separator: ",", omittingEmptySubsequences: false)[3...6]
        .joined(separator: ",")
    }
    // -0.00000001 degrees are -0.0000006 minutes: the equator.
    let patterns = [
      "1300.0+,N,00334.8126\\d*,W", "0000.0+,[NS],18000.0+,[EW]", "1230.0+,S,00015.0+,W",
    ]
    try #require(fields.count == patterns.count)
    for (field, pattern) in zip(fields, patterns) {
      #expect(field.wholeMatch(of: try Regex(pattern)) != nil, "\(field)")
    }
  }
}
