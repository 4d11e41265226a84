import CoreLocation
import Foundation

/// A location service as many programs have it: one object that owns the manager and is its
/// delegate, with a one-shot request and continuous updates.
@MainActor final class LocationService: NSObject {
  /// Gets every location.
  var onLocation: (CLLocation) -> Void = { _ in }
  /// Gets every error that does not pass by itself.
  var onFailure: (String) -> Void = { _ in }

  private let manager = CLLocationManager()
  private let geocoder = CLGeocoder()

  override init() {
    super.init()
    manager.delegate = self
    manager.desiredAccuracy = kCLLocationAccuracyNearestTenMeters
    manager.distanceFilter = kCLDistanceFilterNone
    manager.requestWhenInUseAuthorization()
  }

  func requestOnce() { manager.requestLocation() }
  func start() { manager.startUpdatingLocation() }
  func stop() { manager.stopUpdatingLocation() }

  /// The town next to a location, where place names were imported.
  func name(of location: CLLocation) async -> String? {
    do {
      return try await geocoder.reverseGeocodeLocation(location).first?.locality
    } catch CLError.geocodeFoundNoResult {
      return nil
    } catch {
      say("no name: \(error.localizedDescription)")
      return nil
    }
  }
}

extension LocationService: CLLocationManagerDelegate {
  nonisolated func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    switch manager.authorizationStatus {
    case .notDetermined: say("authorization: not determined")
    case .restricted, .denied: say("authorization: denied")
    case .authorizedWhenInUse, .authorizedAlways: say("authorization: granted")
    }
  }

  nonisolated func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    guard let location = locations.last else { return }
    MainActor.assumeIsolated { onLocation(location) }
  }

  nonisolated func locationManager(
    _ manager: CLLocationManager, didFailWithError error: any Error
  ) {
    guard let failure = error as? CLError else { return }
    switch failure.code {
    case .locationUnknown: say("no location yet: \(failure.localizedDescription)")
    default: MainActor.assumeIsolated { onFailure(failure.localizedDescription) }
    }
  }
}
