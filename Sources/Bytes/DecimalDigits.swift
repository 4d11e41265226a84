/// Writes the digits of numbers, eight at a time.
///
/// All eight come out of one number by multiplications, without a step that waits for the digit
/// before; zeros at either end are then counted by one instruction each.
@usableFromInline
enum DecimalDigits {
  /// Room that any number needs: a sign, a whole part of up to three times eight digits, a point
  /// and two times eight more. What is written behind the number's end is to be overwritten.
  @inlinable static var room: Int { 1 + 24 + 1 + 16 }

  /// Digits behind the point, at most.
  static let decimalsMax = 12

  /// Writes `value` with `decimals` (0 to 12) digits behind the point, half rounded away from zero,
  /// and without zeros at the end of the fraction: `120`, `-0.5`.
  /// - Returns: Where the number ends: at `start` for what is none, or too large for a measurement.
  @usableFromInline
  @inline(never)
  static func writeTrimmed(
    _ value: Double, decimals: Int, to room: UnsafeMutableRawBufferPointer, at start: Int
  ) -> Int {
    write(value, decimals: decimals, isTrimmed: true, to: room, at: start)
  }

  /// The same with exactly so many digits.
  @usableFromInline
  @inline(never)
  static func writeFixed(
    _ value: Double, decimals: Int, to room: UnsafeMutableRawBufferPointer, at start: Int
  ) -> Int {
    write(value, decimals: decimals, isTrimmed: false, to: room, at: start)
  }

  /// What most numbers are written with is known where each is compiled, which makes divisions
  /// into multiplications.
  @inline(__always)
  private static func write(
    _ value: Double, decimals: Int, isTrimmed: Bool, to room: UnsafeMutableRawBufferPointer,
    at start: Int
  ) -> Int {
    switch decimals {
    case 3: write(scaling: value, decimals: 3, isTrimmed: isTrimmed, to: room, at: start)
    case 2: write(scaling: value, decimals: 2, isTrimmed: isTrimmed, to: room, at: start)
    case 5: write(scaling: value, decimals: 5, isTrimmed: isTrimmed, to: room, at: start)
    case 9: write(scaling: value, decimals: 9, isTrimmed: isTrimmed, to: room, at: start)
    default:
      write(
        scaling: value, decimals: min(max(decimals, 0), decimalsMax), isTrimmed: isTrimmed,
        to: room, at: start)
    }
  }

  @inline(__always)
  private static func write(
    scaling value: Double, decimals: Int, isTrimmed: Bool, to room: UnsafeMutableRawBufferPointer,
    at start: Int
  ) -> Int {
    guard let number = ScaledNumber(value, decimals: decimals) else { return start }
    return write(number, decimals: decimals, isTrimmed: isTrimmed, to: room, at: start)
  }

  /// Writes a number in units of 10^-`decimals` (0 to 12).
  /// - Parameter isTrimmed: Whether zeros at the end of the fraction are left out.
  /// - Returns: Where the number ends.
  @inline(__always)
  static func write(
    _ number: ScaledNumber, decimals: Int, isTrimmed: Bool,
    to room: UnsafeMutableRawBufferPointer, at start: Int
  ) -> Int {
    let start = writeSign(of: number, to: room, at: start)
    let magnitude = number.magnitude
    guard decimals > 0 else { return write(magnitude, atLeast: 1, to: room, at: start) }
    if magnitude < tenToTheEighth, decimals < 8 {
      return writeShort(magnitude, decimals: decimals, isTrimmed: isTrimmed, to: room, at: start)
    }
    let (whole, fraction) = magnitude.quotientAndRemainder(dividingBy: powerOfTen(decimals))
    let point = write(whole, atLeast: 1, to: room, at: start)
    if isTrimmed, fraction == 0 { return point }
    room[point] = UInt8(ascii: ".")
    let end = writeFraction(fraction, decimals: decimals, to: room, at: point + 1)
    return isTrimmed ? end : point + 1 + decimals
  }

  /// - Returns: Where the last digit ends that is not 0.
  @inline(__always)
  private static func writeFraction(
    _ fraction: UInt64, decimals: Int, to room: UnsafeMutableRawBufferPointer, at start: Int
  ) -> Int {
    guard decimals > 8 else {
      let word = eight(fraction &* powerOfTen(8 - decimals))
      store(word, to: room, at: start)
      return start + 8 - word.leadingZeroBitCount / 8
    }
    let (first, rest) = fraction.quotientAndRemainder(dividingBy: powerOfTen(decimals - 8))
    let word = eight(first)
    store(word, to: room, at: start)
    // One digit is left of a coordinate.
    let more = decimals == 9 ? rest : eight(rest &* powerOfTen(16 - decimals))
    store(more, to: room, at: start + 8)
    return more == 0
      ? start + 8 - word.leadingZeroBitCount / 8 : start + 16 - more.leadingZeroBitCount / 8
  }

