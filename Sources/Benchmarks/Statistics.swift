/// The same quantity, measured once in each round.
struct Samples {
  private(set) var values: [Double]

  init(_ values: [Double] = []) { self.values = values }

  var isEmpty: Bool { values.isEmpty }
  var min: Double { values.min() ?? .nan }
  var max: Double { values.max() ?? .nan }

  var median: Double { quantile(0.5) }

  /// Linear between the two values next to it.
  func quantile(_ share: Double) -> Double {
    guard !values.isEmpty else { return .nan }
    let sorted = values.sorted()
    let position = share * Double(sorted.count - 1)
    let below = Int(position)
    let above = Swift.min(below + 1, sorted.count - 1)
    return sorted[below] + (sorted[above] - sorted[below]) * (position - Double(below))
  }

  mutating func append(_ value: Double) { values.append(value) }

  func map(_ change: (Double) -> Double) -> Samples { Samples(values.map(change)) }

  /// Round by round, so that what disturbs both in one round cancels.
  static func / (one: Samples, other: Samples) -> Samples {
    Samples(zip(one.values, other.values).map { $0 / $1 })
  }
}
