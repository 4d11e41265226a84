import GNSS

extension Demand {
  /// What all with reduced accuracy want.
  static func reduced(_ activity: Activity = .other) -> Demand {
    Demand(tier: .reduced, activity: activity, distanceFilter: Tier.reduced.defaultDistanceFilter)
  }

  /// Of two activities the one of the stricter tier holds. The receiver sleeps for a pause only if
  /// everybody pauses; one that is not paused sleeps between fixes by its own tier.
  fileprivate static func union(_ left: Demand, _ right: Demand) -> Demand {
    // What pauses wants nothing now: only its motion watch.
    if left.isPaused != right.isPaused, left.wantsFixNow == right.wantsFixNow {
      var awake = left.isPaused ? right : left
      let asleep = left.isPaused ? left : right
      awake.wantsSignificantChanges =
        awake.wantsSignificantChanges || asleep.wantsSignificantChanges
      awake.nearestRegionEdge = awake.nearestRegionEdge ?? asleep.nearestRegionEdge
      return awake
    }
    let leftLeads = left.tier <= right.tier
    var union = leftLeads ? left : right
    if let first = left.distanceFilter, let second = right.distanceFilter {
      union.distanceFilter = min(first, second)
    } else {
      union.distanceFilter = nil
    }
    union.wantsFixNow = left.wantsFixNow || right.wantsFixNow
    union.wantsSignificantChanges = left.wantsSignificantChanges || right.wantsSignificantChanges
    union.nearestRegionEdge =
      union.nearestRegionEdge ?? (leftLeads ? right : left).nearestRegionEdge
    union.isPaused = left.isPaused && right.isPaused
    return union
  }
}

extension Demand? {
  /// Makes it the strictest of what was wanted so far and a further wish.
  mutating func add(_ wish: Demand) { self = map { .union($0, wish) } ?? wish }
}

extension Session {
  /// Adds what it wants of the receiver. It changes nothing, but is large, and would be copied to
  /// be asked, at each fix.
  mutating func addWishes(to demand: inout Demand?, isStationary: Bool) {
    guard isActive else { return }
    let activity = options.activity
    guard !authorization.isReduced else { return demand.add(.reduced(activity)) }
    // A stream pauses once it has told its client; the rest as soon as nothing moves.
    let isStill = options.pausesAutomatically && isStationary
    if options.services.contains(.updates) {
      demand.add(
        Demand(
          tier: options.tier, activity: activity, distanceFilter: options.distance,
          isPaused: isPaused))
    }
    if options.services.contains(.significantChanges) {
      demand.add(
        Demand(
          tier: .kilometer, activity: activity, distanceFilter: Session.significantDistance,
          wantsSignificantChanges: true, isPaused: isStill))
    }
    if options.services.contains(.visits) {
      demand.add(
        Demand(
          tier: .hundredMeters, activity: activity, distanceFilter: VisitWatch.radius / 2,
          isPaused: isStill))
    }
    if options.services.contains(.heading) {
      demand.add(Demand(tier: .best, activity: activity, isPaused: isStill))
    }
  }
}
