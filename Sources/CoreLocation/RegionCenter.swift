import Bytes
import ControlProtocol
import Dispatch
import Foundation
import GNSS
import LocationServices

/// The regions that the managers of this program watch: one monitor of the daemon's.
final class RegionCenter: @unchecked Sendable {
  static let shared = RegionCenter()

  enum Event: Sendable {
    case started(CLRegion)
    case entered(CLRegion)
    case exited(CLRegion)
    case determined(CLRegionState, CLRegion)
    case failed(CLRegion?, CLError)
  }

  typealias Observer = @Sendable (Event) -> Void

  private let link = DaemonLink.shared
  private let monitor = "\(DaemonLink.clientName)/regions"
  private let lock = NSLock()
  private var watched: [String: (region: CLRegion, state: RegionState)] = [:]
  private var observers: [ObjectIdentifier: Observer] = [:]
  private var isOpen = false
  /// Whether the daemon has gone since the regions were compared with its own.
  private var isStale = false

  /// Seconds that a program waits for the regions of its earlier runs.
  private static let loadingTimeMax = 5.0

  var regions: Set<CLRegion> { lock.withLock { Set(watched.values.map(\.region)) } }

  func observe(_ id: ObjectIdentifier, _ observer: @escaping Observer) {
    let isFirst = lock.withLock {
      observers[id] = observer
      defer { isOpen = true }
      return !isOpen
    }
    if isFirst { open() }
  }

  func removeObserver(_ id: ObjectIdentifier) { lock.withLock { observers[id] = nil } }

  func add(_ region: CLRegion) {
    guard let circle = region as? CLCircularRegion else {
      let error = CLError(
        .regionMonitoringFailure, "'\(region.identifier)': only circular regions are monitored")
      return tell(.failed(region, error))
    }
    lock.withLock { watched[region.identifier] = (region, .unknown) }
    request(circle)
  }

  private func request(_ region: CLCircularRegion) {
    var options = RegionOptions()
    (options.notifiesEntry, options.notifiesExit) = (region.notifyOnEntry, region.notifyOnExit)
    let shape = RegionShape.circle(centre: region.center.position, radius: region.radius)
    link.request(
      .service(
        .addRegion(monitor: monitor, identifier: region.identifier, shape, options))
    ) { [self] result in
      switch result {
      case .success:
        tell(.started(region))
        determineStart(of: region)
      case .failure(let error):
        lock.withLock { watched[region.identifier] = nil }
        tell(.failed(region, CLError(.regionMonitoringFailure, error.localizedDescription)))
      }
    }
  }

  /// The daemon tells nothing of a region as long as the board is outside. But who comes in must be
  /// known to have been outside before.
  private func determineStart(of region: CLCircularRegion) {
    link.position { [self] location in
      guard let location, region.isLeft(at: location) else { return }
      let isUnknown = lock.withLock { watched[region.identifier]?.state == .unknown }
      if isUnknown { note(.unsatisfied, of: region.identifier) }
    }
  }

  func remove(_ region: CLRegion) {
    guard lock.withLock({ watched.removeValue(forKey: region.identifier) }) != nil else { return }
    link.request(
      .service(.removeRegion(monitor: monitor, identifier: region.identifier))
    ) { _ in }
  }

  func requestState(of region: CLRegion) {
    link.request(.record(monitor: monitor, identifier: region.identifier)) { [self] result in
      let record = (try? result.get())?["record"]
      let state = record?["state"]?.string.flatMap { RegionState(named: $0) } ?? .unknown
      tell(.determined(CLRegionState(state), region))
    }
  }

  // MARK: What the daemon says

  private func open() {
    let token = link.subscribe(.monitor(monitor)) { [self] event in take(event) }
    link.open(token)
    let loaded = DispatchSemaphore(value: 0)
    link.regions(of: monitor) { [self] records in
      lock.withLock {
        for record in records {
          guard let region = CLCircularRegion(record.value) else { continue }
          watched[region.identifier] = (region, record.state)
        }
      }
      loaded.signal()
    }
    _ = loaded.wait(timeout: .now() + Self.loadingTimeMax)
  }

  private func take(_ event: DaemonLink.Event) {
    switch event {
    case .opened: if lock.withLock({ isStale }) { refresh() }
    case .failed(let error):
      lock.withLock { isStale = true }
      let code: CLError.Code =
        error.code == .regionMonitoringDenied || error.code == .denied
        ? .regionMonitoringDenied : .regionMonitoringFailure
      tell(.failed(nil, CLError(code, error.localizedDescription)))
    case .update(.region(let identifier, let state, _)): note(state, of: identifier)
    case .update, .standing: break
    }
  }

  private func note(_ state: RegionState, of identifier: String) {
    let known = lock.withLock {
      defer { watched[identifier]?.state = state }
      return watched[identifier]
    }
    guard let (region, before) = known, before != state else { return }
    // Who starts inside has not come in.
    if before == .unsatisfied, state == .satisfied { tell(.entered(region)) }
    if before == .satisfied, state == .unsatisfied { tell(.exited(region)) }
    tell(.determined(CLRegionState(state), region))
  }

  /// After the daemon returned: tells what it saw meanwhile, and asks again for what it missed.
  private func refresh() {
    lock.withLock { isStale = false }
    link.regions(of: monitor) { [self] records in
      var missing = lock.withLock { watched }
      for record in records {
        missing[record.identifier] = nil
        note(record.state, of: record.identifier)
      }
      for case let region as CLCircularRegion in missing.values.map(\.region) { request(region) }
    }
  }

  private func tell(_ event: Event) {
    for observer in lock.withLock({ Array(observers.values) }) { observer(event) }
  }
}

extension CLRegionState {
  init(_ state: RegionState) {
    switch state {
    case .unknown: self = .unknown
    case .satisfied: self = .inside
    case .unsatisfied: self = .outside
    }
  }
}

extension CLCircularRegion {
  /// Whether a location lies outside for certain.
  func isLeft(at location: CLLocation) -> Bool {
    let distance = center.position.distance(to: location.coordinate.position)
    return distance - radius >= max(location.horizontalAccuracy, 0)
  }

  /// Reads what the daemon keeps of a region; `nil` for another shape.
  convenience init?(_ record: JSONValue) {
    guard let identifier = record["identifier"]?.string, let circle = record["circle"],
      let centre = Coordinate(circle), let radius = circle["radius"]?.number
    else { return nil }
    self.init(
      center: CLLocationCoordinate2D(centre), radius: radius, identifier: identifier)
    notifyOnEntry = record["notifyEntry"]?.bool ?? true
    notifyOnExit = record["notifyExit"]?.bool ?? true
  }
}
