import Bytes
import Foundation
import Testing

@testable import CoreLocation

/// Notes what its manager tells, and on which thread.
final class Recorder: NSObject, CLLocationManagerDelegate, @unchecked Sendable {
  private let lock = NSLock()
  private var lines: [String] = []
  var thread: Thread?

  private func note(_ line: String) {
    lock.withLock { lines.append(Thread.current == thread ? line : "\(line) elsewhere") }
  }

  /// Whether it has been told this, waited for.
  func was(told line: String) async -> Bool {
    for _ in 0..<1000 {
      if lock.withLock({ lines.contains(line) }) { return true }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return false
  }

  var all: [String] { lock.withLock { lines } }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    note("authorization \(manager.authorizationStatus.rawValue)")
  }
  func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    for location in locations { note("location \(location.coordinate.latitude)") }
  }
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    note("error \((error as NSError).code)")
  }
  func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) { note("paused") }
  func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) { note("resumed") }
  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
    note("heading \(newHeading.trueHeading) \(newHeading.magneticHeading)")
  }
  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
    note("visit \(visit.departureDate == .distantFuture)")
  }
  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    note("entered \(region.identifier)")
  }
  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    note("exited \(region.identifier)")
  }
  func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) { note("state \(state.rawValue) \(region.identifier)") }
  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
    note("started \(region.identifier)")
  }
  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?,
    withError error: any Error
  ) { note("failed \(region?.identifier ?? "all") \((error as NSError).code)") }
}

/// A thread with a run loop and a manager on it.
final class ManagerThread: @unchecked Sendable {
  let recorder = Recorder()
  private var manager: CLLocationManager?
  private var started: () -> Void = {}
  private var loop: DeliveryLoop?
  private let lock = NSLock()
  private var isEnded = false

  init() async {
    let thread = Thread { [self] in
      let manager = CLLocationManager()
      recorder.thread = Thread.current
      manager.delegate = recorder
      (self.manager, loop) = (manager, DeliveryLoop())
      started()
      while !lock.withLock({ isEnded }) { RunLoop.current.run(until: Date() + 0.05) }
      (self.manager, loop) = (nil, nil)
    }
    await withCheckedContinuation { done in
      started = { done.resume() }
      thread.start()
    }
  }

  func end() { lock.withLock { isEnded = true } }

  /// Does something with the manager, on its thread.
  func with(_ body: @escaping @Sendable (CLLocationManager) -> Void) {
    loop?.perform { if let manager = self.manager { body(manager) } }
  }
}

@Suite("Core Location and the daemon", .serialized) struct DaemonTests {
  let daemon = FakeDaemon.shared

  private func location(_ latitude: Double, _ more: String = "") -> String {
    "\"update\":\"location\",\"fix\":\(FakeDaemon.fix(latitude, 8))\(more)"
  }

