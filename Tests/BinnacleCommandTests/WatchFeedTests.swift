import Bytes
import GNSS
import TerminalView
import Testing

@testable import BinnacleCommand

@Suite("Watch feed") struct WatchFeedTests {
  private func json(_ text: String) throws -> JSONValue {
    try Array(text.utf8).withByteView { try JSONReader.value(of: $0) }
  }

  private func fix(second: Int, mode: Int = 3) -> String {
    #"{"type":"observed","topic":"fixes","receiver":"r","fix":{"type":"fix","time":"#
      + #""2026-10-14T10:11:\#(second)Z","mode":\#(mode),"lat":-49.5,"lon":70.25,"eph":2.5}}"#
  }

  @Test("fixes come with their rate, and leave the last position behind")
  func fixes() throws {
    var feed = WatchFeed(daemon: "binnacle 0.1", isObserving: true)
    #expect(feed.state.version == "0.1")
    for second in 10...14 { feed.take(try json(fix(second: second))) }
    #expect(feed.state.epochRate == 1)
    #expect(feed.state.fix?.horizontalAccuracy == 2.5)
    feed.take(try json(#"{"type":"observed","topic":"fixes","fix":{"mode":1}}"#))
    #expect(feed.state.fix?.hasPosition == false)
    #expect(feed.state.lastPosition == Coordinate(latitude: -49.5, longitude: 70.25))
    // A clock that went back starts the rate anew.
    feed.take(try json(fix(second: 10)))
    #expect(feed.state.epochRate == nil)
  }

  @Test("a session's updates count only where nothing else can be seen")
  func sessions() throws {
    let update = try json(
      #"{"type":"update","update":"location","session":1,"#
        + #""fix":{"mode":2,"lat":-49.5,"lon":70.25}}"#)
    for isObserving in [true, false] {
      var feed = WatchFeed(daemon: "", isObserving: isObserving)
      feed.take(update)
      #expect((feed.state.fix == nil) == isObserving)
    }
  }

  @Test("satellites with a name of no constellation, or no number, are left out")
  func satellites() throws {
    var feed = WatchFeed(daemon: "", isObserving: true)
    feed.take(
      try json(
        #"{"type":"observed","topic":"satellites","sky":{"satellites":["#
          + #"{"gnss":"galileo","svid":11,"el":45,"az":300,"snr":41,"used":true},"#
          + #"{"gnss":"pigeons","svid":3},{"gnss":"gps"},{"gnss":"gps","svid":4,"el":999}]}}"#))
    #expect(feed.state.satellites.count == 2)
    #expect(feed.state.satellites.first?.azimuth == 300)
    #expect(feed.state.satellites.first?.isUsed == true)
    #expect(feed.state.satellites.last?.elevation == nil)
  }

  @Test("a receiver that is awake tracks or seeks as its fixes say")
  func tracking() throws {
    var feed = WatchFeed(daemon: "", isObserving: true)
    feed.take(
      try json(#"{"type":"observed","topic":"receivers","state":{"power":{"state":"awake"}}}"#))
    #expect(feed.state.receiver?.power == .acquiring)
    feed.take(try json(fix(second: 10)))
    #expect(feed.state.receiver?.power == .tracking)
    feed.take(try json(#"{"type":"observed","topic":"fixes","fix":{"mode":1}}"#))
    #expect(feed.state.receiver?.power == .acquiring)
  }

  @Test("power states fill the timeline, one in ten seconds")
  func timeline() throws {
    var feed = WatchFeed(daemon: "", isObserving: true)
    let now = try #require(UTCTime(iso8601: "2026-10-14T10:11:12Z") as UTCTime?)
    feed.takeStatus(
      try json(
        #"{"receivers":[{"state":"open","power":{"state":"asleep","wakesIn":60},"port":"/dev/x"}]}"#
      ))
    for second in 0..<30 {
      feed.tick(now: now, at: Monotonic(nanoseconds: Int64(second) * 1_000_000_000))
    }
    #expect(feed.state.timeline == [.asleep, .asleep, .asleep])
    #expect(feed.state.receiver?.node == "/dev/x")
    feed.takeStatus(try json(#"{"receivers":[{"power":{"state":"asleep","wakesIn":60}}]}"#))
    #expect(feed.state.receiver?.wakesAt == now + .seconds(60))
    feed.takeStatus(try json(#"{"receivers":[]}"#))
    #expect(feed.state.problem != nil)
    #expect(feed.state.receiver == nil)
  }
}
