/// How accurate a position is wanted. Raw values are Core Location's accuracy constants, in metres
/// where positive; `reduced` has none there and gets the width of its cells.
package enum Tier: Int, CaseIterable, Comparable, Sendable {
  case bestForNavigation = -2
  case best = -1
  case nearestTenMeters = 10
  case hundredMeters = 100
  case kilometer = 1000
  case threeKilometers = 3000
  case reduced = 5000

  /// The name in options, the configuration and JSON.
  package var name: StaticString {
    switch self {
    case .bestForNavigation: "bestForNavigation"
    case .best: "best"
    case .nearestTenMeters: "nearestTenMeters"
    case .hundredMeters: "hundredMeters"
    case .kilometer: "kilometer"
    case .threeKilometers: "threeKilometers"
    case .reduced: "reduced"
    }
  }

  package init?(named name: some StringProtocol) {
    guard let tier = Self.allCases.first(where: { name == String(describing: $0.name) }) else {
      return nil
    }
    self = tier
  }

  /// The largest `horizontalAccuracy` (metres, 68 %) that may be delivered for the tier. When to
  /// stop acquiring is the duty cycle's own, stricter target.
  package var acceptedAccuracy: Double {
    switch self {
    case .bestForNavigation: .infinity
    case .best: 15
    case .nearestTenMeters: 20
    case .hundredMeters: 100
    case .kilometer: 1000
    case .threeKilometers: 3000
    case .reduced: 5000
    }
  }

  /// Metres between delivered fixes where the client sets no filter of its own; `nil`: every epoch.
  package var defaultDistanceFilter: Double? {
    switch self {
    case .bestForNavigation: nil
    case .best: 5
    case .nearestTenMeters: 10
    case .hundredMeters: 50
    case .kilometer: 500
    case .threeKilometers: 1000
    case .reduced: 5000
    }
  }

  /// Stricter tiers come first.
  package static func < (left: Tier, right: Tier) -> Bool { left.rawValue < right.rawValue }
}

/// How the receiver moves: it decides the dynamic model, what counts as stationary, and how far a
/// position may have moved since the last fix. Raw values are Core Location's `CLActivityType`.
package enum Activity: Int, CaseIterable, Sendable {
  case other = 1
  case automotiveNavigation = 2
  case fitness = 3
  case otherNavigation = 4
  case airborne = 5

  /// The name in options, the configuration and JSON.
  package var name: StaticString {
    switch self {
    case .other: "other"
    case .automotiveNavigation: "automotiveNavigation"
    case .fitness: "fitness"
    case .otherNavigation: "otherNavigation"
    case .airborne: "airborne"
    }
  }

  package init?(named name: some StringProtocol) {
    guard let activity = Self.allCases.first(where: { name == String(describing: $0.name) }) else {
      return nil
    }
    self = activity
  }
}
