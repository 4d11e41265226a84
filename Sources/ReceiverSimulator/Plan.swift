import GNSS
import ReceiverControl

/// What a tier costs and reaches: a receiver of a profile is carried along a journey under a
/// simulated clock, by the daemon's core or by a schedule that it is compared with. The same for
/// the same seed.
package struct Plan: Sendable {
  /// What the daemon is compared with.
  package enum Schedule: Equatable, Sendable {
    /// On all the time, an epoch a second.
    case always
    /// A fix at each multiple of this, whatever happens.
    case fixed(Duration)
  }

  package var profile: ReceiverProfile
  package var journey: SimulatedJourney
  package var seed: UInt64
  /// How long it lasts; a journey that is shorter is repeated.
  package var length: Duration

  /// The mean seconds between the queries that age and error are taken at.
  static let queryInterval = 10.0
  /// Seconds between the fixes of the schedules that are compared with, longest first.
  private static let fixedPeriods = [3600, 1800, 1200, 900, 600, 300, 120, 60, 45, 30, 20, 15, 10]
  /// Into how many parts the time is divided for the timeline.
  package static let timelineCount = 288

  package init(
    profile: ReceiverProfile, journey: SimulatedJourney, length: Duration? = nil, seed: UInt64 = 1
  ) {
    self.profile = profile
    self.journey = journey
    self.length = length ?? journey.length
    self.seed = seed
  }

  package func run(_ schedule: Schedule) -> PlanResult {
    var run = ScheduledRun(self, schedule)
    return run.result()
  }

  /// The fixed schedule that needs least and reaches at least this error with 95 % of the queries
  /// while moving; on all the time where none does.
  package func cheapestFixed(reaching error: Double) -> (period: Duration?, result: PlanResult) {
    for seconds in Self.fixedPeriods {
      let result = run(.fixed(.seconds(seconds)))
      if result.movingError.at(0.95) <= error { return (.seconds(seconds), result) }
    }
    return (nil, run(.always))
  }
}

/// What a plan came to.
package struct PlanResult: Equatable, Sendable {
  /// What the receiver does, as far as its current differs.
  package enum State: Int, CaseIterable, Sendable {
    case asleep = 0
    case searching = 1
    case tracking = 2
    case cyclic = 3

    package var name: StaticString {
      switch self {
      case .asleep: "asleep"
      case .searching: "searching"
      case .tracking: "tracking"
      case .cyclic: "cyclic"
      }
    }
  }

  package var length = Duration.zero
  /// Seconds and joules in each state.
  package var seconds = [Double](repeating: 0, count: State.allCases.count)
  package var joules = [Double](repeating: 0, count: State.allCases.count)
  package var wakeCount = 0
  /// Searches that ended with a fix, and without.
  package var fixCount = 0
  package var failureCount = 0
  /// Metres between the last delivered fix and the truth at random instants: all, and while moving.
  package var error = Distribution()
  package var movingError = Distribution()
  /// Seconds since that fix.
  package var age = Distribution()
  /// Queries before the first fix.
  package var unansweredCount = 0
  /// What happened in each part of the time.
  package var timeline = [PlanInterval](repeating: PlanInterval(), count: Plan.timelineCount)

  package var energy: Double { joules.reduce(0, +) }
  /// Watts.
  package var power: Double {
    length > .zero ? energy / length.inSeconds : 0
  }

  /// How long a battery lasts.
  /// - Parameters:
  ///   - wattHours: What it holds.
  ///   - board: Watts that everything else draws.
  package func batteryLife(wattHours: Double, board: Double = 0) -> Duration? {
    let watts = power + board
    guard wattHours > 0, watts > 0 else { return nil }
    let hours = min(wattHours / watts, 1_000_000)
    return .seconds(Int64(hours * 3600))
  }
}

/// A part of a plan's time.
package struct PlanInterval: Equatable, Sendable {
  /// Seconds in each state.
  package var seconds = [Double](repeating: 0, count: PlanResult.State.allCases.count)
  package var joules = 0.0
  /// The largest error that a query met, in metres; `nil` without an answered query.
  package var error: Double?
}

/// Samples, in buckets that grow by 2 %: bounded memory, percentiles within 1 %.
package struct Distribution: Equatable, Sendable {
  private var buckets = [UInt32](repeating: 0, count: Self.bucketCount)
  package private(set) var count = 0

  private static let bucketCount = 1024
  private static let smallest = 0.01
  private static let growth = 1.02

  package init() {}

  private static let limits: [Double] = {
    var limit = smallest
    return (0..<bucketCount).map { _ in
      defer { limit *= growth }
      return limit
    }
  }()

  package mutating func add(_ value: Double) {
    var (low, high) = (0, Self.bucketCount - 1)
    while low < high {
      let middle = (low + high) / 2
      if Self.limits[middle] < value { low = middle + 1 } else { high = middle }
    }
    buckets[low] &+= 1
    count += 1
  }

  /// The value that this share of the samples does not exceed; 0 without samples.
  package func at(_ share: Double) -> Double {
    let wanted = Double(count) * share
    var sum = 0.0
    for (index, bucket) in buckets.enumerated() where count > 0 {
      sum += Double(bucket)
      if sum >= wanted { return Self.limits[index] }
    }
    return 0
  }

  /// The share of samples that do not exceed this value.
  package func share(within value: Double) -> Double {
    guard count > 0 else { return 0 }
    var sum = 0.0
    for (index, bucket) in buckets.enumerated() where Self.limits[index] <= value * 1.01 {
      sum += Double(bucket)
    }
    return sum / Double(count)
  }
}
