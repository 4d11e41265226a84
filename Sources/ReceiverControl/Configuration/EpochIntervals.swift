import GNSS

/// Measures the time between epochs.
package struct EpochIntervals: Equatable, Sendable {
  private var first: Monotonic?
  private var count = 0

  /// As many intervals are averaged.
  package static let intervalCount = 4

  package init() {}

  /// How long to wait for that many.
  package static func patience(for interval: Duration) -> Duration {
    max(interval, .seconds(1)) * (intervalCount + 2)
  }

  /// The average, once enough epochs were seen.
  package mutating func take(_ heard: Heard, at now: Monotonic) -> Duration? {
    guard heard == .epoch else { return nil }
    guard let first else {
      self.first = now
      return nil
    }
    count += 1
    return count >= Self.intervalCount ? (now - first) / count : nil
  }

  /// Within a tenth, and never stricter than a serial line can be timed.
  package static func agrees(_ measured: Duration, with wanted: Duration) -> Bool {
    let tolerance = max(wanted / 10, .milliseconds(30))
    return measured >= wanted - tolerance && measured <= wanted + tolerance
  }
}
