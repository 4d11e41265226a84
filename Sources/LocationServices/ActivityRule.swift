import GNSS

/// What an activity means for a stream: when it counts as standing still, how a pause is watched,
/// and which motion is beyond belief.
package struct ActivityRule: Equatable, Sendable {
  /// Fixes that stay this near to where they began, in metres, may be standing still.
  package var stationaryRadius: Double
  /// For how long they must stay there; `nil`: the activity never pauses.
  package var stationarySpan: Duration?
  /// Faster than this, in m/s, is not standing still, however near; `nil`: any speed.
  package var stationarySpeed: Double?
  /// How often a paused stream's receiver is woken to see whether it moves; `nil`: never paused.
  package var resumeCheck: Duration?
  /// A move that needs a greater speed than this, in m/s, is a jump.
  package var plausibleSpeed: Double
}

/// The rules of all activities, changed by the configuration where it says so.
package struct ActivityTable: Equatable, Sendable {
  private var rules: [ActivityRule]

  /// The defaults. Plausible speeds: a fast train, a car, a sprinter on a descending bicycle, a
  /// fast ferry, and a balloon or aircraft in a jet stream.
  package init() {
    rules = Activity.allCases.map { activity in
      switch activity {
      case .other:
        ActivityRule(
          stationaryRadius: 50, stationarySpan: .seconds(300), stationarySpeed: nil,
          resumeCheck: .seconds(120), plausibleSpeed: 100)
      case .automotiveNavigation:
        ActivityRule(
          stationaryRadius: 50, stationarySpan: .seconds(600), stationarySpeed: 1,
          resumeCheck: .seconds(60), plausibleSpeed: 80)
      case .fitness:
        ActivityRule(
          stationaryRadius: 30, stationarySpan: .seconds(900), stationarySpeed: nil,
          resumeCheck: .seconds(20), plausibleSpeed: 30)
      case .otherNavigation:
        ActivityRule(
          stationaryRadius: 50, stationarySpan: .seconds(300), stationarySpeed: nil,
          resumeCheck: .seconds(60), plausibleSpeed: 100)
      case .airborne:
        ActivityRule(
          stationaryRadius: 0, stationarySpan: nil, stationarySpeed: nil, resumeCheck: nil,
          plausibleSpeed: 500)
      }
    }
  }

  package subscript(activity: Activity) -> ActivityRule {
    get { rules[activity.rawValue - 1] }
    set { rules[activity.rawValue - 1] = newValue }
  }
}
