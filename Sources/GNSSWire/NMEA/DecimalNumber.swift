/// A decimal fraction as a receiver wrote it: an integer and the number of digits behind the point.
package struct DecimalNumber: Equatable, Sendable {
  package var mantissa: Int64
  /// 0...18
  package var decimals: UInt8

  package init(mantissa: Int64, decimals: UInt8) {
    (self.mantissa, self.decimals) = (mantissa, decimals)
  }

  /// The nearest double: mantissas below 2^53 and powers of ten up to 10^22 are exact, and one
  /// division rounds once.
  package var value: Double { Double(mantissa) / PowersOfTen.double(decimals) }
}

enum PowersOfTen {
  private static let integers: [Int64] = [
    1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000,
    1_000_000_000_000_000, 10_000_000_000_000_000, 100_000_000_000_000_000,
    1_000_000_000_000_000_000,
  ]

  /// - Parameter exponent: At most 18; more counts as 18.
  static func integer(_ exponent: UInt8) -> Int64 { integers[Int(min(exponent, 18))] }

  private static let doubles: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18,
  ]

  /// As `integer`.
  static func double(_ exponent: UInt8) -> Double { doubles[Int(min(exponent, 18))] }
}
