import GNSS

/// Writes down what a run comes to: the energy in each state, and how wrong and how old the last
/// delivered fix is at random instants.
package struct PlanRecorder: Sendable {
  private let plan: Plan
  package var outcome = PlanResult()
  package private(set) var now = Monotonic.zero
  /// When the next question for the position comes.
  package private(set) var nextQuery = Monotonic.zero
  package let end: Monotonic
  private var cursor = 0
  private var random: SeededRandom
  private var delivered: (position: Coordinate, instant: Monotonic)?

  package init(_ plan: Plan) {
    self.plan = plan
    end = .zero + plan.length
    random = SeededRandom(seed: plan.seed &+ 0x5eed)
    outcome.length = plan.length
  }

  /// A stretch in one state, up to this instant.
  package mutating func spend(
    until next: Monotonic, in state: PlanResult.State, milliamperes: Double
  ) {
    guard next > now else { return }
    let watts = plan.profile.supply.value * milliamperes / 1000
    outcome.spend(from: now, until: next, in: state, watts: watts, of: plan.length)
    now = next
  }

  /// This is the last known position from now on.
  package mutating func deliver(_ position: Coordinate) { delivered = (position, now) }

  /// Answers the question for the position, if it is due.
  package mutating func answer() {
    guard nextQuery <= now else { return }
    nextQuery = now + .milliseconds(Int64(2000 * Plan.queryInterval * random.uniform()) + 1)
    let point = plan.journey.point(at: now - .zero, cursor: &cursor)
    guard let delivered else {
      outcome.unansweredCount += 1
      return
    }
    let distance = delivered.position.planarDistance(to: point.position)
    outcome.note(error: distance, at: now, of: plan.length)
    if point.speed > 0 { outcome.movingError.add(distance) }
    outcome.age.add((now - delivered.instant).inSeconds)
  }
}

extension PlanResult {
  private static func index(_ instant: Monotonic, of length: Duration) -> Int {
    let share = (instant - .zero).inSeconds / max(length.inSeconds, 1e-9)
    return min(max(Int(share * Double(Plan.timelineCount)), 0), Plan.timelineCount - 1)
  }

  fileprivate mutating func spend(
    from start: Monotonic, until end: Monotonic, in state: State, watts: Double,
    of length: Duration
  ) {
    let span = (end - start).inSeconds
    seconds[state.rawValue] += span
    joules[state.rawValue] += watts * span
    let part = length.inSeconds / Double(Plan.timelineCount)
    var from = (start - .zero).inSeconds
    let until = (end - .zero).inSeconds
    var index = Self.index(start, of: length)
    while from < until {
      let isLast = index == Plan.timelineCount - 1
      let next = isLast ? until : min(until, Double(index + 1) * part)
      timeline[index].seconds[state.rawValue] += max(next - from, 0)
      timeline[index].joules += watts * max(next - from, 0)
      (from, index) = (next, min(index + 1, Plan.timelineCount - 1))
      if isLast { return }
    }
  }

  fileprivate mutating func note(error distance: Double, at now: Monotonic, of length: Duration) {
    error.add(distance)
    let index = Self.index(now, of: length)
    timeline[index].error = max(timeline[index].error ?? 0, distance)
  }
}
