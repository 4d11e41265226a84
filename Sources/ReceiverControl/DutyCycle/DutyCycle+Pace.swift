import GNSS

/// How long between fixes, and whether sleeping in between pays.
extension DutyCycle {
  /// The share of a tier's radius that movement may use up; the rest is for the error itself.
  static let movingShare = 0.9
  /// As many accuracies (68 %) are held to be the error's bound.
  static let errorBound = 2.0
  /// With another pace wanted for so long, it is taken.
  static let changeTime = Duration.seconds(10)
  static let longRest = Duration.seconds(3600)
  static let significantDistance = 400.0
  /// Sleeping must save somewhat more than it costs: each wake-up wears and may fail.
  static let sleepGain = 1.1
  static let regionPeriodMax = Duration.seconds(1800)
  /// Filters below this are noise's size and set no pace.
  static let distanceFilterMin = 10.0

  /// The time between this fix and the next.
  func period(at now: Monotonic) -> Duration {
    guard let demand else { return Self.idleSleep }
    if demand.isPaused {
      let doubled = demand.activity.resumeCheck * (1 << min(pauseChecks, 8))
      return min(doubled, demand.activity.resumeCheckMax)
    }
    if demand.isForRegionsOnly { return regionPeriod(demand) ?? policy.resting }
    var period = movingPeriod(demand)
    if let rested = motion.restedTime(at: now) {
      period = rested >= Self.longRest ? policy.longResting : policy.resting
    }
    if let region = regionPeriod(demand) { period = min(period, region) }
    if demand.wantsSignificantChanges {
      let seconds = Self.significantDistance / motion.paceOrGuess(demand.activity)
      period = min(period, .milliseconds(Int64(min(max(seconds, 60), 900) * 1000)))
    }
    return supply == .low ? period * 2 : period
  }

  /// How long the position stays within the tier's radius at the present speed.
  private func movingPeriod(_ demand: Demand) -> Duration {
    let speed = motion.paceOrGuess(demand.activity)
    let spare = policy.radius - Self.errorBound * min(motion.accuracy, policy.target)
    var meters = max(spare, policy.radius * 0.2) * Self.movingShare
    if let filter = demand.distanceFilter, filter >= Self.distanceFilterMin {
      meters = min(meters, max(filter, policy.radius * 0.2))
    }
    let seconds = min(meters / speed, 86_400)
    let period = Duration.milliseconds(Int64(seconds * 1000))
    return min(max(period, policy.shortest), policy.longest)
  }

  /// No edge can be reached sooner.
  private func regionPeriod(_ demand: Demand) -> Duration? {
    guard let edge = demand.nearestRegionEdge, edge.isFinite else { return nil }
    let seconds = max(edge - motion.accuracy, 0) / demand.activity.topSpeed
    let period = Duration.milliseconds(Int64(min(seconds, 86_400) * 1000))
    return min(max(period, policy.shortest), Self.regionPeriodMax)
  }

  /// Whether staying on costs less than sleeping and acquiring again, or the tier wants it.
  func runsThrough(at now: Monotonic) -> Bool {
    guard let demand, canSleep else { return true }
    if supply == .external { return true }
    if demand.wantsFixNow, !hasMetDemand(at: now) { return true }
    if policy.isContinuous, supply != .low || demand.tier == .bestForNavigation {
      return !demand.isPaused
    }
    let period = period(at: now)
    let on = fixTimes.expected(afterOff: period).inSeconds + Double(policy.settlingEpochs) + 1
    let reference = usesCyclic(at: now) ? power.cyclic ?? power.tracking : power.tracking
    return period.inSeconds <= Self.sleepGain * on * power.acquisition / max(reference, 0.1)
  }

  private func hasMetDemand(at now: Monotonic) -> Bool {
    lastFix.map { now - $0 <= .seconds(2) } ?? false
  }

  /// Cyclic tracking is too coarse for navigation, and left for a while when accuracy suffers.
  private func usesCyclic(at now: Monotonic) -> Bool {
    guard power.cyclic != nil, supply != .external, let demand else { return false }
    return !policy.isContinuous && demand.activity != .airborne && now >= fullPowerUntil
  }

  /// How a running receiver shall run now.
  private func wantedRunning(at now: Monotonic) -> Running {
    let period = period(at: now)
    let steps: [Duration] = [.milliseconds(200), .milliseconds(500), .seconds(1)]
    let interval = steps.last { $0 <= max(period, policy.shortest) } ?? .seconds(1)
    let possible = max(interval, power.shortestInterval)
    return Running(interval: possible, isCyclic: usesCyclic(at: now) && possible >= .seconds(1))
  }

  mutating func run(at now: Monotonic) -> [Command] {
    phase = .running
    return setRunning(wantedRunning(at: now)) + arm(now + Self.searchMax)
  }

  /// One epoch of a running receiver: another pace, or sleep, once it is wanted for a while.
  mutating func follow(_ observation: Observation, at now: Monotonic) -> [Command] {
    guard observation.position != nil, let accuracy = observation.accuracy else {
      return followWithoutFix(observation, at: now)
    }
    lastFix = now
    failures = 0
    watchAccuracy(accuracy, at: now)
    let isSleepy = !runsThrough(at: now)
    let next = wantedRunning(at: now)
    guard isSleepy || next != running else {
      changeSince = nil
      return []
    }
    let waiting = changeSince ?? now
    changeSince = waiting
    // A shorter interval cannot wait: the position runs away meanwhile.
    let isUrgent = !isSleepy && next.interval < running?.interval ?? .zero
    guard isUrgent || now - waiting >= Self.changeTime else { return [] }
    changeSince = nil
    return isSleepy ? sleepAfterFix(at: now) : run(at: now)
  }

  /// Cyclic tracking that stays poor is left for half a minute of full power.
  private mutating func watchAccuracy(_ accuracy: Double, at now: Monotonic) {
    guard running?.isCyclic ?? false, accuracy > policy.target else {
      poorSince = nil
      return
    }
    let since = poorSince ?? now
    poorSince = since
    if now - since >= .seconds(10) { fullPowerUntil = now + .seconds(30) }
  }

  /// A running receiver of an economical tier that lost the sky searches as one that was woken
  /// does.
  private mutating func followWithoutFix(
    _ observation: Observation, at now: Monotonic
  ) -> [Command] {
    guard canSleep, supply != .external, !policy.isContinuous, let lastFix,
      now - lastFix >= Self.noSkyAfter
    else { return [] }
    return startAcquiring(at: now)
  }
}
