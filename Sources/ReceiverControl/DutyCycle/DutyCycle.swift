import GNSS

/// Decides when the receiver is awake and how it runs, so that the strictest demand is met at the
/// least energy. The host owns the cycle; of the receiver's own modes only cyclic tracking is
/// used.
///
/// It wakes the receiver early by the time that it learned a fix to take, stops as soon as the
/// fix is good enough, gives up early under no sky, and waits longer after failures. How long it
/// then sleeps comes from how fast the position grows wrong: the speed against the tier's radius.
package struct DutyCycle: Sendable {
  package enum Event: Equatable, Sendable {
    /// What is wanted from now on; `nil`: nothing.
    case demand(Demand?)
    case epoch(Observation)
    case timerFired
    /// The receiver answers and is configured.
    case awake
    /// It was told to sleep and does.
    case asleep
    /// It will not sleep.
    case sleepFailed
    case supply(PowerSupply)
    /// Something else saw it move: ignition, an accelerometer.
    case moved
  }

  package enum Command: Equatable, Sendable {
    case wake
    case sleep(for: Duration)
    /// Run like this; sent only where it differs from before.
    case run(Running)
    /// Fire at this instant; takes the place of the timer armed before.
    case armTimer(Monotonic)
    /// A search ended without a fix: the next one is so far away.
    case noFix(next: Duration)
  }

  /// How an awake receiver runs.
  package struct Running: Equatable, Sendable {
    package var interval: Duration
    package var isCyclic: Bool

    package init(interval: Duration, isCyclic: Bool) {
      (self.interval, self.isCyclic) = (interval, isCyclic)
    }
  }

  /// What one epoch said.
  package struct Observation: Equatable, Sendable {
    package var position: Coordinate?
    /// Metres, 68 %.
    package var accuracy: Double?
    package var speed: Double?
    /// Satellites at 28 dB-Hz or more, and used ones whose ephemeris the receiver holds; `nil`
    /// where it does not say.
    package var strongCount: Int?
    package var ephemerisCount: Int?

    package init(
      position: Coordinate? = nil, accuracy: Double? = nil, speed: Double? = nil,
      strongCount: Int? = nil, ephemerisCount: Int? = nil
    ) {
      self.position = position
      self.accuracy = accuracy
      self.speed = speed
      self.strongCount = strongCount
      self.ephemerisCount = ephemerisCount
    }
  }

  enum Phase: Equatable, Sendable {
    /// Nothing is wanted.
    case idle
    /// Told to wake; its answer is out.
    case waking
    case acquiring(isLong: Bool)
    /// Has its fix, and stays on until the ephemerides are fresh.
    case refreshing
    /// Runs through.
    case running
    /// Told to sleep until `due`, or sleeping.
    case sleeping
  }

  let power: ReceiverPower
  var phase = Phase.idle
  var demand: Demand?
  var supply = PowerSupply.battery
  var motion = Motion()
  package var fixTimes: FixTimes
  var running: Running?
  /// When the phase that a timer ends began, and when it ends.
  var since = Monotonic.zero
  var deadline = Monotonic.never
  var isAwake = true
  var canSleep: Bool
  /// When the receiver was last switched off, and had its last fix.
  var offSince: Monotonic?
  var lastFix: Monotonic?
  var goodEpochs = 0
  var lastStrongCount = 0
  var failures = 0
  var hasFixed = false
  /// Since when the ephemerides are complete, as far as is known.
  var freshSince: Monotonic?
  var trackingSince: Monotonic?
  var poorSince: Monotonic?
  var fullPowerUntil = Monotonic.zero
  var changeSince: Monotonic?
  var pauseChecks = 0

  package init(power: ReceiverPower, fixTimes: FixTimes = FixTimes()) {
    self.power = power
    self.fixTimes = fixTimes
    canSleep = power.canSleep
  }

  package mutating func handle(_ event: Event, at now: Monotonic) -> [Command] {
    switch event {
    case .demand(let demand): return take(demand, at: now)
    case .epoch(let observation): return take(observation, at: now)
    case .timerFired: return now >= deadline ? expire(at: now) : []
    case .awake: return woke(at: now)
    case .asleep:
      isAwake = false
      return []
    case .sleepFailed:
      canSleep = false
      isAwake = true
      return phase == .sleeping ? startAcquiring(at: now) : []
    case .supply(let supply):
      guard supply != self.supply else { return [] }
      self.supply = supply
      return demand == nil ? [] : reconsider(at: now)
    case .moved:
      failures = 0
      pauseChecks = 0
      return phase == .sleeping ? wake(at: now) : []
    }
  }

  private mutating func take(_ demand: Demand?, at now: Monotonic) -> [Command] {
    let before = self.demand
    self.demand = demand
    guard let demand else {
      guard before != nil else { return [] }
      return sleep(until: now + Self.idleSleep, to: .idle, at: now)
    }
    if !demand.isPaused { pauseChecks = 0 }
    let isStricter = before.map { demand.tier < $0.tier } ?? true
    if isStricter || demand.wantsFixNow && !(before?.wantsFixNow ?? false) { failures = 0 }
    return reconsider(at: now)
  }

  /// The demand or the supply changed.
  private mutating func reconsider(at now: Monotonic) -> [Command] {
    guard let demand else { return [] }
    switch phase {
    case .idle: return wake(at: now)
    case .sleeping:
      if demand.wantsFixNow || supply == .external { return wake(at: now) }
      // The new pace counts from the last fix.
      let due = (lastFix ?? now) + period(at: now)
      guard due < deadline else { return [] }
      return due <= now + Self.sleepMin ? wake(at: now) : arm(due)
    case .running: return run(at: now)
    case .waking, .acquiring, .refreshing: return []
    }
  }

  private mutating func woke(at now: Monotonic) -> [Command] {
    isAwake = true
    switch phase {
    case .idle:
      return demand == nil ? sleep(until: now + Self.idleSleep, to: .idle, at: now) : wake(at: now)
    case .waking: return startAcquiring(at: now)
    case .sleeping:
      // By itself: back to sleep, unless little is left of it.
      guard canSleep, deadline - now > Self.sleepMin * 3 else { return startAcquiring(at: now) }
      return [.sleep(for: deadline - now)] + arm(deadline)
    case .acquiring, .refreshing, .running: return []
    }
  }

  /// Without any demand the receiver is asked for so long a sleep at a time.
  static let idleSleep = Duration.seconds(86_400)
  /// A shorter sleep is not worth its wake-up.
  static let sleepMin = Duration.seconds(4)

  private mutating func expire(at now: Monotonic) -> [Command] {
    switch phase {
    case .idle: return isAwake ? [] : [.sleep(for: Self.idleSleep)] + arm(now + Self.idleSleep)
    case .sleeping: return wake(at: now)
    case .acquiring(let isLong): return endSearch(isLong: isLong, at: now)
    case .refreshing: return finishFix(at: now)
    case .running: return lostSky(at: now)
    case .waking: return []
    }
  }

  mutating func arm(_ instant: Monotonic) -> [Command] {
    guard instant != deadline else { return [] }
    deadline = instant
    return [.armTimer(instant)]
  }

  mutating func wake(at now: Monotonic) -> [Command] {
    guard !isAwake else { return startAcquiring(at: now) }
    phase = .waking
    deadline = .never
    return [.wake]
  }

  mutating func sleep(
    until due: Monotonic, to next: Phase = .sleeping, at now: Monotonic
  ) -> [Command] {
    phase = next
    offSince = now
    trackingSince = nil
    poorSince = nil
    guard canSleep else { return arm(due) }
    isAwake = false
    return [.sleep(for: due - now)] + arm(due)
  }
}
