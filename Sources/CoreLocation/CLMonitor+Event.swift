import Foundation
import LocationServices

/// Something that a monitor watches for.
public protocol CLCondition: Sendable {}

extension CLMonitor {
  /// Being within so many metres of a place.
  public struct CircularGeographicCondition: CLCondition {
    public let center: CLLocationCoordinate2D
    /// Metres; below a hundred it is not reliable.
    public let radius: CLLocationDistance

    public init(center: CLLocationCoordinate2D, radius: CLLocationDistance) {
      (self.center, self.radius) = (center, radius)
    }
  }

  /// Being near a beacon. There are none here: it is answered with `conditionUnsupported`.
  public struct BeaconIdentityCondition: CLCondition {
    public let uuid: UUID
    public let major: UInt16?
    public let minor: UInt16?

    public init(uuid: UUID) { (self.uuid, major, minor) = (uuid, nil, nil) }

    public init(uuid: UUID, major: UInt16) {
      (self.uuid, self.major, minor) = (uuid, major, nil)
    }

    public init(uuid: UUID, major: UInt16, minor: UInt16) {
      (self.uuid, self.major, self.minor) = (uuid, major, minor)
    }
  }

  /// A change of a condition.
  public struct Event: Sendable {
    public enum State: UInt, Sendable {
      case unknown = 0
      case satisfied = 1
      case unsatisfied = 2
      case unmonitored = 3
    }

    public let identifier: String
    public let state: State
    public let date: Date
    /// Which of several beacons it was; never here.
    public let refinement: (any CLCondition)? = nil
    /// The condition cannot be watched.
    public internal(set) var conditionUnsupported = false
    /// The daemon sets no limit.
    public let conditionLimitExceeded = false
    public let persistenceUnavailable = false
    var diagnostics: Diagnostics = []

    init(_ identifier: String, _ state: State, _ date: Date) {
      (self.identifier, self.state, self.date) = (identifier, state, date)
    }

    public var authorizationDenied: Bool { diagnostics.contains(.authorizationDenied) }
    public var authorizationDeniedGlobally: Bool {
      diagnostics.contains(.authorizationDeniedGlobally)
    }
    public var authorizationRestricted: Bool {
      diagnostics.contains(.authorizationRestricted)
    }
    public var authorizationRequestInProgress: Bool {
      diagnostics.contains(.authorizationRequestInProgress)
    }
    public var accuracyLimited: Bool { diagnostics.contains(.accuracyLimited) }
    public var insufficientlyInUse: Bool { diagnostics.contains(.insufficientlyInUse) }
    public var serviceSessionRequired: Bool {
      diagnostics.contains(.serviceSessionRequired)
    }
  }

  /// Ends with the monitor.
  public struct Events: AsyncSequence, Sendable {
    public typealias Element = Event

    let stream: AsyncStream<Event>

    public func makeAsyncIterator() -> Iterator { Iterator(events: stream.makeAsyncIterator()) }

    public struct Iterator: AsyncIteratorProtocol {
      var events: AsyncStream<Event>.AsyncIterator

      public mutating func next() async throws -> Event? { await events.next() }
    }
  }
}

extension CLMonitor.Event.State {
  init(_ state: RegionState) {
    switch state {
    case .unknown: self = .unknown
    case .satisfied: self = .satisfied
    case .unsatisfied: self = .unsatisfied
    }
  }
}

extension RegionState {
  init(_ state: CLMonitor.Event.State) {
    switch state {
    case .unknown, .unmonitored: self = .unknown
    case .satisfied: self = .satisfied
    case .unsatisfied: self = .unsatisfied
    }
  }
}
