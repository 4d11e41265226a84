import GNSS

/// From the wake-up to a fix that is good enough, or to giving up.
extension DutyCycle {
  /// By then some satellite is strong, or the sky is not there; and when there is none at all.
  static let noSkyAfter = Duration.seconds(16)
  static let nothingAfter = Duration.seconds(6)
  static let strongCountMin = 2
  /// With as many strong ones a fix is near, and the search goes on.
  static let strongCountGood = 4
  /// Each so many failures one search is long, to renew ephemerides under a poor sky.
  static let longSearchEvery = 3
  static let longSearch = Duration.seconds(75)
  /// The longest that a search of a running receiver goes on without a pause.
  static let searchMax = Duration.seconds(600)
  static let searchPause = Duration.seconds(60)
  /// A receiver needs as long to read the ephemerides of what it tracks.
  static let refreshTime = Duration.seconds(35)
  static let refreshTimeMax = Duration.seconds(45)
  static let ephemerisCountMin = 6
  /// GPS's ephemerides give hot starts for two hours; they are renewed at the last fix before.
  static let ephemerisLife = Duration.seconds(7200)

  var policy: DutyPolicy { DutyPolicy.policy(for: demand?.tier ?? .reduced) }

  mutating func startAcquiring(at now: Monotonic) -> [Command] {
    guard demand != nil else { return [] }
    since = now
    goodEpochs = 0
    trackingSince = nil
    let isLong = failures > 0 && failures % Self.longSearchEvery == 0
    let limit = hasFixed ? policy.timeout : policy.firstTimeout
    phase = .acquiring(isLong: isLong)
    return setRunning(Running(interval: .seconds(1), isCyclic: false))
      + arm(now + (isLong ? max(Self.longSearch, limit) : limit))
  }

  mutating func setRunning(_ next: Running) -> [Command] {
    guard next != running else { return [] }
    running = next
    return [.run(next)]
  }

  mutating func take(_ observation: Observation, at now: Monotonic) -> [Command] {
    guard demand != nil, isAwake else { return [] }
    note(observation, at: now)
    switch phase {
    case .acquiring(let isLong): return acquire(observation, isLong: isLong, at: now)
    case .refreshing:
      if observation.position != nil { lastFix = now }
      // That it holds ephemerides does not tell how old they are: only the time on the air does.
      guard let trackingSince, now - trackingSince >= Self.refreshTime,
        observation.ephemerisCount ?? Self.ephemerisCountMin
          >= min(Self.ephemerisCountMin, lastStrongCount)
      else { return [] }
      return finishFix(at: now)
    case .running: return follow(observation, at: now)
    case .idle, .waking, .sleeping: return []
    }
  }

  /// The search's time is over; it goes on once where a fix is near.
  mutating func endSearch(isLong: Bool, at now: Monotonic) -> [Command] {
    guard !isLong, lastStrongCount >= Self.strongCountGood, now - since < Self.longSearch else {
      return fail(at: now)
    }
    phase = .acquiring(isLong: true)
    return arm(since + Self.longSearch)
  }

  /// Keeps what every epoch says of movement and ephemerides.
  private mutating func note(_ observation: Observation, at now: Monotonic) {
    lastStrongCount = observation.strongCount ?? 0
    guard let demand, let position = observation.position, let accuracy = observation.accuracy
    else {
      trackingSince = nil
      return
    }
    trackingSince = trackingSince ?? now
    if let trackingSince, now - trackingSince >= Self.refreshTime { freshSince = now }
    // A position worse than a quarter of the radius says nothing of movement within it.
    if accuracy <= max(policy.target, 30) {
      motion.take(
        position, accuracy: accuracy, speed: observation.speed, activity: demand.activity, at: now)
    }
  }

  private mutating func acquire(
    _ observation: Observation, isLong: Bool, at now: Monotonic
  ) -> [Command] {
    let isGood =
      observation.position != nil && observation.accuracy.map { $0 <= policy.target } ?? false
    goodEpochs = isGood ? goodEpochs + 1 : 0
    guard goodEpochs >= policy.settlingEpochs else {
      if observation.position != nil, isLateButUsable(observation, at: now) {
        return takeFix(at: now)
      }
      return !isLong && isHopeless(observation, at: now) ? fail(at: now) : []
    }
    return takeFix(at: now)
  }

  private func isHopeless(_ observation: Observation, at now: Monotonic) -> Bool {
    guard !policy.isContinuous, supply != .external, observation.position == nil,
      let strongCount = observation.strongCount
    else { return false }
    let patience = strongCount == 0 ? Self.nothingAfter : Self.noSkyAfter
    return strongCount < Self.strongCountMin && now - since >= patience
  }

  /// A poor fix is taken when the search has lasted: a better one costs more than it brings.
  private func isLateButUsable(_ observation: Observation, at now: Monotonic) -> Bool {
    guard let accuracy = observation.accuracy, let demand else { return false }
    return now - since >= Self.noSkyAfter && accuracy <= demand.tier.acceptedAccuracy
  }

  private mutating func takeFix(at now: Monotonic) -> [Command] {
    let off = offSince.map { since - $0 }
    if let off, off > .zero { fixTimes.learn(now - since, afterOff: off) }
    // A search as long as this one read new ephemerides on its way.
    if now - since >= Self.refreshTime * 2 / 3 { freshSince = now }
    lastFix = now
    hasFixed = true
    failures = 0
    let period = period(at: now)
    let willBeStale = freshSince.map { now + period - $0 >= Self.ephemerisLife } ?? true
    if policy.refreshesEphemerides, willBeStale, canSleep, supply != .external,
      period < Self.ephemerisLife, !runsThrough(at: now)
    {
      phase = .refreshing
      return arm(now + Self.refreshTimeMax)
    }
    return finishFix(at: now)
  }

  mutating func finishFix(at now: Monotonic) -> [Command] {
    if demand?.isPaused ?? false { pauseChecks = min(pauseChecks + 1, 16) }
    if runsThrough(at: now) {
      phase = .running
      changeSince = nil
      return run(at: now)
    }
    return sleepAfterFix(at: now)
  }

  mutating func sleepAfterFix(at now: Monotonic) -> [Command] {
    let period = period(at: now)
    let early = period - fixTimes.expected(afterOff: period)
    return sleep(until: max((lastFix ?? now) + early, now + Self.sleepMin), at: now)
  }

  /// Whether it searches on and on: navigation waits for no cheaper moment, and a supply from
  /// outside costs nothing.
  private var searchesOn: Bool { demand?.tier == .bestForNavigation || supply == .external }

  mutating func fail(at now: Monotonic) -> [Command] {
    failures = min(failures + 1, 1000)
    if searchesOn { return [.noFix(next: .zero)] + startAcquiring(at: now) }
    let waits = policy.backOff
    var wait = waits[min(failures, waits.count) - 1]
    if supply == .low { wait *= 2 }
    if demand?.wantsFixNow ?? false { wait = min(wait, Self.searchPause) }
    offSince = offSince ?? now
    return [.noFix(next: wait)] + sleep(until: now + wait, at: now)
  }

  /// A running receiver found nothing for so long.
  mutating func lostSky(at now: Monotonic) -> [Command] {
    if let lastFix, now < lastFix + Self.searchMax { return arm(lastFix + Self.searchMax) }
    failures = min(failures + 1, 1000)
    if searchesOn { return [.noFix(next: .zero)] + startAcquiring(at: now) }
    return [.noFix(next: Self.searchPause)] + sleep(until: now + Self.searchPause, at: now)
  }
}
