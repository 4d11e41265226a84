import Foundation
import GNSS
import LocationServices

extension Date {
  /// The instant in UTC, to the microsecond.
  init(_ time: UTCTime) { self.init(timeIntervalSince1970: Double(time.microseconds) / 1e6) }
}

extension CLLocation {
  /// - Returns: `nil` for a fix without a position.
  convenience init?(_ update: LocationUpdate) {
    let fix = update.fix
    guard let position = fix.position else { return nil }
    let altitude = fix.altitudeMSL ?? fix.altitudeEllipsoid
    let isThreeD = fix.mode == .threeD && altitude != nil
    self.init(
      CLLocationCoordinate2D(position), altitude: altitude ?? 0,
      ellipsoidalAltitude: fix.altitudeEllipsoid ?? altitude ?? 0,
      accuracies: (fix.horizontalAccuracy ?? -1, isThreeD ? fix.verticalAccuracy ?? -1 : -1),
      course: (fix.course ?? -1, fix.courseAccuracy ?? -1),
      speed: (fix.speed ?? -1, fix.speedAccuracy ?? -1), fix.time.map { Date($0) } ?? Date(),
      CLLocationSourceInformation(
        softwareSimulationState: fix.status == .simulated, andExternalAccessoryState: false))
  }
}

extension CLError {
  init(_ error: LocationError) {
    self.init(Code(rawValue: error.code.rawValue) ?? .locationUnknown, error.message)
  }
}

extension Tier {
  /// The roughest that is still as accurate as was asked for.
  init(desiredAccuracy: CLLocationAccuracy) {
    switch desiredAccuracy {
    case ..<kCLLocationAccuracyBest: self = .bestForNavigation
    case ..<kCLLocationAccuracyNearestTenMeters: self = .best
    case ..<kCLLocationAccuracyHundredMeters: self = .nearestTenMeters
    case ..<kCLLocationAccuracyKilometer: self = .hundredMeters
    case ..<kCLLocationAccuracyThreeKilometers: self = .kilometer
    case ..<kCLLocationAccuracyReduced: self = .threeKilometers
    case kCLLocationAccuracyReduced: self = .reduced
    default: self = .best
    }
  }
}

extension Activity {
  init(_ type: CLActivityType) {
    switch type {
    case .other: self = .other
    case .automotiveNavigation: self = .automotiveNavigation
    case .fitness: self = .fitness
    case .otherNavigation: self = .otherNavigation
    case .airborne: self = .airborne
    }
  }
}

extension CLAuthorizationStatus {
  init(_ status: AuthorizationStatus) {
    switch status {
    case .notDetermined: self = .notDetermined
    case .restricted: self = .restricted
    case .denied: self = .denied
    case .authorizedAlways: self = .authorizedAlways
    case .authorizedWhenInUse: self = .authorizedWhenInUse
    }
  }
}
