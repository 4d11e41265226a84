/// An instant of the kernel's boot-time clock, which runs on in suspend and never steps: what
/// waits and ages are measured with. Never comparable across a reboot.
package struct Monotonic: Comparable, Hashable, Sendable {
  /// Nanoseconds since boot.
  package var nanoseconds: Int64

  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  package static let zero = Monotonic(nanoseconds: 0)
  /// Later than every instant: a deadline that never comes.
  package static let never = Monotonic(nanoseconds: .max)

  package static func < (left: Monotonic, right: Monotonic) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// Saturates at `never`.
  package static func + (instant: Monotonic, span: Duration) -> Monotonic {
    let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(span.wholeNanoseconds)
    return Monotonic(nanoseconds: overflow ? (span < .zero ? .min : .max) : sum)
  }

  package static func - (later: Monotonic, earlier: Monotonic) -> Duration {
    let (span, overflow) = later.nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
    return .nanoseconds(overflow ? (later > earlier ? .max : .min) : span)
  }
}

extension Duration {
  /// The span in nanoseconds, saturating at about 292 years.
  package var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    let (sum, carry) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return carry ? (seconds < 0 ? .min : .max) : sum
  }

  package var wholeMicroseconds: Int64 { wholeNanoseconds / 1000 }
  package var wholeMilliseconds: Int64 { wholeNanoseconds / 1_000_000 }
  /// The span as a number of seconds.
  package var inSeconds: Double { Double(wholeNanoseconds) / 1e9 }
}
