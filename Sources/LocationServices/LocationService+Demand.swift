import GNSS

/// The strictest combination of what all want. It is not kept, but found anew at each event: what
/// it follows from changes in many places, and a session that is asked in place costs less than
/// the distance that its filter measures.
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

  private mutating func strictest() -> Demand? {
    var demand: Demand?
    for index in sessions.indices {
      let isStationary = stationary.isStationary(sessions[index].options.activity)
      sessions[index].addWishes(to: &demand, isStationary: isStationary)
    }
    for index in oneShots.indices {
      let tier = oneShots[index].isReduced ? Tier.reduced : oneShots[index].shot.tier
      demand.add(Demand(tier: tier, wantsFixNow: true))
    }
    let hasOthers = demand != nil || reducedRegions.count > 0
    if regions.count > 0 {
      var wish = Demand(
        tier: .hundredMeters, distanceFilter: Tier.hundredMeters.defaultDistanceFilter)
      wish.nearestRegionEdge = max(regions.edgeDistance ?? 0, Self.edgeDistanceMin)
      wish.isPaused = stationary.isStationary(.other)
      wish.isForRegionsOnly = !hasOthers
      demand.add(wish)
    }
    if reducedRegions.count > 0 { demand.add(.reduced()) }
    return demand
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
