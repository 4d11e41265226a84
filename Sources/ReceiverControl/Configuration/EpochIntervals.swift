import GNSS

/// Measures the time between epochs: the median, as one epoch more or less punctually told, and the
/// ones still at the old pace, must not count.
package struct EpochIntervals: Equatable, Sendable {
  private var last: Monotonic?
  private var intervals: [Duration] = []

  package static let intervalCount = 7

  package init() {}

  /// How long to wait for that many.
  package static func patience(for interval: Duration) -> Duration {
    max(interval, .seconds(1)) * (intervalCount + 3)
  }

  /// The median, once enough epochs were seen.
  package mutating func take(_ heard: Heard, at now: Monotonic) -> Duration? {
    guard heard == .epoch else { return nil }
    if let last { intervals.append(now - last) }
    last = now
    guard intervals.count >= Self.intervalCount else { return nil }
    return intervals.sorted()[intervals.count / 2]
  }

  /// Within a tenth, and never stricter than a serial line can be timed.
  package static func agrees(_ measured: Duration, with wanted: Duration) -> Bool {
    let tolerance = max(wanted / 10, .milliseconds(30))
    return measured >= wanted - tolerance && measured <= wanted + tolerance
  }
}
