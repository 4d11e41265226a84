import Foundation
import GNSS
import LocationServices

/// Tells where the board is. The daemon serves it; see `CLLocationManagerDelegate`.
///
/// To be used on one thread, whose run loop gets the callbacks.
open class CLLocationManager: NSObject {
  open weak var delegate: (any CLLocationManagerDelegate)?

  open var desiredAccuracy: CLLocationAccuracy = kCLLocationAccuracyBest {
    didSet { restart(.updates) }
  }
  /// Metres between locations.
  open var distanceFilter: CLLocationDistance = kCLDistanceFilterNone {
    didSet { restart(.updates) }
  }
  open var activityType = CLActivityType.other {
    didSet { restart(.updates) }
  }
  open var pausesLocationUpdatesAutomatically = true {
    didSet { restart(.updates) }
  }
  /// Degrees between headings.
  open var headingFilter: CLLocationDegrees = 1 {
    didSet { restart(.heading) }
  }
  /// A program on a board is never in the background; kept as it was set.
  open var allowsBackgroundLocationUpdates = false
  open var showsBackgroundLocationIndicator = false
  /// A receiver has no way to be held; kept as it was set.
  open var headingOrientation = CLDeviceOrientation.portrait

  /// The last one that was told.
  open private(set) var location: CLLocation?
  open private(set) var heading: CLHeading?

  let link = DaemonLink.shared
  let callbacks = DeliveryLoop()
  private var running: [Service: DaemonLink.Token] = [:]
  private var standingToken: DaemonLink.Token?
  private var lastStanding: DaemonLink.Standing?
  private var isPaused = false
  private var oneShotNumber = 0

  /// What can be started and stopped.
  enum Service: Hashable {
    case updates
    case significantChanges
    case visits
    case heading
  }

  public override init() {
    super.init()
    let (manager, callbacks) = (WeakHandover(self), self.callbacks)
    let token = link.subscribe(.authorization(purpose: nil)) { event in
      callbacks.perform { manager.value?.noteStanding(event) }
    }
    standingToken = token
    link.open(token)
  }

  deinit {
    for token in running.values { link.unsubscribe(token) }
    if let standingToken { link.unsubscribe(standingToken) }
    RegionCenter.shared.removeObserver(ObjectIdentifier(self))
  }

  // MARK: Authorization

  open var authorizationStatus: CLAuthorizationStatus { link.standing.status }
  open var accuracyAuthorization: CLAccuracyAuthorization { link.standing.accuracy }

  /// Tells the delegate where the program stands, the first time and after each change.
  private func noteStanding(_ event: DaemonLink.Event) {
    let standing = link.standing
    defer { lastStanding = standing }
    if let lastStanding, lastStanding.status == standing.status,
      lastStanding.accuracy == standing.accuracy
    {
      return
    }
    delegate?.locationManagerDidChangeAuthorization(self)
  }

  /// There is nobody to ask on a board: the policy decides, and while it has not, a line in the log
  /// says how an administrator does. As on Apple's systems, nothing happens where it has.
  open func requestWhenInUseAuthorization() {}
  open func requestAlwaysAuthorization() {}

  // MARK: Locations

  open func startUpdatingLocation() { start(.updates) }
  open func stopUpdatingLocation() {
    oneShotNumber += 1
    stop(.updates)
  }
  open func startMonitoringSignificantLocationChanges() { start(.significantChanges) }
  open func stopMonitoringSignificantLocationChanges() { stop(.significantChanges) }
  open func startMonitoringVisits() { start(.visits) }
  open func stopMonitoringVisits() { stop(.visits) }
  open func startUpdatingHeading() { start(.heading) }
  open func stopUpdatingHeading() { stop(.heading) }
  open func dismissHeadingCalibrationDisplay() {}

  /// Tells one location: the first that is accurate enough, or the best within ten seconds.
  open func requestLocation() {
    oneShotNumber += 1
    let (manager, callbacks, number) = (WeakHandover(self), self.callbacks, oneShotNumber)
    link.requestLocation(OneShot.Options(tier: Tier(desiredAccuracy: desiredAccuracy))) { result in
      callbacks.perform {
        guard let manager = manager.value, manager.oneShotNumber == number else { return }
        switch result {
        case .success(let location): manager.tell(location)
        case .failure(let error):
          manager.delegate?.locationManager(manager, didFailWithError: error)
        }
      }
    }
  }

  private func options(of service: Service) -> SessionOptions {
    var options = SessionOptions()
    options.pausesAutomatically = pausesLocationUpdatesAutomatically
    options.activity = Activity(activityType)
    switch service {
    case .updates:
      options.services = .updates
      options.tier = Tier(desiredAccuracy: desiredAccuracy)
      options.filter = distanceFilter > 0 ? .distance(distanceFilter) : .everyEpoch
    case .significantChanges:
      (options.services, options.tier) = (.significantChanges, .kilometer)
    case .visits: (options.services, options.tier) = (.visits, .hundredMeters)
    case .heading:
      (options.services, options.tier) = (.heading, .best)
      options.headingFilter = min(max(headingFilter, 0), 180)
    }
    return options
  }

  private func start(_ service: Service) {
    guard running[service] == nil else { return }
    let (manager, callbacks) = (WeakHandover(self), self.callbacks)
    let number = Handover(TokenBox())
    let token = link.subscribe(.session(options(of: service))) { event in
      callbacks.perform {
        // What comes after it was stopped is not told.
        guard let manager = manager.value, let token = number.value.token,
          manager.running[service] == token
        else { return }
        manager.take(event)
      }
    }
    number.value.token = token
    running[service] = token
    link.open(token)
  }

  private func stop(_ service: Service) {
    guard let token = running.removeValue(forKey: service) else { return }
    if service == .updates { isPaused = false }
    link.unsubscribe(token)
  }

  private func restart(_ service: Service) {
    guard running[service] != nil else { return }
    stop(service)
    start(service)
  }

  // MARK: Callbacks

  private func take(_ event: DaemonLink.Event) {
    switch event {
    case .opened, .standing: break
    case .failed(let error): delegate?.locationManager(self, didFailWithError: error)
    case .update(.location(let update)):
      guard let location = CLLocation(update) else { return }
      if isPaused, !update.isStationary {
        isPaused = false
        delegate?.locationManagerDidResumeLocationUpdates(self)
      }
      tell(location)
      guard update.isStationary else { return }
      isPaused = true
      delegate?.locationManagerDidPauseLocationUpdates(self)
    case .update(.visit(let visit)): delegate?.locationManager(self, didVisit: CLVisit(visit))
    case .update(.heading(.heading(let heading))):
      let heading = CLHeading(heading)
      self.heading = heading
      delegate?.locationManager(self, didUpdateHeading: heading)
    case .update(.heading(.lost)):
      delegate?.locationManager(self, didFailWithError: CLError(.headingFailure))
    case .update(.diagnostics(let diagnostics)):
      guard !diagnostics.isDisjoint(with: .refusals) else { return }
      delegate?.locationManager(self, didFailWithError: CLError(.denied))
    case .update(.failure(let error)):
      delegate?.locationManager(self, didFailWithError: CLError(error))
    case .update(.region): break
    }
  }

  private func tell(_ location: CLLocation) {
    self.location = location
    delegate?.locationManager(self, didUpdateLocations: [location])
  }
}

/// Where a token is put once it is known.
private final class TokenBox {
  var token: DaemonLink.Token?
}

extension Diagnostics {
  /// Those by which nothing at all is told.
  static let refusals: Diagnostics = [
    .authorizationDenied, .authorizationDeniedGlobally, .authorizationRestricted,
  ]
}
