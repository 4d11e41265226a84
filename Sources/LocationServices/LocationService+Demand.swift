import GNSS

/// The strictest combination of what all want. It is not kept, but found anew at each event: what it
/// follows from changes in many places, and a session that is asked in place costs less than the
/// distance that its filter measures.
extension LocationService {
  /// Region edges are near or far by steps of this factor: else each fix would make a new demand.
  static let edgeStep = 1.25
  /// Metres. It does not matter how much nearer than this an edge is.
  static let edgeDistanceMin = 10.0

  mutating func updateDemand(at now: Now) {
    updateStationaryWatches()
    var next = strictest()
    if let old = demand?.nearestRegionEdge, let edge = next?.nearestRegionEdge,
      edge < old * Self.edgeStep, edge > old / Self.edgeStep
    {
      next?.nearestRegionEdge = old
    }
    if next == nil { search.stop() } else { search.begin(at: now.boottime) }
    guard next != demand else { return }
    demand = next
    commands.append(.wantReceiver(next))
  }

  private func strictest() -> Demand? {
    var demand: Demand?
    for index in sessions.indices where sessions[index].isActive {
      addWishes(ofSessionAt: index, to: &demand)
    }
    for index in oneShots.indices {
      let tier = oneShots[index].isReduced ? Tier.reduced : oneShots[index].shot.tier
      Self.add(Demand(tier: tier, wantsFixNow: true), to: &demand)
    }
    let hasOthers = demand != nil || reducedRegions.count > 0
    if regions.count > 0 {
      var wish = Demand(
        tier: .hundredMeters, distanceFilter: Tier.hundredMeters.defaultDistanceFilter)
      wish.nearestRegionEdge = max(regions.edgeDistance ?? 0, Self.edgeDistanceMin)
      wish.isPaused = stationary.isStationary(.other)
      wish.isForRegionsOnly = !hasOthers
      Self.add(wish, to: &demand)
    }
    if reducedRegions.count > 0 {
      Self.add(
        Demand(tier: .reduced, distanceFilter: Tier.reduced.defaultDistanceFilter), to: &demand)
    }
    return demand
  }

  /// By index: a session is large, and this is asked at each fix.
  private func addWishes(ofSessionAt index: Int, to demand: inout Demand?) {
    let activity = sessions[index].options.activity
    if sessions[index].authorization.isReduced {
      let distance = Tier.reduced.defaultDistanceFilter
      return Self.add(
        Demand(tier: .reduced, activity: activity, distanceFilter: distance), to: &demand)
    }
    let services = sessions[index].options.services
    // A stream pauses once it has told its client; the rest as soon as nothing moves.
    let isStill =
      sessions[index].options.pausesAutomatically && stationary.isStationary(activity)
    if services.contains(.updates) {
      let wish = Demand(
        tier: sessions[index].options.tier, activity: activity,
        distanceFilter: sessions[index].options.distance, isPaused: sessions[index].isPaused)
      Self.add(wish, to: &demand)
    }
    if services.contains(.significantChanges) {
      let wish = Demand(
        tier: .kilometer, activity: activity, distanceFilter: Session.significantDistance,
        wantsSignificantChanges: true, isPaused: isStill)
      Self.add(wish, to: &demand)
    }
    if services.contains(.visits) {
      let wish = Demand(
        tier: .hundredMeters, activity: activity, distanceFilter: VisitWatch.radius / 2,
        isPaused: isStill)
      Self.add(wish, to: &demand)
    }
    if services.contains(.heading) {
      Self.add(Demand(tier: .best, activity: activity, isPaused: isStill), to: &demand)
    }
  }

  private static func add(_ wish: Demand, to demand: inout Demand?) {
    demand = demand.map { union($0, wish) } ?? wish
  }

  /// Of two activities the one of the stricter tier holds. The receiver sleeps for a pause only if
  /// everybody pauses; one that is not paused sleeps between fixes by its own tier.
  private static func union(_ left: Demand, _ right: Demand) -> Demand {
    // What pauses wants nothing now: only its motion watch.
    if left.isPaused != right.isPaused, left.wantsFixNow == right.wantsFixNow {
      var awake = left.isPaused ? right : left
      let asleep = left.isPaused ? left : right
      awake.wantsSignificantChanges =
        awake.wantsSignificantChanges || asleep.wantsSignificantChanges
      awake.nearestRegionEdge = awake.nearestRegionEdge ?? asleep.nearestRegionEdge
      return awake
    }
    var union = left.tier <= right.tier ? left : right
    let other = left.tier <= right.tier ? right : left
    union.distanceFilter = left.distanceFilter.flatMap { first in
      right.distanceFilter.map { min(first, $0) }
    }
    union.wantsFixNow = left.wantsFixNow || right.wantsFixNow
    union.wantsSignificantChanges = left.wantsSignificantChanges || right.wantsSignificantChanges
    union.nearestRegionEdge = union.nearestRegionEdge ?? other.nearestRegionEdge
    union.isPaused = left.isPaused && right.isPaused
    return union
  }

  /// Keeps a watch for each activity of a session that may pause, and one for regions.
  private mutating func updateStationaryWatches() {
    var wanted: ActivitySet = regions.count > 0 ? ActivitySet(.other) : []
    for index in sessions.indices
    where sessions[index].options.pausesAutomatically && sessions[index].isActive {
      wanted.insert(ActivitySet(sessions[index].options.activity))
    }
    stationary.keep(wanted, rules: activities)
  }

  /// Where the service as a whole stands.
  package var state: ServiceState {
    guard let demand else { return .idle }
    if let failure { return .failed(reason: failure) }
    if demand.isPaused { return .paused }
    return search.hasFix ? .locating : .acquiring
  }
}
