import GNSS

/// How a run writes down what happens.
extension PlanResult {
  private static func index(_ instant: Monotonic, of length: Duration) -> Int {
    let share = (instant - .zero).inSeconds / max(length.inSeconds, 1e-9)
    return min(max(Int(share * Double(Plan.timelineCount)), 0), Plan.timelineCount - 1)
  }

  /// A stretch in one state.
  mutating func spend(
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

  mutating func note(error distance: Double, at now: Monotonic, of length: Duration) {
    error.add(distance)
    let index = Self.index(now, of: length)
    timeline[index].error = max(timeline[index].error ?? 0, distance)
  }
}