  @Test("a manager tells its delegate on the thread that made it")
  func manager() async throws {
    daemon.start()
    let thread = await ManagerThread()
    defer { thread.end() }
    #expect(await thread.recorder.was(told: "authorization 3"))
    thread.with {
      $0.desiredAccuracy = kCLLocationAccuracyHundredMeters
      $0.distanceFilter = 25
      $0.activityType = .fitness
      $0.startUpdatingLocation()
    }
    let session = try #require(await daemon.session("updates"))
    let asked = try #require(await daemon.request("openSession"))
    #expect(asked["tier"]?.string == "hundredMeters" && asked["activity"]?.string == "fitness")
    #expect(asked["filter"]?.number == 25 && asked["pauses"] == nil)
    daemon.push(session: session, location(47.25))
    #expect(await thread.recorder.was(told: "location 47.25"))
    daemon.push(session: session, location(47.5, ",\"stationary\":true"))
    #expect(await thread.recorder.was(told: "paused"))
    daemon.push(session: session, location(47.75))
    #expect(await thread.recorder.was(told: "resumed"))
    #expect(await thread.recorder.was(told: "location 47.75"))
    daemon.push(
      session: session,
      #""update":"failure","code":"locationUnknown","number":0,"message":"no sky; go out""#)
    #expect(await thread.recorder.was(told: "error 0"))
    thread.with { $0.stopUpdatingLocation() }
    #expect(await daemon.request("closeSession") { $0["session"]?.integer == session } != nil)
    daemon.push(session: session, location(48))
    thread.with { $0.requestLocation() }
    #expect(await thread.recorder.was(told: "location 47.0"))
    #expect(!thread.recorder.all.contains("location 48.0"))
    #expect(!thread.recorder.all.contains { $0.hasSuffix("elsewhere") })
  }

  @Test("headings and visits are told")
  func others() async throws {
    daemon.start()
    let thread = await ManagerThread()
    defer { thread.end() }
    thread.with {
      $0.headingFilter = 5
      $0.startUpdatingHeading()
      $0.startMonitoringVisits()
    }
    let heading = try #require(await daemon.session("heading"))
    let visits = try #require(await daemon.session("visits"))
    daemon.push(session: heading, #""update":"heading","true":90.5,"magnetic":88"#)
    #expect(await thread.recorder.was(told: "heading 90.5 88.0"))
    daemon.push(session: heading, #""update":"headingLost""#)
    #expect(await thread.recorder.was(told: "error 3"))
    let stay =
      #""update":"visit","lat":47,"lon":8,"accuracy":20,"arrival":"2026-10-14T05:00:00.000Z""#
    daemon.push(session: visits, stay)
    #expect(await thread.recorder.was(told: "visit true"))
    daemon.push(session: visits, stay + #","departure":"2026-10-14T06:00:00.000Z""#)
    #expect(await thread.recorder.was(told: "visit false"))
  }

  @Test("regions: going in and out is told, being in at the start is only a state")
  func regions() async throws {
    daemon.start()
    let thread = await ManagerThread()
    defer { thread.end() }
    thread.with {
      $0.startMonitoring(
        for: CLCircularRegion(
          center: CLLocationCoordinate2D(latitude: 47, longitude: 8), radius: 150,
          identifier: "home"))
    }
    #expect(await thread.recorder.was(told: "started home"))
    let asked = try #require(await daemon.request("addRegion"))
    let name = try #require(asked["monitor"]?.string)
    #expect(asked["circle"]?["radius"]?.number == 150)
    func push(_ state: String) {
      daemon.push(
        "{\"type\":\"update\",\"monitor\":\"\(name)\",\"update\":\"region\","
          + "\"identifier\":\"home\",\"state\":\"\(state)\"}")
    }
    push("satisfied")
    #expect(await thread.recorder.was(told: "state 1 home"))
    #expect(!thread.recorder.all.contains("entered home"))
    push("unsatisfied")
    #expect(await thread.recorder.was(told: "exited home"))
    push("satisfied")
    #expect(await thread.recorder.was(told: "entered home"))
    thread.with {
      $0.startMonitoring(
        for: CLCircularRegion(
          center: CLLocationCoordinate2D(latitude: 10, longitude: 10), radius: 150,
          identifier: "far"))
    }
    #expect(await thread.recorder.was(told: "state 2 far"))
    daemon.push(
      "{\"type\":\"update\",\"monitor\":\"\(name)\",\"update\":\"region\","
        + "\"identifier\":\"far\",\"state\":\"satisfied\"}")
    #expect(await thread.recorder.was(told: "entered far"))
    daemon.reply(
      to: "addRegion", #"error:"code":"regionMonitoringFailure","number":5,"message":"too small""#)
    thread.with {
      $0.startMonitoring(
        for: CLCircularRegion(
          center: CLLocationCoordinate2D(latitude: 47, longitude: 8), radius: 0,
          identifier: "point"))
      $0.stopMonitoring(
        for: CLCircularRegion(
          center: CLLocationCoordinate2D(latitude: 47, longitude: 8), radius: 150,
          identifier: "home"))
    }
    #expect(await thread.recorder.was(told: "failed point 5"))
    #expect(await daemon.request("removeRegion")?["identifier"]?.string == "home")
  }

  @Test("a daemon that goes is an error once, and what was open is opened again")
  func reconnects() async throws {
    daemon.start()
    let thread = await ManagerThread()
    defer { thread.end() }
    thread.with { $0.startUpdatingLocation() }
    let first = try #require(await daemon.session("updates"))
    daemon.push(session: first, location(46.25))
    #expect(await thread.recorder.was(told: "location 46.25"))
    daemon.stop()
    #expect(await thread.recorder.was(told: "error 0"))
    #expect(!CLLocationManager.locationServicesEnabled())
    daemon.start()
    let second = try #require(await daemon.session("updates"))
    #expect(second != first)
    daemon.push(session: second, location(46.5))
    #expect(await thread.recorder.was(told: "location 46.5"))
    #expect(thread.recorder.all.count { $0 == "error 0" } == 1)
    #expect(CLLocationManager.locationServicesEnabled())
  }

  @Test("a program that the policy denies gets the error that an iOS program gets")
  func denied() async throws {
    daemon.start()
    let thread = await ManagerThread()
    defer { thread.end() }
    thread.with { $0.startUpdatingLocation() }
    let session = try #require(await daemon.session("updates"))
    daemon.reply(to: "authorization", #""authorization":"denied","number":2,"off":true"#)
    daemon.push(
      session: session, #""update":"diagnostics","diagnostics":["authorizationDeniedGlobally"]"#)
    #expect(await thread.recorder.was(told: "error 1"))
    #expect(await thread.recorder.was(told: "authorization 2"))
    #expect(!CLLocationManager.locationServicesEnabled())
    daemon.reply(to: "authorization", #""authorization":"authorizedAlways","number":3"#)
    daemon.push(session: session, #""update":"diagnostics","diagnostics":[]"#)
    #expect(await thread.recorder.was(told: "authorization 3"))
  }
}
