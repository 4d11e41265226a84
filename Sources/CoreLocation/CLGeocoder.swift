import Dispatch
import Foundation
import Gazetteer
import LinuxIO

public typealias CLGeocodeCompletionHandler = ([CLPlacemark]?, (any Error)?) -> Void

/// Names places, and finds them by name, in the index that `binnacle places import` made: without
/// any network. One request at a time; a newer one cancels the older. Completion handlers are
/// called on the main queue.
open class CLGeocoder: NSObject, @unchecked Sendable {
  private let lock = NSLock()
  private var queue = GeocodeQueue()
  private var lastTicket: GeocodeQueue.Ticket = 0
  private var waiting: [GeocodeQueue.Ticket: @Sendable (Outcome) -> Void] = [:]

  private typealias Outcome = Result<[PopulatedPlace], CLError>

  /// Places that a name may stand for.
  private static let placeCountMax = 10

  open var isGeocoding: Bool { lock.withLock { queue.isGeocoding } }

  open func cancelGeocode() { handle(.cancelled) }

  // MARK: Names for coordinates

  open func reverseGeocodeLocation(
    _ location: CLLocation, completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    reverseGeocodeLocation(
      location, preferredLocale: nil, completionHandler: completionHandler)
  }

  open func reverseGeocodeLocation(
    _ location: CLLocation, preferredLocale locale: Locale?,
    completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    ask(.reverse(location.coordinate.position), locale, nil, Handover(completionHandler))
  }

  open func reverseGeocodeLocation(
    _ location: CLLocation, preferredLocale locale: Locale? = nil
  ) async throws -> [CLPlacemark] {
    try await ask(.reverse(location.coordinate.position), locale)
  }

  // MARK: Coordinates for names

  open func geocodeAddressString(
    _ addressString: String, completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    geocodeAddressString(
      addressString, in: nil, preferredLocale: nil, completionHandler: completionHandler)
  }

  /// - Parameter region: Places in it come first.
  open func geocodeAddressString(
    _ addressString: String, in region: CLRegion?,
    completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    geocodeAddressString(
      addressString, in: region, preferredLocale: nil, completionHandler: completionHandler)
  }

  open func geocodeAddressString(
    _ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?,
    completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    ask(
      .forward(address: addressString, country: nil), locale, region as? CLCircularRegion,
      Handover(completionHandler))
  }

  open func geocodeAddressString(
    _ addressString: String, in region: CLRegion? = nil, preferredLocale locale: Locale? = nil
  ) async throws -> [CLPlacemark] {
    try await ask(
      .forward(address: addressString, country: nil), locale, region as? CLCircularRegion)
  }

  // MARK: The queue

  private func ask(
    _ query: GeocodeQuery, _ locale: Locale?, _ region: CLCircularRegion?,
    _ completion: Handover<CLGeocodeCompletionHandler>
  ) {
    enqueue(query) { outcome in
      DispatchQueue.main.async {
        switch outcome {
        case .success(let places):
          completion.value(Self.placemarks(places, locale, region), nil)
        case .failure(let error): completion.value(nil, error)
        }
      }
    }
  }

  private func ask(
    _ query: GeocodeQuery, _ locale: Locale?, _ region: CLCircularRegion? = nil
  ) async throws -> [CLPlacemark] {
    let places = try await withCheckedThrowingContinuation {
      (done: CheckedContinuation<[PopulatedPlace], any Error>) in
      enqueue(query) { outcome in done.resume(with: outcome.mapError { $0 }) }
    }
    return Self.placemarks(places, locale, region)
  }

  private static func placemarks(
    _ places: [PopulatedPlace], _ locale: Locale?, _ region: CLCircularRegion?
  ) -> [CLPlacemark] {
    let inside = places.filter { place in
      region?.contains(CLLocationCoordinate2D(place.coordinate)) ?? false
    }
    let sorted = inside + places.filter { !inside.contains($0) }
    return sorted.map { CLPlacemark($0, locale: locale ?? .current) }
  }

  private func enqueue(
    _ query: GeocodeQuery, _ completion: @escaping @Sendable (Outcome) -> Void
  ) {
    let ticket = lock.withLock {
      lastTicket += 1
      waiting[lastTicket] = completion
      return lastTicket
    }
    handle(.asked(query, ticket))
  }

  private func handle(_ event: GeocodeQueue.Event) {
    let commands = lock.withLock { queue.handle(event, at: Clocks.monotonic()) }
    for command in commands {
      switch command {
      case .lookUp(let query, let ticket):
        DispatchQueue.global().async { self.lookUp(query, ticket) }
      case .answer(let places, let ticket): finish(ticket, .success(places))
      case .refuse(let refusal, let ticket): finish(ticket, .failure(CLError(refusal)))
      }
    }
  }

  private func finish(_ ticket: GeocodeQueue.Ticket, _ outcome: Outcome) {
    lock.withLock { waiting.removeValue(forKey: ticket) }?(outcome)
  }

  private func lookUp(_ query: GeocodeQuery, _ ticket: GeocodeQueue.Ticket) {
    guard let store = PlaceStore.shared.opened() else { return handle(.failed(ticket)) }
    switch query {
    case .reverse(let position):
      handle(.found(store.nearest(to: position).map { [$0] } ?? [], ticket))
    case .forward(let address, let country):
      let places = store.places(at: address, country, limit: Self.placeCountMax)
      handle(.found(places, ticket))
    }
  }
}

extension CLError {
  init(_ refusal: GeocodeQueue.Refusal) {
    switch refusal {
    case .geocodeCanceled: self.init(.geocodeCanceled, "a newer request took its place")
    case .geocodeFoundNoResult: self.init(.geocodeFoundNoResult, "no such place is known")
    case .network:
      self.init(
        .network, "too many requests in a minute, or no places: see 'binnacle places import'")
    }
  }
}
