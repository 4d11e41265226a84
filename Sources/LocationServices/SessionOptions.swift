import GNSS

/// What a client asks of a session.
package struct SessionOptions: Equatable, Sendable {
  /// What the session is told of.
  package struct Services: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A stream of fixes.
    package static let updates = Services(rawValue: 1)
    /// A fix about every 500 m, at the lowest power.
    package static let significantChanges = Services(rawValue: 2)
    package static let visits = Services(rawValue: 4)
    package static let heading = Services(rawValue: 8)
    package static let all: Services = [.updates, .significantChanges, .visits, .heading]
  }

  /// Which fixes of a stream are delivered. A distance is in metres.
  package enum Filter: Equatable, Sendable {
    case tierDefault
    case everyEpoch
    case distance(Double)
  }

  package var services: Services = .updates
  package var tier = Tier.best
  package var filter = Filter.tierDefault
  package var activity = Activity.other
  /// Whether it outlives its connection, and restarts (`always`); else it lives while its
  /// connection lives (`whenInUse`).
  package var isStanding = false
  /// A standing session's name, one of a kind for its owner.
  package var name = ""
  /// For what, in the client's words: shown by `sessions`.
  package var purpose = ""
  /// Whether to ask for full accuracy for that purpose, where it is reduced.
  package var wantsFullAccuracy = false
  package var pausesAutomatically = true
  /// Smaller turns than this are not told, degrees.
  package var headingFilter = HeadingFilter.defaultFilter

  package init() {}

  /// Core Location's `CLLocationUpdate.liveUpdates` configurations.
  package enum LiveConfiguration: String, CaseIterable, Sendable {
    case `default`
    case automotiveNavigation
    case otherNavigation
    case fitness
    case airborne
  }

  /// The session behind `liveUpdates(configuration)`.
  package init(_ configuration: LiveConfiguration) {
    switch configuration {
    case .default: break
    case .automotiveNavigation: (tier, activity) = (.bestForNavigation, .automotiveNavigation)
    case .otherNavigation: (tier, activity) = (.bestForNavigation, .otherNavigation)
    case .fitness: activity = .fitness
    case .airborne: activity = .airborne
    }
  }

  /// Metres between delivered fixes; `nil` for every epoch.
  package var distance: Double? {
    switch filter {
    case .tierDefault: tier.defaultDistanceFilter
    case .everyEpoch: nil
    case .distance(let metres): metres
    }
  }

  /// Bytes of UTF-8 in a name or a purpose.
  package static let textByteCountMax = 256

  /// What is wrong with it, in words that follow "the session"; `nil` if nothing.
  var problem: String? {
    if services.isEmpty || !services.isSubset(of: .all) { return "asks for no known service" }
    if isStanding && name.isEmpty { return "needs a name, as it is standing" }
    if name.utf8.count > Self.textByteCountMax { return "has a name of over 256 bytes" }
    if purpose.utf8.count > Self.textByteCountMax { return "has a purpose of over 256 bytes" }
    if wantsFullAccuracy && purpose.isEmpty { return "wants full accuracy but states no purpose" }
    if case .distance(let metres) = filter, !(metres >= 0 && metres.isFinite) {
      return "has a distance filter that is no distance"
    }
    guard headingFilter >= 0, headingFilter <= 180 else {
      return "has a heading filter outside 0 to 180 degrees"
    }
    return nil
  }
}
