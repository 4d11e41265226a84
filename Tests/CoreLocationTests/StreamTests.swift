import Bytes
import Foundation
import Testing

@testable import CoreLocation

extension DaemonTests {
  @Test("liveUpdates tells locations, rest and what hinders, and ends with its loop")
  func liveUpdates() async throws {
    daemon.start()
    let loop = Task {
      var told: [String] = []
      for try await update in CLLocationUpdate.liveUpdates(.otherNavigation) {
        if update.locationUnavailable { told.append("unavailable") }
        if let location = update.location { told.append("\(location.coordinate.latitude)") }
        if update.stationary { break }
      }
      return told
    }
    let asked = try #require(await daemon.request("openSession"))
    #expect(asked["tier"]?.string == "bestForNavigation")
    #expect(asked["activity"]?.string == "otherNavigation")
    let session = try #require(asked["session"]?.integer)
    let fix = "\"update\":\"location\",\"fix\":\(FakeDaemon.fix(47.5, 8))"
    daemon.push(session: session, fix)
    daemon.push(
      session: session, #""update":"diagnostics","diagnostics":["locationUnavailable"]"#)
    daemon.push(session: session, fix + ",\"stationary\":true")
    #expect(try await loop.value == ["47.5", "unavailable", "47.5"])
    #expect(await daemon.request("closeSession") { $0["session"]?.integer == session } != nil)
  }

  @Test("a location has all that the fix has")
  func wholeLocation() async throws {
    daemon.start()
    let first = Task {
      for try await update in CLLocationUpdate.liveUpdates() {
        if let location = update.location { return location as CLLocation? }
      }
      return nil
    }
    let session = try #require(await daemon.session("updates"))
    daemon.push(session: session, "\"update\":\"location\",\"fix\":\(FakeDaemon.fix(47.5, 8))")
    let location = try #require(try await first.value)
    #expect(location.altitude == 500.5 && location.ellipsoidalAltitude == 548.5)
    #expect(location.horizontalAccuracy == 3.5 && location.verticalAccuracy == 6)
    #expect(location.speed == 1.5 && location.speedAccuracy == 0.2)
    #expect(location.course == 90 && location.courseAccuracy == 4)
    #expect(location.sourceInformation?.isSimulatedBySoftware == true)
    #expect(location.timestamp == Date(timeIntervalSince1970: 1_791_954_367.25))
  }

  @Test("a cancelled task closes its session")
  func cancelled() async throws {
    daemon.start()
    let loop = Task {
      for try await _ in CLLocationUpdate.liveUpdates() {}
    }
    let session = try #require(await daemon.session("updates"))
    loop.cancel()
    try await loop.value
    #expect(await daemon.request("closeSession") { $0["session"]?.integer == session } != nil)
  }

  @Test("a monitor keeps conditions by name and tells their events")
  func monitor() async throws {
    daemon.start()
    daemon.reply(
      to: "regions",
      #""regions":[{"identifier":"old","circle":{"lat":1,"lon":2,"radius":300},"#
        + #""state":"satisfied"}]"#
    )
    let monitor = await CLMonitor("fences")
    #expect(await monitor.identifiers == ["old"])
    #expect(await monitor.record(for: "old")?.lastEvent.state == .satisfied)
    let centre = CLLocationCoordinate2D(latitude: 47, longitude: 8)
    await monitor.add(
      CLMonitor.CircularGeographicCondition(center: centre, radius: 200), identifier: "new",
      assuming: .unsatisfied)
    let asked = try #require(await daemon.request("addRegion"))
    #expect(asked["assumed"]?.string == "unsatisfied" && asked["identifier"]?.string == "new")
    let name = try #require(asked["monitor"]?.string)
    await monitor.add(
      CLMonitor.BeaconIdentityCondition(uuid: UUID()), identifier: "beacon")
    daemon.push(
      "{\"type\":\"update\",\"monitor\":\"\(name)\",\"update\":\"region\",\"identifier\":\"new\","
        + "\"state\":\"satisfied\",\"time\":\"2026-10-14T05:06:07.000Z\"}")
    var events: [CLMonitor.Event] = []
    for try await event in await monitor.events {
      events.append(event)
      if events.count == 2 { break }
    }
    #expect(events.map(\.identifier) == ["beacon", "new"])
    #expect(events[0].conditionUnsupported && events[0].state == .unmonitored)
    #expect(events[1].state == .satisfied)
    #expect(events[1].date == Date(timeIntervalSince1970: 1_791_954_367))
    #expect(await monitor.record(for: "new")?.lastEvent.state == .satisfied)
    await monitor.remove("new")
    #expect(await daemon.request("removeRegion")?["identifier"]?.string == "new")
    #expect(await monitor.identifiers == ["beacon", "old"])
  }

  @Test("a service session tells what stands in the way")
  func serviceSession() async throws {
    daemon.start()
    daemon.stop()
    daemon.start()
    daemon.reply(
      to: "authorization",
      #""authorization":"authorizedWhenInUse","number":4,"accuracy":"reducedAccuracy""#)
    let session = CLServiceSession(authorization: .always, fullAccuracyPurposeKey: "Turns")
    var diagnostics = session.diagnostics.makeAsyncIterator()
    var last: CLServiceSession.Diagnostic?
    for _ in 0..<5 where last?.fullAccuracyDenied != true { last = try await diagnostics.next() }
    #expect(last?.alwaysAuthorizationDenied == true && last?.fullAccuracyDenied == true)
    #expect(last?.authorizationDenied == false)
    #expect(await daemon.request("requestFullAccuracy")?["purpose"]?.string == "Turns")
    session.invalidate()
    while try await diagnostics.next() != nil {}
  }
}
