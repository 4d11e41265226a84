/// Writes the digits of numbers, eight at a time.
///
/// All eight come out of one number by multiplications, without a step that waits for the digit
/// before; zeros at either end are then counted by one instruction each.
enum DecimalDigits {
  /// Room that any number needs: a sign, a whole part of up to three times eight digits, a point
  /// and two times eight more. What is written behind the number's end is to be overwritten.
  static let room = 1 + 24 + 1 + 16

  /// Digits behind the point, at most.
  static let decimalsMax = 12

  /// Writes `magnitude` in units of 10^-`decimals` (0 to 12).
  /// - Parameter isTrimmed: Whether zeros at the end of the fraction are left out.
  /// - Returns: Where the number ends.
  @inline(__always)
  static func write(
    _ magnitude: UInt64, decimals: Int, isTrimmed: Bool,
    to room: UnsafeMutableRawBufferPointer, at start: Int
  ) -> Int {
    guard decimals > 0 else { return write(magnitude, atLeast: 1, to: room, at: start) }
    if magnitude < tenToTheEighth, decimals < 8 {
      return writeShort(magnitude, decimals: decimals, isTrimmed: isTrimmed, to: room, at: start)
    }
    let (whole, fraction) = magnitude.quotientAndRemainder(dividingBy: powersOfTen[decimals])
    let point = write(whole, atLeast: 1, to: room, at: start)
    if isTrimmed, fraction == 0 { return point }
    room[point] = UInt8(ascii: ".")
    guard decimals > 8 else {
      let word = eight(fraction &* powersOfTen[8 - decimals])
      store(word, to: room, at: point + 1)
      return point + 1 + (isTrimmed ? 8 - word.leadingZeroBitCount / 8 : decimals)
    }
    let (first, rest) = fraction.quotientAndRemainder(dividingBy: powersOfTen[decimals - 8])
    let (word, more) = (eight(first), eight(rest &* powersOfTen[16 - decimals]))
    store(word, to: room, at: point + 1)
    store(more, to: room, at: point + 9)
    guard isTrimmed else { return point + 1 + decimals }
    return more == 0
      ? point + 9 - word.leadingZeroBitCount / 8 : point + 17 - more.leadingZeroBitCount / 8
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

  private static let powersOfTen: [UInt64] = [
    1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    10_000_000_000, 100_000_000_000, 1_000_000_000_000,
  ]
}
