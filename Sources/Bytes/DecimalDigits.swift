/// Writes the digits of numbers, eight at a time.
///
/// All eight come out of one number by multiplications, without a step that waits for the digit
/// before; zeros at either end are then counted by one instruction each. Nothing branches by how
/// many digits there are, which no processor foresees.
@usableFromInline
enum DecimalDigits {
  /// Room that any number needs: a sign, a whole part of up to three times eight digits, a point
  /// and two times eight more. What is written behind the number's end is to be overwritten.
  @usableFromInline static var room: Int { 1 + 24 + 1 + 16 }

  /// As many digits behind the point as there can be.
  static func possible(_ decimals: Int) -> Int { min(max(decimals, 0), 12) }

  // MARK: Fractions

  /// Writes `value` with `decimals` (0 to 12) digits behind the point, half rounded away from zero,
  /// and without zeros at the end of the fraction: `120`, `-0.5`.
  /// - Returns: Where the number ends: at `place` for what is none, or too large for a measurement.
  @inlinable @inline(__always)
  static func writeTrimmed(
    _ value: Double, decimals: Int, at place: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    writeTrimmed(units: value * unitsInOne(decimals), decimals: decimals, at: place)
  }

  /// The same with exactly so many digits.
  @inlinable @inline(__always)
  static func writeFixed(
    _ value: Double, decimals: Int, at place: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    writeFixed(units: value * unitsInOne(decimals), decimals: decimals, at: place)
  }

  /// Writes a number in units of 10^-`decimals`, of which a half is rounded away from zero.
  @usableFromInline
  @inline(never)
  static func writeTrimmed(
    units: Double, decimals: Int, at place: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    guard decimals < 8, let number = ScaledNumber(rounding: units, below: 99_999_999) else {
      return writeLong(units: units, decimals: decimals, isTrimmed: true, at: place)
    }
    return writeShort(number, decimals: decimals, isTrimmed: true, at: place)
  }

  @usableFromInline
  @inline(never)
  static func writeFixed(
    units: Double, decimals: Int, at place: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    guard decimals < 8, let number = ScaledNumber(rounding: units, below: 99_999_999) else {
      return writeLong(units: units, decimals: decimals, isTrimmed: false, at: place)
    }
    return writeShort(number, decimals: decimals, isTrimmed: false, at: place)
  }

  /// A number of any size, to as many decimals as there may be.
  @inline(never)
  private static func writeLong(
    units: Double, decimals: Int, isTrimmed: Bool, at place: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    guard let number = ScaledNumber(rounding: units, below: 0x1p63) else { return place }
    return writeLong(number, decimals: decimals, isTrimmed: isTrimmed, at: place)
  }

  static func write(
    units: Int64, decimals: Int, at place: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    writeLong(ScaledNumber(units), decimals: decimals, isTrimmed: false, at: place)
  }

  /// Eight digits in all, of which at least one is whole: most numbers.
  @inline(__always)
  private static func writeShort(
    _ number: ScaledNumber, decimals: Int, isTrimmed: Bool, at place: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    let place = writeSign(of: number, at: place)
    let word = eight(number.magnitude)
    let zeroCount = min(word.trailingZeroBitCount / 8, 7 &- decimals)
    // With the fraction behind it, which the point and the fraction then take the place of.
    store(word, droppingFirst: zeroCount, at: place)
    let wholeCount = 8 &- decimals
    let point = place + (wholeCount &- zeroCount)
    let places = isTrimmed ? decimals &- min(word.leadingZeroBitCount / 8, decimals) : decimals
    if places == 0 { return point }
    point.storeBytes(of: UInt8(ascii: "."), as: UInt8.self)
    store(word, droppingFirst: wholeCount, at: point + 1)
    return point + (1 &+ places)
  }

