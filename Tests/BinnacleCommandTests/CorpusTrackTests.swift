import Bytes
import GNSS
import Testing

@testable import ReceiverSimulator

/// The corpus's cases about GPX files that are played, as they are given there.
@Suite("Corpus cases of GPX") struct CorpusTrackTests {
  private func segments(_ text: String) throws -> [[GPXPoint]] {
    var reader = GPXReader()
    try reader.feed(Array(text.utf8))
    #expect(try !reader.finish())
    return reader.segments
  }

  private func epochs(
    _ segments: [[GPXPoint]], turnCount: Int? = 1, limit: Int = 1000
  ) throws -> [Epoch] {
    var replay = TrackReplay(
      try Track(recorded: segments), language: .nmea, rate: 1, turnCount: turnCount)
    var found: [Epoch] = []
    while found.count < limit, let epoch = replay.nextEpoch(at: UTCTime(seconds: 0)) {
      found.append(epoch)
    }
    return found
  }

  private func isRising(_ epochs: [Epoch]) -> Bool {
    let times = epochs.compactMap(\.fix.time)
    return times.count == epochs.count && zip(times, times.dropFirst()).allSatisfy { $0 < $1 }
  }

  @Test("times with offsets, and points in unusual dress", arguments: ["GPX-01", "GPX-04"])
  func points(id: String) throws {
    guard let found = try CorpusCase(id) else { return }
    let points = try segments(found.input).joined()
    #expect(found.allows(Double(points.count), "points"))
    let times = found.expect["times"]?.array?.compactMap(\.string) ?? []
    #expect(points.map(\.time) == times.map { UTCTime(iso8601: $0) })
    guard let heights = found.expect["ele"]?.array?.map(\.number) else { return }
    #expect(points.map(\.altitude) == heights)
    #expect(points.map(\.coordinate.latitude) == found.expect["lat"]?.array?.compactMap(\.number))
    #expect(points.map(\.coordinate.longitude) == found.expect["lon"]?.array?.compactMap(\.number))
  }

  @Test("times that stand or go back")
  func badTimes() throws {
    guard let found = try CorpusCase("GPX-02") else { return }
    let segments = try segments(found.input)
    #expect(found.allows(Double(segments.joined().count), "points"))
    let epochs = try epochs(segments)
    #expect(epochs.count == 11 && isRising(epochs))
    #expect(epochs.allSatisfy { $0.fix.speed?.isFinite == true })
  }

  @Test("all segments count, and none of the ways between them")
  func gaps() throws {
    guard let found = try CorpusCase("GPX-03") else { return }
    let segments = try segments(found.input)
    #expect(found.allows(Double(segments.count), "segments_nonempty"))
    #expect(found.allows(Double(segments.joined().count), "points"))
    let distance = segments.map { points in
      zip(points, points.dropFirst()).map { $0.coordinate.distance(to: $1.coordinate) }.reduce(0, +)
    }
    #expect(found.allows(distance.reduce(0, +), "distance_m"))
  }

  @Test("a track that goes round does not go back in time")
  func turns() throws {
    guard let found = try CorpusCase("GPX-06") else { return }
    let input = try CorpusCase.value(of: found.input)
    let text = try #require(input["gpx"]?.string)
    let count = try #require(input["run_for_s"]?.integer)
    let epochs = try epochs(segments(text), turnCount: nil, limit: Int(count))
    #expect(epochs.count == Int(count) && isRising(epochs))
    let recorded = found.expect["with_times_recorded"]
    #expect(
      epochs[0].fix.time == recorded?["first_loop_first_t"]?.string.flatMap { UTCTime(iso8601: $0) }
    )
    #expect(
      epochs[5].fix.time == recorded?["first_loop_last_t"]?.string.flatMap { UTCTime(iso8601: $0) })
    #expect(epochs.allSatisfy { $0.fix.status == .simulated })
    let places = epochs.map { $0.fix.position?.latitude }
    #expect(Set(places).count < epochs.count)
  }

  @Test("a long track is read in pieces")
  func long() throws {
    guard let found = try CorpusCase("GPX-07") else { return }
    let order = try CorpusCase.value(of: found.input)["gpx_generator"]
    // A twentieth: a build that is not optimised takes a minute for all.
    let count = try #require(order?["points"]?.integer) / 20
    var reader = GPXReader()
    try reader.feed(Array("<gpx><trk><trkseg>".utf8))
    let start = UTCTime(seconds: 1_790_000_000)
    for index in 0..<count {
      let time = (start + .seconds(index)).iso8601
      try reader.feed(
        Array("<trkpt lat='-49.1' lon='70.1'><ele>12.5</ele><time>\(time)</time></trkpt>".utf8))
    }
    try reader.feed(Array("</trkseg></trk></gpx>".utf8))
    #expect(try !reader.finish())
    #expect(reader.segments.joined().count == Int(count))
  }
}
