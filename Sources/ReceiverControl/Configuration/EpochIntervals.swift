import GNSS

/// Measures the time between epochs by one message that comes once in each.
package struct EpochIntervals: Equatable, Sendable {
  private var marker: String?
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
    guard let name = Self.marker(of: heard) else { return nil }
    if marker == nil { marker = name }
    guard name == marker else { return nil }
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

  private static func marker(of heard: Heard) -> String? {
    switch heard {
    case .ubx(.navPVT, _): "NAV-PVT"
    case .ubx(.navSOL, _): "NAV-SOL"
    case .sentence(let text) where text.dropFirst(2).hasPrefix("RMC,"): "RMC"
    case .sentence(let text) where text.dropFirst(2).hasPrefix("GGA,"): "GGA"
    default: nil
    }
  }
}