  @inline(__always)
  private static func writeLong(
    _ number: ScaledNumber, decimals: Int, isTrimmed: Bool, at place: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    let place = writeSign(of: number, at: place)
    let magnitude = number.magnitude
    // A division by what is known when this is compiled, as for a coordinate, is none.
    let (whole, fraction) =
      decimals == 9
      ? magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
      : magnitude.quotientAndRemainder(dividingBy: powerOfTen(decimals))
    let point =
      whole < 1000 ? write(belowThousand: whole, at: place) : write(whole, atLeast: 1, at: place)
    if decimals == 0 || (isTrimmed && fraction == 0) { return point }
    point.storeBytes(of: UInt8(ascii: "."), as: UInt8.self)
    let end = writeFraction(fraction, decimals: decimals, at: point + 1)
    return isTrimmed ? end : point + (1 &+ decimals)
  }

  /// - Returns: Where the last digit ends that is not 0.
  @inline(__always)
  private static func writeFraction(
    _ fraction: UInt64, decimals: Int, at place: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    // One digit is left of a coordinate.
    if decimals == 9 {
      let (first, rest) = fraction.quotientAndRemainder(dividingBy: 10)
      return writeFraction(first: first, rest: rest, at: place)
    }
    guard decimals > 8 else {
      return writeFraction(first: fraction &* powerOfTen(8 &- decimals), rest: 0, at: place)
    }
    let (first, rest) = fraction.quotientAndRemainder(dividingBy: powerOfTen(decimals &- 8))
    return writeFraction(first: first, rest: eight(rest &* powerOfTen(16 &- decimals)), at: place)
  }

  @inline(__always)
  private static func writeFraction(
    first: UInt64, rest: UInt64, at place: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    let word = eight(first)
    store(word, at: place)
    store(rest, at: place + 8)
    return rest == 0
      ? place + (8 &- word.leadingZeroBitCount / 8) : place + (16 &- rest.leadingZeroBitCount / 8)
  }

  // MARK: Whole numbers

  /// Writes a whole number with its sign and at least `width` (1 to 20) digits.
  /// - Returns: Where it ends.
  @usableFromInline
  @inline(never)
  static func write(
    _ value: Int64, atLeast width: Int, at place: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    let number = ScaledNumber(value)
    return write(
      number.magnitude, atLeast: min(max(width, 1), 20), at: writeSign(of: number, at: place))
  }

  @inline(__always)
  private static func writeSign(
    of number: ScaledNumber, at place: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    place.storeBytes(of: UInt8(ascii: "-"), as: UInt8.self)
    return place + (number.isNegative ? 1 : 0)
  }

  @inline(__always)
  private static func write(
    _ value: UInt64, atLeast width: Int, at place: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    guard value < tenToTheEighth, width <= 8 else {
      return writeLong(value, atLeast: width, at: place)
    }
    let word = eight(value)
    let zeroCount = min(word.trailingZeroBitCount / 8, 8 &- width)
    store(word, droppingFirst: zeroCount, at: place)
    return place + (8 &- zeroCount)
  }

  @inline(never)
  private static func writeLong(
    _ value: UInt64, atLeast width: Int, at place: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    let (high, low) = value.quotientAndRemainder(dividingBy: tenToTheEighth)
    let middle =
      high < tenToTheEighth && width <= 16
      ? write(high, atLeast: max(width - 8, 1), at: place)
      : writeLong(high, atLeast: width - 8, at: place)
    store(eight(low), at: middle)
    return middle + 8
  }

  /// Writes a whole number below 1000.
  @inlinable @inline(__always)
  static func write(
    belowThousand value: UInt64, at place: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    let zeroCount = (value < 10 ? 1 : 0) &+ (value < 100 ? 1 : 0)
    let text = three(value) &>> UInt32(truncatingIfNeeded: 8 &* zeroCount)
    place.storeBytes(of: text.littleEndian, as: UInt32.self)
    return place + (3 &- zeroCount)
  }

  /// Writes a whole number below 1000 with three digits.
  @inlinable @inline(__always)
  static func write(
    triple value: UInt64, at place: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    place.storeBytes(of: three(value).littleEndian, as: UInt32.self)
    return place + 3
  }

