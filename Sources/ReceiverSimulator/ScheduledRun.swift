import GNSS
import ReceiverControl

/// A plan's run by a schedule that looks at nothing, for comparison. No driver stands in between:
/// the receiver obeys at once and needs no settings, which is to the schedule's advantage.
struct ScheduledRun {
  private let plan: Plan
  private let method: SleepMethod?
  private var fixed: FixedSchedule?
  private var navigation: SimulatedNavigation
  private var recorder: PlanRecorder
  private var cursor = 0
  private var timer = Monotonic.never
  private var nextEpoch = Monotonic.zero
  /// When the receiver answers that was told to wake, and sleeps that was told to sleep.
  private var wakeDone = Monotonic.never
  private var sleepDone = Monotonic.never

  /// From the wake-up to when the receiver searches.
  private static let wakeTime = Duration.milliseconds(600)
  private static let interval = Duration.seconds(1)
  /// Metres, 68 %, of an epoch that counts as settled.
  private static let target = 60.0

  init(_ plan: Plan, _ schedule: Plan.Schedule) {
    self.plan = plan
    method = plan.profile.sleep.first?.method
    navigation = SimulatedNavigation(profile: plan.profile, seed: plan.seed)
    recorder = PlanRecorder(plan)
    if case .fixed(let period) = schedule { fixed = FixedSchedule(period: period) }
  }

  private var now: Monotonic { recorder.now }

  mutating func result() -> PlanResult {
    navigation.switchOn(at: now)
    while now < recorder.end { step() }
    return recorder.outcome
  }

  private mutating func step() {
    let epoch = navigation.state == .off ? Monotonic.never : nextEpoch
    let next = min(recorder.end, timer, epoch, recorder.nextQuery, wakeDone, sleepDone)
    spend(until: next)
    guard now < recorder.end else { return }
    if wakeDone <= now { wake() }
    if sleepDone <= now {
      sleepDone = .never
      navigation.switchOff(at: now)
    }
    if timer <= now { alternate() }
    if navigation.state != .off, nextEpoch <= now { takeEpoch() }
    recorder.answer()
  }

  private mutating func spend(until next: Monotonic) {
    // Starting up, it draws what a search does.
    if navigation.state == .off, wakeDone < .never {
      let current = plan.profile.acquisition.value
      return recorder.spend(until: next, in: .searching, milliamperes: current)
    }
    let current = navigation.current(asleep: method)
    recorder.spend(until: next, in: PlanResult.State(navigation), milliamperes: current)
  }

  private mutating func wake() {
    wakeDone = .never
    navigation.switchOn(at: now)
    nextEpoch = now + Self.interval
  }

  private mutating func takeEpoch() {
    nextEpoch = now + Self.interval
    let point = plan.journey.point(at: now - .zero, cursor: &cursor)
    let before = navigation.state
    let solution = navigation.step(at: now, to: point)
    if before == .searching, navigation.state == .tracking { recorder.outcome.fixCount += 1 }
    guard let solution else { return }
    recorder.deliver(solution.position)
    sleepIfSettled(solution)
  }

  /// The time to wake has come, or the time to search is over.
  private mutating func alternate() {
    timer = .never
    guard let fixed else { return }
    if navigation.state == .off {
      recorder.outcome.wakeCount += 1
      wakeDone = now + Self.wakeTime
      timer = now + FixedSchedule.timeout
    } else {
      recorder.outcome.failureCount += 1
      timer = fixed.next(after: now)
      sleepDone = now
    }
  }

  private mutating func sleepIfSettled(_ solution: SimulatedNavigation.Solution) {
    guard var schedule = fixed else { return }
    schedule.goodEpochs = solution.accuracy <= Self.target ? schedule.goodEpochs + 1 : 0
    if schedule.goodEpochs >= FixedSchedule.settlingEpochs {
      schedule.goodEpochs = 0
      timer = schedule.next(after: now)
      sleepDone = now
    }
    fixed = schedule
  }
}

/// Fixes at fixed times: sleeps after each, or after a search in vain.
private struct FixedSchedule {
  let period: Duration
  var goodEpochs = 0

  static let timeout = Duration.seconds(25)
  static let settlingEpochs = 2
  /// What a hot start takes; the receiver is woken so much earlier.
  static let lead = Duration.seconds(4)

  init(period: Duration) { self.period = period }

  func next(after now: Monotonic) -> Monotonic {
    let count = (now - .zero).wholeNanoseconds / max(period.wholeNanoseconds, 1) + 1
    let due = Monotonic.zero + .nanoseconds(count * period.wholeNanoseconds)
    let start = Monotonic(nanoseconds: due.nanoseconds - Self.lead.wholeNanoseconds)
    return max(start, now + .seconds(1))
  }
}

extension PlanResult.State {
  init(_ navigation: SimulatedNavigation) {
    switch navigation.state {
    case .off: self = .asleep
    case .searching: self = .searching
    case .tracking: self = navigation.isCyclic ? .cyclic : .tracking
    }
  }
}
