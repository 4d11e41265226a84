import GNSS
import GNSSWire
import ReceiverControl
import Testing

@testable import ReceiverSimulator

@Suite("Simulated journey") struct SimulatedJourneyTests {
  @Test("passes through every point of a track", arguments: ["straight-line", "kilometre-jump"])
  func track(name: String) throws {
    let track = try SimulatedReceiverTests.track(name)
    let journey = SimulatedJourney(track)
    var cursor = 0
    for point in track.segments.joined() where point.time < track.end {
      let found = journey.point(at: point.time - track.start, cursor: &cursor)
      #expect(found.position.planarDistance(to: point.coordinate) < 0.01)
    }
    #expect(journey.length == track.end - track.start)
  }

  @Test("the day lasts a day and ends where it began")
  func day() throws {
    let day = SimulatedJourney.day
    #expect(day.length == .seconds(86_400))
    let first = try #require(day.legs.first)
    #expect(day.position.planarDistance(to: first.position) < 0.01)
  }

  @Test("a jump takes no time")
  func jump() {
    var cursor = 0
    let jump = SimulatedJourney.jump
    let before = jump.point(at: .milliseconds(179_999), cursor: &cursor)
    let after = jump.point(at: .milliseconds(180_001), cursor: &cursor)
    #expect(abs(before.position.planarDistance(to: after.position) - 1000) < 1)
  }

  @Test("a way over the antimeridian does not go around the world")
  func antimeridian() {
    var journey = SimulatedJourney(origin: Coordinate(latitude: 0, longitude: 179.9))
    let end = Coordinate(latitude: 0, longitude: -179.9)
    journey.go(.seconds(1000), to: end, under: .open)
    var cursor = 0
    let middle = journey.point(at: .seconds(500), cursor: &cursor)
    // 0.2 degrees of the equator in 1000 s; 111.3 km are a degree.
    #expect(abs(middle.speed - 22.26) < 0.1)
    #expect(abs(abs(middle.position.longitude) - 180) < 0.001)
  }
}

@Suite("Simulated receiver's start") struct SimulatedReceiverStartTests {
  static func text(
    _ name: String, _ start: ReceiverCommand.Restart, clockStart: String
  ) throws -> String {
    let kind = try #require(SimulatedReceiverKind.named(name))
    let profile = try #require(ReceiverProfile.shipped(kind.profile))
    var receiver = SimulatedReceiver(
      kind, profile: profile, journey: .still,
      clockStart: try #require(UTCTime(iso8601: clockStart)), start: start)
    let bytes = receiver.send(baud: kind.baud, at: .zero + .seconds(3))
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("cold it knows no time, or counts from its firmware's first day; hot it does")
  func time() throws {
    let instant = "2026-05-04T08:00:00.250Z"
    #expect(try Self.text("l76k", .cold, clockStart: instant).contains("RMC,,V,"))
    #expect(try Self.text("mtk3339", .cold, clockStart: instant).contains(",060180,"))
    // Epochs stand on whole seconds of its own time.
    #expect(try Self.text("l76k", .hot, clockStart: instant).contains("RMC,080001.00,V,"))
  }

  @Test("a hot start is far shorter than a cold one")
  func fixTimes() throws {
    let profile = try #require(ReceiverProfile.shipped("ublox-m10"))
    var seconds: [ReceiverCommand.Restart: Int] = [:]
    for start in ReceiverCommand.Restart.allCases {
      var navigation = SimulatedNavigation(profile: profile, seed: 1)
      navigation.begin(start, at: .zero)
      var cursor = 0
      var passed = 0
      while navigation.state != .tracking, passed < 120 {
        passed += 1
        let time = Duration.seconds(passed)
        let point = SimulatedJourney.still.point(at: time, cursor: &cursor)
        _ = navigation.step(at: .zero + time, to: point)
      }
      seconds[start] = passed
    }
    // Within the spread of search times around the profile's 4 s, 25 s and 27 s.
    #expect((3...6).contains(seconds[.hot] ?? 0))
    #expect((20...33).contains(seconds[.warm] ?? 0))
    #expect((21...36).contains(seconds[.cold] ?? 0))
  }
}
