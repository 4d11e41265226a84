import GNSS

/// Learns how long the receiver takes to a fix, by how long it was off.
package struct FixTimes: Equatable, Sendable {
  /// Upper ends of the off-time ranges; what is longer goes into the last one. They part where
  /// ephemerides go stale: GLONASS' after half an hour, GPS's after two to four.
  package static let ranges: [Duration] = [
    .seconds(30), .seconds(1800), .seconds(7200), .seconds(14_400),
  ]

  /// Seconds expected in each range; before anything was learned, from figures of open sky.
  package private(set) var expected: [Double] = [2, 4, 6, 20, 28]

  /// The share of a new time in the average.
  package static let weight = 0.25
  /// A longer time says more about the sky than about the receiver.
  package static let secondsMax = 90.0

  package init() {}

  /// What was learned earlier; `nil` where it is not one number for each range.
  package init?(expected: [Double]) {
    let count = Self.ranges.count + 1
    guard expected.count == count,
      expected.allSatisfy({ $0 >= 0.5 && $0 <= Self.secondsMax })
    else { return nil }
    self.expected = expected
  }

  private static func index(of off: Duration) -> Int {
    ranges.firstIndex { off <= $0 } ?? ranges.count
  }

  package func expected(afterOff off: Duration) -> Duration {
    .milliseconds(Int64(expected[Self.index(of: off)] * 1000))
  }

  /// Takes the time of a fix that succeeded; failures must not be given.
  package mutating func learn(_ time: Duration, afterOff off: Duration) {
    let seconds = min(max(time.inSeconds, 0.5), Self.secondsMax)
    let index = Self.index(of: off)
    expected[index] += Self.weight * (seconds - expected[index])
  }
}
