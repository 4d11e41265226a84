/// What was measured, in the order it was.
final class Results {
  /// One program on one input.
  struct Row {
    let contender: String
    /// What is counted, such as `MB/s`.
    let unit: String
    let samples: Samples
  }

  /// Contenders that ran in turn on the same input.
  struct Table {
    let name: String
    var rows: [Row] = []
  }

  private(set) var tables: [Table] = []
  private(set) var goals: [GoalResult] = []
  private(set) var missing: [String] = []
  let machine: Machine

  init(machine: Machine) { self.machine = machine }

  func add(_ table: Table) { tables.append(table) }
  func add(_ goal: GoalResult) { goals.append(goal) }

  /// Names a peer or a tool that is not there.
  func lacks(_ what: String) {
    if !missing.contains(what) { missing.append(what) }
  }
}

/// One thing that a goal asks for.
struct Clause {
  let name: String
  let unit: String
  /// Empty where it could not be measured.
  let samples: Samples
  let gate: Double
  let target: Double
  /// Whether more is better.
  let isFloor: Bool

  /// At least so much.
  static func atLeast(
    _ name: String, _ samples: Samples, unit: String = "x", gate: Double, target: Double
  ) -> Clause {
    Clause(
      name: name, unit: unit, samples: samples, gate: gate, target: target, isFloor: true)
  }

  /// At most so much.
  static func atMost(
    _ name: String, _ samples: Samples, unit: String = "x", gate: Double, target: Double
  ) -> Clause {
    Clause(
      name: name, unit: unit, samples: samples, gate: gate, target: target, isFloor: false)
  }

  /// Something that holds or does not.
  static func holds(_ name: String, _ isTrue: Bool) -> Clause {
    .atLeast(name, Samples([isTrue ? 1 : 0]), unit: "", gate: 1, target: 1)
  }

  static func notMeasured(_ name: String) -> Clause {
    .atLeast(name, Samples(), gate: 0, target: 0)
  }

  var verdict: Verdict {
    guard !samples.isEmpty else { return .notMeasured }
    let value = samples.median
    if isFloor ? value >= target : value <= target { return .target }
    return (isFloor ? value >= gate : value <= gate) ? .gate : .missed
  }
}

/// From the worst to the best; what is not known says nothing.
enum Verdict: Int, Comparable {
  case missed, gate, target, notMeasured

  var text: String {
    switch self {
    case .missed: "MISSED"
    case .gate: "gate"
    case .target: "target"
    case .notMeasured: "not measured"
    }
  }

  static func < (one: Verdict, other: Verdict) -> Bool { one.rawValue < other.rawValue }
}

struct GoalResult {
  let id: Int
  let title: String
  var clauses: [Clause]
  /// Why something is as it is, or was not measured.
  var note: String?

  var verdict: Verdict { clauses.map(\.verdict).min() ?? .notMeasured }
}
