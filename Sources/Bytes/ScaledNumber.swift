/// A number as text shows it: so many units of its last decimal place, and a sign.
struct ScaledNumber {
  let magnitude: UInt64
  let isNegative: Bool

  @inline(__always)
  init(_ value: Int64) {
    (magnitude, isNegative) = (value.magnitude, value < 0)
  }

  /// So many units, half rounded away from zero; `nil` where they are `limit` (up to 2^63) or more,
  /// or that is no number.
  @inline(__always)
  init?(rounding units: Double, below limit: Double) {
    let size = units.magnitude
    guard size < limit else { return nil }
    // With one half itself, the sum of what is just less than that would be rounded up to one.
    magnitude = UInt64(bitPattern: Int64(size + Self.justBelowHalf))
    isNegative = units.sign == .minus && magnitude != 0
  }

  private static var justBelowHalf: Double { 0x1.fffffffffffffp-2 }
}
