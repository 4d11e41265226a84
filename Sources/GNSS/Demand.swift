/// What all live sessions together want of the receiver: the strictest combination of them. The
/// location services produce it, the duty cycle serves it.
package struct Demand: Equatable, Sendable {
  /// The strictest tier.
  package var tier: Tier
  package var activity: Activity
  /// The smallest filter of the sessions, in metres; `nil` where one of them wants every epoch.
  package var distanceFilter: Double?
  /// Whether a one-shot request or an impatient client waits: wake now, at full power, and sleep
  /// again by the rest of the demand once a fix meets the tier.
  package var wantsFixNow = false
  /// Whether a significant-change client is among the sessions (about 500 m is a move).
  package var wantsSignificantChanges = false
  /// Metres from the last fix to the nearest edge of a monitored region; `nil` without regions.
  package var nearestRegionEdge: Double?
  /// Whether nothing but regions is watched: then the distance to the nearest edge alone sets the
  /// pace, and lengthens it too.
  package var isForRegionsOnly = false
  /// Whether the sessions allow a pause while stationary and the services saw that nothing moves.
  package var isPaused = false

  package init(
    tier: Tier, activity: Activity = .other, distanceFilter: Double? = nil,
    wantsFixNow: Bool = false, wantsSignificantChanges: Bool = false,
    nearestRegionEdge: Double? = nil, isPaused: Bool = false
  ) {
    self.tier = tier
    self.activity = activity
    self.distanceFilter = distanceFilter
    self.wantsFixNow = wantsFixNow
    self.wantsSignificantChanges = wantsSignificantChanges
    self.nearestRegionEdge = nearestRegionEdge
    self.isPaused = isPaused
  }
}
