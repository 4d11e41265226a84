import GNSS

/// The strictest combination of what all want.
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
    // By index, here and below: a session is large, and this is asked at each fix.
    for index in sessions.indices where sessions[index].isActive {
      for wish in wishes(sessions[index]) { demand = demand.map { Self.union($0, wish) } ?? wish }
    }
    for pending in oneShots {
      let wish = Demand(tier: pending.isReduced ? .reduced : pending.shot.tier, wantsFixNow: true)
      demand = demand.map { Self.union($0, wish) } ?? wish
    }
    let hasOthers = demand != nil || reducedRegions.count > 0
    if regions.count > 0 {
      var wish = Demand(
        tier: .hundredMeters, distanceFilter: Tier.hundredMeters.defaultDistanceFilter)
      wish.nearestRegionEdge = max(regions.edgeDistance ?? 0, Self.edgeDistanceMin)
      wish.isPaused = isStationary(.other)
      wish.isForRegionsOnly = !hasOthers
      demand = demand.map { Self.union($0, wish) } ?? wish
    }
    if reducedRegions.count > 0 {
      let wish = Demand(tier: .reduced, distanceFilter: Tier.reduced.defaultDistanceFilter)
      demand = demand.map { Self.union($0, wish) } ?? wish
    }
    return demand
  }

  @inline(__always)
  private func wishes(_ session: Session) -> [Demand] {
    let options = session.options
    let activity = options.activity
    if session.authorization.isReduced {
      return [
        Demand(
          tier: .reduced, activity: activity, distanceFilter: Tier.reduced.defaultDistanceFilter)
      ]
    }
    // A stream pauses once it has told its client; the rest as soon as nothing moves.
    let isStill = options.pausesAutomatically && isStationary(activity)
    var wishes: [Demand] = []
    if options.services.contains(.updates) {
      wishes.append(
        Demand(
          tier: options.tier, activity: activity, distanceFilter: options.distance,
          isPaused: session.isPaused))
    }
    if options.services.contains(.significantChanges) {
      wishes.append(
        Demand(
          tier: .kilometer, activity: activity, distanceFilter: Session.significantDistance,
          wantsSignificantChanges: true, isPaused: isStill))
    }
    if options.services.contains(.visits) {
      wishes.append(
        Demand(
          tier: .hundredMeters, activity: activity, distanceFilter: VisitWatch.radius / 2,
          isPaused: isStill))
    }
    if options.services.contains(.heading) {
      wishes.append(Demand(tier: .best, activity: activity, isPaused: isStill))
    }
    return wishes
  }

  func isStationary(_ activity: Activity) -> Bool { stationary[activity]?.isStationary ?? false }

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
    var wanted: Set<Activity> = regions.count > 0 ? [.other] : []
    for index in sessions.indices
    where sessions[index].options.pausesAutomatically && sessions[index].isActive {
      wanted.insert(sessions[index].options.activity)
    }
    guard !wanted.isEmpty || !stationary.isEmpty else { return }
    for activity in stationary.keys where !wanted.contains(activity) {
      stationary[activity] = nil
    }
    for activity in wanted where stationary[activity] == nil {
      stationary[activity] = StationaryWatch(rule: activities[activity])
    }
  }

  /// Where the service as a whole stands.
  package var state: ServiceState {
    guard let demand else { return .idle }
    if let failure { return .failed(reason: failure) }
    if demand.isPaused { return .paused }
    return search.hasFix ? .locating : .acquiring
  }
}
