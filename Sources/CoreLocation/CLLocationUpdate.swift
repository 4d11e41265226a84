import Foundation
import LocationServices

/// Where the board is, or why that is not known.
public struct CLLocationUpdate: Sendable {
  /// What moves the receiver, for `liveUpdates`.
  public enum LiveConfiguration: Int, Sendable {
    case `default` = 0
    case automotiveNavigation = 1
    case otherNavigation = 2
    case fitness = 3
    case airborne = 4
  }

  /// `nil` where one of the others says why.
  public private(set) var location: CLLocation?
  /// The board stands still: there are no more updates until it moves.
  public private(set) var stationary = false
  private var diagnostics: Diagnostics = []

  public var isStationary: Bool { stationary }
  public var authorizationDenied: Bool { diagnostics.contains(.authorizationDenied) }
  /// Location is off for the whole system.
  public var authorizationDeniedGlobally: Bool {
    diagnostics.contains(.authorizationDeniedGlobally)
  }
  public var authorizationRestricted: Bool { diagnostics.contains(.authorizationRestricted) }
  public var authorizationRequestInProgress: Bool {
    diagnostics.contains(.authorizationRequestInProgress)
  }
  /// The location is only rough, as the policy wants it.
  public var accuracyLimited: Bool { diagnostics.contains(.accuracyLimited) }
  /// There is no fix, or no daemon.
  public var locationUnavailable: Bool { diagnostics.contains(.locationUnavailable) }
  public var insufficientlyInUse: Bool { diagnostics.contains(.insufficientlyInUse) }
  public var serviceSessionRequired: Bool { diagnostics.contains(.serviceSessionRequired) }

  /// - Returns: `nil` where the event says nothing of the location.
  init?(_ event: DaemonLink.Event) {
    switch event {
    case .update(.location(let update)):
      guard let location = CLLocation(update) else { return nil }
      (self.location, stationary) = (location, update.isStationary)
      if update.isReduced { diagnostics = .accuracyLimited }
    case .update(.diagnostics(let diagnostics)):
      guard !diagnostics.isEmpty, diagnostics != .accuracyLimited else { return nil }
      self.diagnostics = diagnostics
    case .update(.failure), .failed: diagnostics = Diagnostics(event)
    default: return nil
    }
  }

  /// Locations as they come, for as long as they are asked for.
  public static func liveUpdates(_ configuration: LiveConfiguration = .default) -> Updates {
    Updates(configuration: configuration)
  }

  /// Ends with the task that iterates it.
  public struct Updates: AsyncSequence, Sendable {
    public typealias Element = CLLocationUpdate

    let configuration: LiveConfiguration
    /// Updates that wait for a slow program; the oldest give way.
    private static let updateCountMax = 256

    public func makeAsyncIterator() -> Iterator {
      let options = SessionOptions(configuration.session)
      let stream = AsyncStream(
        CLLocationUpdate.self, bufferingPolicy: .bufferingNewest(Self.updateCountMax)
      ) { continuation in
        let link = DaemonLink.shared
        let token = link.subscribe(.session(options)) { event in
          if let update = CLLocationUpdate(event) { continuation.yield(update) }
        }
        continuation.onTermination = { _ in link.unsubscribe(token) }
        link.open(token)
      }
      return Iterator(updates: stream.makeAsyncIterator())
    }

    public struct Iterator: AsyncIteratorProtocol {
      var updates: AsyncStream<CLLocationUpdate>.AsyncIterator

      public mutating func next() async throws -> CLLocationUpdate? { await updates.next() }
    }
  }
}

extension CLLocationUpdate.LiveConfiguration {
  fileprivate var session: SessionOptions.LiveConfiguration {
    switch self {
    case .default: .default
    case .automotiveNavigation: .automotiveNavigation
    case .otherNavigation: .otherNavigation
    case .fitness: .fitness
    case .airborne: .airborne
    }
  }
}

extension Diagnostics {
  /// What a failure means for a stream.
  init(_ event: DaemonLink.Event) {
    switch event {
    case .failed(let error) where error.code == .denied || error.code == .regionMonitoringDenied:
      self = .authorizationDenied
    case .failed(let error) where error.code == .promptDeclined:
      self = .authorizationRequestInProgress
    case .update(.diagnostics(let diagnostics)): self = diagnostics
    case .standing(let standing): self.init(standing)
    case .failed, .update(.failure): self = .locationUnavailable
    default: self = []
    }
  }

  init(_ standing: DaemonLink.Standing) {
    switch standing.status {
    case .denied: self = standing.isOff ? .authorizationDeniedGlobally : .authorizationDenied
    case .restricted: self = .authorizationRestricted
    case .notDetermined where standing.failure == nil: self = .authorizationRequestInProgress
    default: self = []
    }
  }
}
