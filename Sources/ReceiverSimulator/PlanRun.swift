import GNSS
import ReceiverControl

/// One run of a plan: the events of the simulated clock in their order.
struct PlanRun {
  private let plan: Plan
  private let schedule: Plan.Schedule
  private let method: SleepMethod?
  private let target: Double
  private let accepted: Double
  private var duty: DutyCycle?
  private var fixed: FixedSchedule?
  private var navigation: SimulatedNavigation
  private var random: SeededRandom
  private var outcome = PlanResult()
  private var now = Monotonic.zero
  private var end: Monotonic
  private var cursor = 0
  private var queryCursor = 0
  private var timer = Monotonic.never
  private var nextEpoch = Monotonic.zero
  private var nextQuery = Monotonic.zero
  /// When the receiver answers that was told to wake, and sleeps that was told to sleep.
  private var wakeDone = Monotonic.never
  private var sleepDone = Monotonic.never
  private var interval = Duration.seconds(1)
  private var delivered: (position: Coordinate, instant: Monotonic)?
  private var strongCount = 0

  init(_ plan: Plan, _ schedule: Plan.Schedule) {
    (self.plan, self.schedule) = (plan, schedule)
    method = plan.profile.sleep.first?.method
    navigation = SimulatedNavigation(profile: plan.profile, seed: plan.seed)
    random = SeededRandom(seed: plan.seed &+ 0x5eed)
    end = .zero + plan.length
    switch schedule {
    case .dutyCycle(let demand):
      duty = DutyCycle(power: plan.profile.power)
      accepted = demand.tier.acceptedAccuracy
    case .always: accepted = .infinity
    case .fixed(let period):
      fixed = FixedSchedule(period: period)
      accepted = .infinity
    }
    target = 60
  }

  mutating func result() -> PlanResult {
    navigation.switchOn(at: now)
    if case .dutyCycle(let demand) = schedule { perform(duty?.handle(.demand(demand), at: now)) }
    while now < end { step() }
    outcome.length = plan.length
    return outcome
  }

  private mutating func step() {
    let epoch = navigation.state == .off ? Monotonic.never : nextEpoch
    let next = min(end, timer, epoch, nextQuery, wakeDone, sleepDone)
    spend(until: max(next, now))
    guard now < end else { return }
    if wakeDone <= now { wake() }
    if sleepDone <= now { fallAsleep() }
    if timer <= now {
      timer = .never
      perform(duty?.handle(.timerFired, at: now))
      if fixed != nil { wakeFixed() }
    }
    if navigation.state != .off, nextEpoch <= now { takeEpoch() }
    if nextQuery <= now { query() }
  }

  private mutating func spend(until next: Monotonic) {
    let state: PlanResult.State
    var milliamperes = navigation.current(asleep: method)
    switch navigation.state {
    case .off where wakeDone < .never:
      // Starting up, it draws what a search does.
      state = .searching
      milliamperes = plan.profile.acquisition.value
    case .off: state = .asleep
    case .searching: state = .searching
    case .tracking: state = navigation.isCyclic ? .cyclic : .tracking
    }
    outcome.spend(
      from: now, until: next, in: state, watts: plan.profile.supply.value * milliamperes / 1000,
      of: plan.length)
    now = next
  }

  private mutating func perform(_ commands: [DutyCycle.Command]?) {
    for command in commands ?? [] {
      switch command {
      case .wake:
        sleepDone = .never
        outcome.wakeCount += 1
        if navigation.state == .off { wakeDone = now + Plan.wakeTime } else { wakeDone = now }
      case .sleep: sleepDone = now + Plan.fallTime
      case .run(let running):
        navigation.isCyclic = running.isCyclic
        interval = running.interval
        nextEpoch = min(nextEpoch, now + interval)
      case .armTimer(let instant): timer = instant
      case .noFix: outcome.failureCount += 1
      }
    }
  }

  private mutating func wake() {
    wakeDone = .never
    navigation.switchOn(at: now)
    nextEpoch = now + interval
    perform(duty?.handle(.awake, at: now))
  }

  private mutating func fallAsleep() {
    sleepDone = .never
    navigation.switchOff(at: now)
    navigation.isCyclic = false
    perform(duty?.handle(.asleep, at: now))
  }

  private mutating func takeEpoch() {
    nextEpoch = now + interval
    let point = plan.journey.point(at: now - .zero, cursor: &cursor)
    let before = navigation.state
    let solution = navigation.step(at: now, to: point)
    if before == .searching, navigation.state == .tracking { outcome.fixCount += 1 }
    if let solution, solution.accuracy <= accepted {
      delivered = (solution.position, now)
    }
    if duty != nil {
      let observation = DutyCycle.Observation(
        position: solution?.position,
        accuracy: solution?.accuracy, speed: solution?.speed,
        strongCount: point.reception.strongCount, ephemerisCount: solution?.ephemerisCount)
      perform(duty?.handle(.epoch(observation), at: now))
    }
    sleepFixed(solution)
  }

  private mutating func query() {
    nextQuery = now + .milliseconds(Int64(2000 * Plan.queryInterval * random.uniform()) + 1)
    let point = plan.journey.point(at: now - .zero, cursor: &queryCursor)
    guard let delivered else {
      outcome.unansweredCount += 1
      return
    }
    let distance = delivered.position.planarDistance(to: point.position)
    outcome.note(error: distance, at: now, of: plan.length)
    if point.speed > 0 { outcome.movingError.add(distance) }
    outcome.age.add((now - delivered.instant).inSeconds)
  }

  // MARK: A fixed schedule

  private mutating func wakeFixed() {
    guard var schedule = fixed else { return }
    if navigation.state == .off {
      outcome.wakeCount += 1
      wakeDone = now + Plan.wakeTime
      timer = now + FixedSchedule.timeout
    } else {
      outcome.failureCount += 1
      timer = schedule.next(after: now)
      sleepDone = now
    }
    fixed = schedule
  }

  private mutating func sleepFixed(_ solution: SimulatedNavigation.Solution?) {
    guard var schedule = fixed, let solution else { return }
    schedule.goodEpochs = solution.accuracy <= target ? schedule.goodEpochs + 1 : 0
    if schedule.goodEpochs >= FixedSchedule.settlingEpochs {
      schedule.goodEpochs = 0
      timer = schedule.next(after: now)
      sleepDone = now
    }
    fixed = schedule
  }
}

/// Fixes at fixed times, for comparison: sleeps after each, or after a search in vain.
private struct FixedSchedule {
  let period: Duration
  var goodEpochs = 0

  static let timeout = Duration.seconds(25)
  static let settlingEpochs = 2
  /// What a hot start takes; the receiver is woken so much earlier.
  static let lead = Duration.seconds(4)

  init(period: Duration) { self.period = period }

  mutating func next(after now: Monotonic) -> Monotonic {
    let count = (now - .zero).wholeNanoseconds / max(period.wholeNanoseconds, 1) + 1
    let due = Monotonic.zero + .nanoseconds(count * period.wholeNanoseconds)
    let start = Monotonic(nanoseconds: due.nanoseconds - Self.lead.wholeNanoseconds)
    return max(start, now + .seconds(1))
  }
}
