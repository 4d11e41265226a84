/// A number as text shows it: so many units of its last decimal place, and a sign.
struct ScaledNumber {
  let magnitude: UInt64
  let isNegative: Bool

  @inline(__always)
  init(_ value: Int64) {
    (magnitude, isNegative) = (value.magnitude, value < 0)
  }

  /// `value` in units of 10^-`decimals` (0 to 12), half rounded away from zero; `nil` where it is
  /// no number or too large.
  @inline(__always)
  init?(_ value: Double, decimals: Int) {
    let product = value * Double(Int64(bitPattern: DecimalDigits.powerOfTen(decimals)))
    if product.magnitude < 0x1p52 {
      // Without a call of the C library: a number between 2^52 and 2^53 has no fraction, so that
      // this sum is rounded, half to even, and its last bits are the whole number. What was rounded
      // off is exact.
      let sum = product.magnitude + 0x1p52
      let isHalfLost = product.magnitude - (sum - 0x1p52) == 0.5
      magnitude = sum.bitPattern &- (0x1p52).bitPattern &+ (isHalfLost ? 1 : 0)
      isNegative = product < 0 && magnitude != 0
    } else {
      let rounded = product.rounded(.toNearestOrAwayFromZero)
      guard let whole = Int64(exactly: rounded) else { return nil }
      (magnitude, isNegative) = (whole.magnitude, whole < 0)
    }
  }
}
