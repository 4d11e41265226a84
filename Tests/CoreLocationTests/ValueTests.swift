import Foundation
import GNSS
import LocationServices
import Testing

@testable import CoreLocation

@Suite("Core Location values") struct ValueTests {
  /// From Apple's public documentation of Core Location.
  static let constants: [(name: String, value: Double, documented: Double)] = [
    ("kCLLocationAccuracyBestForNavigation", kCLLocationAccuracyBestForNavigation, -2),
    ("kCLLocationAccuracyBest", kCLLocationAccuracyBest, -1),
    ("kCLLocationAccuracyNearestTenMeters", kCLLocationAccuracyNearestTenMeters, 10),
    ("kCLLocationAccuracyHundredMeters", kCLLocationAccuracyHundredMeters, 100),
    ("kCLLocationAccuracyKilometer", kCLLocationAccuracyKilometer, 1000),
    ("kCLLocationAccuracyThreeKilometers", kCLLocationAccuracyThreeKilometers, 3000),
    ("kCLDistanceFilterNone", kCLDistanceFilterNone, -1),
    ("kCLHeadingFilterNone", kCLHeadingFilterNone, -1),
    ("CLLocationDistanceMax", CLLocationDistanceMax, Double.greatestFiniteMagnitude),
    ("CLTimeIntervalMax", CLTimeIntervalMax, Double.greatestFiniteMagnitude),
    ("kCLLocationCoordinate2DInvalid", kCLLocationCoordinate2DInvalid.latitude, -180),
  ]

  @Test("constants are Apple's", arguments: constants)
  func constant(name: String, value: Double, documented: Double) {
    #expect(value == documented, "\(name)")
  }

  static let errors: [(code: CLError.Code, number: Int)] = [
    (.locationUnknown, 0), (.denied, 1), (.network, 2), (.headingFailure, 3),
    (.regionMonitoringDenied, 4), (.regionMonitoringFailure, 5),
    (.regionMonitoringSetupDelayed, 6), (.regionMonitoringResponseDelayed, 7),
    (.geocodeFoundNoResult, 8), (.geocodeFoundPartialResult, 9), (.geocodeCanceled, 10),
    (.deferredFailed, 11), (.deferredNotUpdatingLocation, 12), (.deferredAccuracyTooLow, 13),
    (.deferredDistanceFiltered, 14), (.deferredCanceled, 15), (.rangingUnavailable, 16),
    (.rangingFailure, 17), (.promptDeclined, 18), (.historicalLocationError, 19),
  ]

  @Test("errors are numbered as Apple's", arguments: errors)
  func error(code: CLError.Code, number: Int) {
    #expect(code.rawValue == number)
    let bridged = CLError(code) as NSError
    #expect(bridged.code == number && bridged.domain == "kCLErrorDomain")
  }

  @Test("enumerations are numbered as Apple's")
  func enumerations() {
    let statuses: [CLAuthorizationStatus] = [
      .notDetermined, .restricted, .denied, .authorizedAlways, .authorizedWhenInUse,
    ]
    #expect(statuses.map(\.rawValue) == [0, 1, 2, 3, 4])
    let activities: [CLActivityType] = [
      .other, .automotiveNavigation, .fitness, .otherNavigation, .airborne,
    ]
    #expect(activities.map(\.rawValue) == [1, 2, 3, 4, 5])
    let accuracies: [CLAccuracyAuthorization] = [.fullAccuracy, .reducedAccuracy]
    #expect(accuracies.map(\.rawValue) == [0, 1])
    let regions: [CLRegionState] = [.unknown, .inside, .outside]
    #expect(regions.map(\.rawValue) == [0, 1, 2])
    let states: [CLMonitor.Event.State] = [.unknown, .satisfied, .unsatisfied, .unmonitored]
    #expect(states.map(\.rawValue) == [0, 1, 2, 3])
    let live: [CLLocationUpdate.LiveConfiguration] = [
      .default, .automotiveNavigation, .otherNavigation, .fitness, .airborne,
    ]
    #expect(live.map(\.rawValue) == [0, 1, 2, 3, 4])
    let requirements: [CLServiceSession.AuthorizationRequirement] = [.none, .whenInUse, .always]
    #expect(requirements.map(\.rawValue) == [0, 1, 2])
    #expect(CLDeviceOrientation.faceDown.rawValue == 6 && CLProximity.far.rawValue == 3)
  }

  @Test("an error is caught by its code")
  func caught() {
    do {
      throw CLError(.denied)
    } catch CLError.locationUnknown {
      Issue.record("caught as another")
    } catch CLError.denied {
    } catch {
      Issue.record("not caught")
    }
  }

  @Test("distances are those on the ellipsoid")
  func distance() {
    // From GeographicLib's documentation of GeodSolve: JFK to LHR.
    let newYork = CLLocation(latitude: 40.6, longitude: -73.8)
    let london = CLLocation(latitude: 51.6, longitude: -0.5)
    #expect(abs(newYork.distance(from: london) - 5_551_759.400) < 0.001)
    #expect(newYork.distance(from: newYork) == 0)
  }

  @Test("what is not known is negative")
  func invalid() {
    let place = CLLocation(latitude: 1, longitude: 2)
    #expect(place.verticalAccuracy == -1 && place.speed == -1 && place.course == -1)
    #expect(place.speedAccuracy == -1 && place.courseAccuracy == -1 && place.floor == nil)
    #expect(place.horizontalAccuracy == 0 && place.sourceInformation == nil)
  }

  @Test("coordinates are valid within the globe")
  func valid() {
    #expect(CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(-90, 180)))
    #expect(!CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(90.1, 0)))
    #expect(!CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(.nan, 0)))
    #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
  }

  @Test("archives give back what went in")
  func archived() throws {
    let location = CLLocation(
      coordinate: CLLocationCoordinate2D(latitude: 47.5, longitude: -8.25), altitude: 500,
      horizontalAccuracy: 3, verticalAccuracy: 5, course: 90, courseAccuracy: 2, speed: 1.5,
      speedAccuracy: 0.25, timestamp: Date(timeIntervalSince1970: 1_800_000_000))
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: location, requiringSecureCoding: true)
    let back = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: CLLocation.self, from: data))
    #expect(back.coordinate.latitude == 47.5 && back.coordinate.longitude == -8.25)
    #expect(back.altitude == 500 && back.verticalAccuracy == 5 && back.speedAccuracy == 0.25)
    #expect(back.timestamp == location.timestamp)
    let region = CLCircularRegion(center: location.coordinate, radius: 200, identifier: "home")
    region.notifyOnExit = false
    let kept = try NSKeyedArchiver.archivedData(
      withRootObject: region, requiringSecureCoding: true)
    let same = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: CLCircularRegion.self, from: kept))
    #expect(same == region && same.radius == 200 && !same.notifyOnExit && same.notifyOnEntry)
    #expect(same.contains(location.coordinate))
  }

  static let tiers: [(accuracy: Double, tier: String)] = [
    (-2, "bestForNavigation"), (-1, "best"), (5, "best"), (10, "nearestTenMeters"),
    (99, "nearestTenMeters"), (100, "hundredMeters"), (1000, "kilometer"),
    (3000, "threeKilometers"), (Double.greatestFiniteMagnitude, "reduced"), (Double.nan, "best"),
  ]

  @Test("the tier is as accurate as was asked for", arguments: tiers)
  func tier(accuracy: Double, expected: String) {
    #expect("\(Tier(desiredAccuracy: accuracy).name)" == expected)
  }
}