  /// Writes a whole number with its sign; gives where it ends.
  @inline(__always)
  static func write(
    _ value: Int64, atLeast width: Int, to room: UnsafeMutableRawBufferPointer, at start: Int
  ) -> Int {
    let number = ScaledNumber(value)
    return write(
      number.magnitude, atLeast: width, to: room,
      at: writeSign(of: number, to: room, at: start))
  }

  @inline(__always)
  private static func writeSign(
    of number: ScaledNumber, to room: UnsafeMutableRawBufferPointer, at start: Int
  ) -> Int {
    room[start] = UInt8(ascii: "-")
    return start + (number.isNegative ? 1 : 0)
  }

  /// The same for eight digits in all, of which at least one is whole: most numbers.
  @inline(__always)
  private static func writeShort(
    _ magnitude: UInt64, decimals: Int, isTrimmed: Bool,
    to room: UnsafeMutableRawBufferPointer, at start: Int
  ) -> Int {
    let word = eight(magnitude)
    let zeroCount = min(word.trailingZeroBitCount / 8, 7 - decimals)
    // With the fraction behind it, which the point and the fraction then take the place of.
    store(word, droppingFirst: zeroCount, to: room, at: start)
    let point = start + 8 - decimals - zeroCount
    let places = isTrimmed ? decimals - min(word.leadingZeroBitCount / 8, decimals) : decimals
    if places == 0 { return point }
    room[point] = UInt8(ascii: ".")
    store(word, droppingFirst: 8 - decimals, to: room, at: point + 1)
    return point + 1 + places
  }

  /// Writes three numbers below 100 with two digits each and `separator` between them: a time of
  /// day, or the end of a date.
  @inline(__always)
  static func write(
    pairs first: Int, _ second: Int, _ third: Int, separator: UInt8,
    to room: UnsafeMutableRawBufferPointer, at start: Int
  ) -> Int {
    let number = (UInt64(first) * 1000 + UInt64(second)) * 1000 + UInt64(third)
    // A digit 0 stands where each separator belongs, and becomes the separator.
    let change = UInt64(separator ^ UInt8(ascii: "0"))
    let text = (eight(number) | zeros) ^ (change << 16 | change << 40)
    room.storeBytes(of: text.littleEndian, toByteOffset: start, as: UInt64.self)
    return start + 8
  }

  /// Writes a whole number with at least `width` (1 to 20) digits.
  /// - Returns: Where it ends.
  @inline(__always)
  static func write(
    _ value: UInt64, atLeast width: Int, to room: UnsafeMutableRawBufferPointer, at start: Int
  ) -> Int {
    guard value < tenToTheEighth, width <= 8 else {
      return writeLong(value, atLeast: width, to: room, at: start)
    }
    let word = eight(value)
    let zeroCount = min(word.trailingZeroBitCount / 8, 8 - width)
    store(word, droppingFirst: zeroCount, to: room, at: start)
    return start + 8 - zeroCount
  }

  @inline(never)
  private static func writeLong(
    _ value: UInt64, atLeast width: Int, to room: UnsafeMutableRawBufferPointer, at start: Int
  ) -> Int {
    let (high, low) = value.quotientAndRemainder(dividingBy: tenToTheEighth)
    let middle =
      high < tenToTheEighth && width <= 16
      ? write(high, atLeast: max(width - 8, 1), to: room, at: start)
      : writeLong(high, atLeast: width - 8, to: room, at: start)
    store(eight(low), to: room, at: middle)
    return middle + 8
  }

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
    _ digits: UInt64, droppingFirst count: Int = 0, to room: UnsafeMutableRawBufferPointer,
    at offset: Int
  ) {
    let text = (digits | zeros) &>> UInt64(8 * count)
    room.storeBytes(of: text.littleEndian, toByteOffset: offset, as: UInt64.self)
  }

  /// `00000000`
  private static let zeros: UInt64 = 0x3030_3030_3030_3030
  private static let tenToTheEighth: UInt64 = 100_000_000

  /// Of an exponent of at most 12. A list would be read at run time, also where the exponent is
  /// known before.
  @inline(__always)
  static func powerOfTen(_ exponent: Int) -> UInt64 {
    switch exponent {
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
