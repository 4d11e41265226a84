import Bytes
import GNSS
import LocationServices
import Testing

@testable import ReceiverSimulator

/// The day that `compose-tracks` makes, through a simulated receiver to the location services.
@Suite("Day with visits") struct VisitDayTests {
  /// From the script: where one stays, in minutes. The three at the bus stop are no visit.
  static let stays: [(arrival: Double, departure: Double)] = [
    (0, 420), (450, 720), (728, 767), (775, 1020), (1040, 1440),
  ]

  @Test("every stay is a visit, from when to when it lasted, and nothing else is")
  func visits() throws {
    var reader = GPXReader()
    try reader.feed(TestFiles.contents(of: "Tests/Captures/day-with-visits.gpx"))
    _ = try reader.finish()
    let track = try Track(recorded: reader.segments)
    var replay = TrackReplay(track, language: .nmea, rate: 1, turnCount: 1)
    var service = LocationService()
    _ = service.start(at: Now(boottime: .zero))
    var (events, second) = ([ServiceEvent](), 0)
    while let epoch = replay.nextEpoch(at: track.start) {
      second += 1
      // A fix in ten seconds tells all that matters here.
      guard second % 10 == 1 else { continue }
      let now = Now(
        boottime: Monotonic(nanoseconds: Int64(second) * 1_000_000_000), time: epoch.fix.time)
      var commands = service.handle(.fix(epoch.fix), at: now)
      while !commands.isEmpty {
        let command = commands.removeFirst()
        if case .log(let event) = command { events.append(event) }
        guard case .persist(_, let ticket) = command else { continue }
        commands += service.handle(.persisted(through: ticket), at: now)
      }
    }
    #expect(second == 86_401)
    let arrivals = events.compactMap { event -> UTCTime? in
      if case .arrival(let visit) = event.content { visit.arrival } else { nil }
    }
    let departures = events.compactMap { event -> UTCTime? in
      if case .departure(let visit) = event.content { visit.departure } else { nil }
    }
    #expect(arrivals.count == Self.stays.count && departures.count == Self.stays.count - 1)
    func minutes(_ time: UTCTime) -> Double { (time - track.start).inSeconds / 60 }
    for (arrival, stay) in zip(arrivals, Self.stays) {
      #expect(abs(minutes(arrival) - stay.arrival) <= 2, "\(stay)")
    }
    for (departure, stay) in zip(departures, Self.stays) {
      #expect(abs(minutes(departure) - stay.departure) <= 2, "\(stay)")
    }
  }
}
