import Bytes
import FixLog
import GNSS
import LinuxIO
import LocationServices
import Testing

@testable import BinnacleDaemon

/// The corpus's cases about fences and filters, as they are given there.
@Suite("Corpus cases of services") struct ServiceCaseTests {
  struct Case {
    var id: String
    var input: JSONValue
    var expect: JSONValue

    /// The fixes, each with when it comes.
    func fixes(_ points: JSONValue?) -> [(Fix, LocationServices.Now)] {
      (points?.array ?? []).map { point in
        var fix = Fix()
        fix.time = point["t"]?.string.flatMap { UTCTime(iso8601: $0) }
        fix.mode = point["mode"]?.integer == 3 ? .threeD : .none
        if let latitude = point["lat"]?.number, let longitude = point["lon"]?.number {
          fix.position = Coordinate(latitude: latitude, longitude: longitude)
        }
        (fix.horizontalAccuracy, fix.speed) = (point["acc"]?.number, point["speed"]?.number)
        let micros = (fix.time ?? UTCTime(seconds: 0)) - UTCTime(seconds: 1_700_000_000)
        return (fix, LocationServices.Now(boottime: .zero + micros, time: fix.time))
      }
    }
  }

  private static let path: String = {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    return parts.dropLast(4).joined(separator: "/") + "/shared/corpus/cases.jsonl"
  }()

  /// `nil` where the corpus is not there.
  private static func find(_ id: String) throws -> Case? {
    guard let text = smallFile(path, byteLimit: 1 << 24) else {
      print("skipped: \(path) is not there")
      return nil
    }
    for line in text.split(separator: "\n") {
      let value = try Array(line.utf8).withByteView { try JSONReader.value(of: $0) }
      guard value["id"] == .string(id), let input = value["input"]?.string else { continue }
      let events = try Array(input.utf8).withByteView { try JSONReader.value(of: $0) }
      return Case(id: id, input: events, expect: value["expect"] ?? .null)
    }
    Issue.record("the corpus has no case \(id)")
    return nil
  }

  /// The events of each fence: `ENTER` or `EXIT`, and when.
  private static func events(
    of found: Case
  ) throws -> [String: [(name: String, time: UTCTime?)]] {
    var watch = RegionWatch()
    var motion = MotionWatch()
    for fence in found.input["fences"]?.array ?? [] {
      let name = try #require(fence["id"]?.string)
      try watch.add(name, to: 1, shape: try shape(fence))
    }
    var events: [String: [(String, UTCTime?)]] = [:]
    for (fix, now) in found.fixes(found.input["points"]) {
      guard var sighting = Sighting(fix, at: now) else { continue }
      motion.observe(&sighting, plausibleSpeed: 80)
      for transition in watch.observe(sighting) {
        let name = transition.state == .satisfied ? "ENTER" : "EXIT"
        events[transition.identifier, default: []].append((name, transition.time))
      }
    }
    return events
  }

  private static func shape(_ fence: JSONValue) throws -> RegionShape {
    if let corners = fence["polygon"]?.array {
      return .polygon(
        try corners.map { corner in
          let pair = try #require(corner.array)
          return Coordinate(
            latitude: try #require(pair[0].number), longitude: try #require(pair[1].number))
        })
    }
    let centre = Coordinate(
      latitude: try #require(fence["lat"]?.number), longitude: try #require(fence["lon"]?.number))
    return .circle(centre: centre, radius: try #require(fence["radius_m"]?.number))
  }

  @Test("a device at rest on the border does not flap")
  func border() throws {
    guard let found = try Self.find("GEO-01") else { return }
    let events = try Self.events(of: found)["f1"] ?? []
    #expect(events.count <= 2)
    #expect(events.count { $0.name == "ENTER" } <= 1 && events.count { $0.name == "EXIT" } <= 1)
  }

  @Test("a passage is one entry and one exit, in time")
  func passage() throws {
    guard let found = try Self.find("GEO-02") else { return }
    let events = try Self.events(of: found)["f1"] ?? []
    #expect(events.map(\.name) == ["ENTER", "EXIT"])
    for (event, key) in zip(events, ["enter_t", "exit_t"]) {
      let low = try #require(found.expect[key]?["min"]?.string.flatMap { UTCTime(iso8601: $0) })
      let high = try #require(found.expect[key]?["max"]?.string.flatMap { UTCTime(iso8601: $0) })
      let time = try #require(event.time)
      #expect(time >= low && time <= high, "\(key)")
    }
  }

  @Test("fences lie across the antimeridian")
  func antimeridian() throws {
    guard let found = try Self.find("GEO-03") else { return }
    let events = try Self.events(of: found)
    #expect(events["circle"]?.map(\.name) == ["ENTER"] && events["poly"]?.map(\.name) == ["ENTER"])
  }

  @Test("neither a lost fix nor a coarse one is an exit")
  func coarse() throws {
    guard let found = try Self.find("GEO-04") else { return }
    #expect(try Self.events(of: found)["f1"]?.map(\.name) == ["ENTER"])
  }

  /// What the log keeps of the case's points.
  private static func kept(_ found: Case) -> [Fix] {
    var log = Configuration.Log()
    log.accuracyMax = found.input["config"]?["max_accuracy_m"]?.number
    log.distance = found.input["config"]?["min_distance_m"]?.number
    var filter = LogFilter(log)
    let points = found.input["events"]?.array?.first?["write_points"]
    return found.fixes(points).filter { filter.keeps($0.0, of: 1, at: $0.1) }.map(\.0)
  }

  @Test("the filter compares with the last fix that was kept")
  func firstKept() throws {
    guard let found = try Self.find("LOG-06") else { return }
    let expected = (found.expect["points"]?.array ?? []).map { $0["t"]?.string }
    let times = Self.kept(found).map { fix in
      fix.time.flatMap { time in expected.first { $0.flatMap { UTCTime(iso8601: $0) } == time } }
    }
    #expect(times == expected.map { .some($0) })
  }

  @Test("the stop behind a move is kept, once")
  func stop() throws {
    guard let found = try Self.find("LOG-07") else { return }
    let kept = Self.kept(found)
    #expect((6...9).contains(kept.count))
    let last = try #require(kept.last)
    let start = try #require(kept.first?.position)
    #expect((last.speed ?? 1) <= 0.3)
    #expect(abs(start.distance(to: try #require(last.position)) - 172) <= 3)
  }

  @Test("events of regions and visits keep all they say in the log")
  func logged() {
    let visit = Visit(
      coordinate: Coordinate(latitude: -49.341666667, longitude: 170.220833333),
      horizontalAccuracy: 12.25, arrival: UTCTime(seconds: 1_790_000_000),
      departure: UTCTime(seconds: 1_790_000_900))
    let event = ServiceEvent(sequence: 9, time: visit.departure, content: .departure(visit))
    let logged = event.logEvent(boottime: .zero)
    #expect(logged.kind == .visitDeparture && logged[.serviceSequence] == .number(9))
    #expect(Visit(logged) == visit)
    let entry = ServiceEvent(
      sequence: 10, time: nil,
      content: .region(
        monitor: "m", identifier: "home", state: .satisfied,
        Place(visit.coordinate, accuracy: 3)))
    let entered = entry.logEvent(boottime: .zero)
    #expect(entered.kind == .regionEnter && entered[.region] == .text("home"))
    #expect(entered[.latitude] == .number(-49_341_666_667) && Visit(entered) == nil)
  }
}
