import Foundation
import LocationServices

extension CLLocationManager {
  /// Those of all managers of this program, also from its earlier runs.
  public var monitoredRegions: Set<CLRegion> {
    observeRegions()
    return RegionCenter.shared.regions
  }

  /// Metres: a region may be that large.
  public var maximumRegionMonitoringDistance: CLLocationDistance { RegionShape.radiusMax }

  /// Watches a region until `stopMonitoring`; the daemon does so also while the program does not
  /// run, if the policy allows it.
  public func startMonitoring(for region: CLRegion) {
    observeRegions()
    RegionCenter.shared.add(region)
  }

  public func stopMonitoring(for region: CLRegion) { RegionCenter.shared.remove(region) }

  /// Tells whether the board is inside, as far as is known.
  public func requestState(for region: CLRegion) {
    observeRegions()
    RegionCenter.shared.requestState(of: region)
  }

  private func observeRegions() {
    let (manager, callbacks) = (WeakHandover(self), self.callbacks)
    RegionCenter.shared.observe(ObjectIdentifier(self)) { event in
      callbacks.perform { manager.value?.tell(event) }
    }
  }

  private func tell(_ event: RegionCenter.Event) {
    switch event {
    case .started(let region):
      delegate?.locationManager(self, didStartMonitoringFor: region)
    case .entered(let region): delegate?.locationManager(self, didEnterRegion: region)
    case .exited(let region): delegate?.locationManager(self, didExitRegion: region)
    case .determined(let state, let region):
      delegate?.locationManager(self, didDetermineState: state, for: region)
    case .failed(let region, let error):
      delegate?.locationManager(self, monitoringDidFailFor: region, withError: error)
    }
  }
}