  /// The three digits of a number below 1000 as text, the first in the lowest byte. Rounded
  /// reciprocals divide so small a number exactly.
  @inlinable @inline(__always)
  static func three(_ value: UInt64) -> UInt32 {
    let tens = (value &* 6554) >> 16
    let hundreds = (value &* 41) >> 12
    // Each digit is what is left of a quotient without ten times the next: with the weights 65,536,
    // 256 and 1 of the three bytes, the tens count for 256 less ten times 65,536, and so on.
    let digits = value << 16 &- tens &* 655_104 &- hundreds &* 2559
    return UInt32(truncatingIfNeeded: digits) | 0x30_3030
  }

  /// Writes a whole number below 100 with two digits.
  @inlinable @inline(__always)
  static func write(
    pair value: UInt16, at place: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    let tens = (value &* 103) >> 10
    let text = (tens | (value &- tens &* 10) << 8) | 0x3030
    place.storeBytes(of: text.littleEndian, as: UInt16.self)
    return place + 2
  }

  /// Writes three numbers below 100 with two digits each and `separator` between them: a time of
  /// day, or the end of a date.
  @usableFromInline
  @inline(never)
  static func write(
    pairs first: Int, _ second: Int, _ third: Int, separator: UInt8,
    at place: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    let number =
      (UInt64(truncatingIfNeeded: first) &* 1000 &+ UInt64(truncatingIfNeeded: second)) &* 1000
      &+ UInt64(truncatingIfNeeded: third)
    // A digit 0 stands where each separator belongs, and becomes the separator.
    let change = UInt64(separator ^ UInt8(ascii: "0"))
    let text = (eight(number) | zeros) ^ (change << 16 | change << 40)
    place.storeBytes(of: text.littleEndian, as: UInt64.self)
    return place + 8
  }

  // MARK: Parts

  /// The digits of a number below 10^8, the first in the lowest byte: halves of four digits, then
  /// quarters of two, then single ones. Each step divides all parts at once, by a multiplication
  /// with a rounded reciprocal that is exact for what a part can hold.
  @inline(__always)
  private static func eight(_ value: UInt64) -> UInt64 {
    let (high, low) = value.quotientAndRemainder(dividingBy: 10_000)
    let fours = high | low << 32
    let hundreds = ((fours &* 10_486) >> 20) & 0x7f_0000_007f
    let twos = hundreds | (fours &- hundreds &* 100) << 16
    let tens = ((twos &* 103) >> 10) & 0x000f_000f_000f_000f
    return tens | (twos &- tens &* 10) << 8
  }

  @inline(__always)
  private static func store(
    _ digits: UInt64, droppingFirst count: Int = 0, at place: UnsafeMutableRawPointer
  ) {
    let text = (digits | zeros) &>> UInt64(truncatingIfNeeded: 8 &* count)
    place.storeBytes(of: text.littleEndian, as: UInt64.self)
  }

  /// `00000000`
  private static var zeros: UInt64 { 0x3030_3030_3030_3030 }
  private static var tenToTheEighth: UInt64 { 100_000_000 }

  /// Of an exponent of at most 12.
  private static func powerOfTen(_ exponent: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: Int64(unitsInOne(exponent)))
  }

  /// Ten to the power of `decimals` (at most 12). A list would be read at run time, also where the
  /// exponent is known before.
  @inlinable @inline(__always)
  static func unitsInOne(_ decimals: Int) -> Double {
    switch decimals {
    case 0: 1
    case 1: 10
    case 2: 100
    case 3: 1000
    case 4: 10_000
    case 5: 100_000
    case 6: 1_000_000
    case 7: 10_000_000
    case 8: 100_000_000
    case 9: 1_000_000_000
    case 10: 10_000_000_000
    case 11: 100_000_000_000
    default: 1_000_000_000_000
    }
  }
}
