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

/// Powers of ten without a table in memory that would have to be initialised.
enum PowersOfTen {
  static func integer(_ exponent: UInt8) -> Int64 {
    var power: Int64 = 1
    for _ in 0..<min(exponent, 18) { power *= 10 }
    return power
  }

  static func double(_ exponent: UInt8) -> Double {
    switch exponent {
    case 0: 1
    case 1: 10
    case 2: 100
    case 3: 1000
    case 4: 10_000
    default: Double(integer(exponent))
    }
  }
}
