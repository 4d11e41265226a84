/// Writes into room that an `OutputBuffer` lends for a row of many parts, which then cost less than
/// as many appends to the buffer. Where all that it is used with is compiled into one function, it
/// lies in registers; what is not gives a new writer back instead of changing one in memory.
///
/// A row longer than its room is a fault of the program. Debug builds find the part that is too
/// long; others, whose parts ask nothing, end at the item of a list or the row that was.
public struct RowWriter {
  /// Where the next part goes.
  @usableFromInline var place: UnsafeMutableRawPointer
  /// Where the room ends.
  @usableFromInline let limit: UnsafeMutableRawPointer

  /// Room behind a row, as parts are written in whole words.
  @usableFromInline static var spareByteCount: Int { 64 }

  @inlinable @inline(__always)
  init(_ place: UnsafeMutableRawPointer, byteCountMax: Int) {
    (self.place, limit) = (place, place + byteCountMax)
  }

  /// The number of bytes that were written since `start`.
  @inlinable @inline(__always)
  func finish(from start: UnsafeMutableRawPointer) -> Int {
    precondition(place <= limit, "the row is longer than its room")
    return place - start
  }

  /// The next part ends there.
  @inlinable @inline(__always)
  mutating func advance(to end: UnsafeMutableRawPointer) {
    assert(end <= limit, "the part is longer than the room for the row")
    place = end
  }

  @inlinable @inline(__always)
  public mutating func append(byte: UInt8) {
    place.storeBytes(of: byte, as: UInt8.self)
    advance(to: place + 1)
  }

  /// Where it is called with words, their number is known there and nothing else is called.
  @inlinable @inline(__always)
  public mutating func append(_ text: StaticString) {
    let byteCount = text.utf8CodeUnitCount
    place.copyMemory(from: text.utf8Start, byteCount: byteCount)
    advance(to: place + byteCount)
  }

  /// What `lead` puts down and a number behind it; nothing where `number` puts nothing down, as for
  /// what is no number.
  /// - Returns: Whether there is one.
  @inlinable @inline(__always)
  mutating func append(
    lead: (inout RowWriter) -> Void, number: (inout RowWriter) -> Void
  ) -> Bool {
    let before = place
    lead(&self)
    let start = place
    number(&self)
    if place != start { return true }
    place = before
    return false
  }

  /// A number of at least `width` (up to 20) digits.
  @inlinable @inline(__always)
  public mutating func append(decimal value: Int, width: Int) {
    advance(to: DecimalDigits.write(Int64(value), atLeast: width, at: place))
  }

  /// A whole number, which is below 1000 as a rule.
  @inlinable @inline(__always)
  public mutating func append(decimal value: Int) {
    guard UInt(bitPattern: value) < 1000 else { return append(decimal: value, width: 1) }
    advance(to: DecimalDigits.write(belowThousand: UInt64(truncatingIfNeeded: value), at: place))
  }

  /// Items with commas between them, each as `write` puts it down in at most `byteCount` bytes.
  @inlinable @inline(__always)
  public mutating func append<Items: Sequence>(
    list items: Items, upTo byteCount: Int, _ write: (Items.Element, inout RowWriter) -> Void
  ) {
    let start = place
    for item in items {
      precondition(byteCount < limit - place, "the list is longer than its room")
      write(item, &self)
      append(byte: UInt8(ascii: ","))
    }
    if place != start { place -= 1 }
  }

  /// A number from 0 to 99 with two digits.
  @inlinable @inline(__always)
  public mutating func append(pair value: Int) {
    advance(to: DecimalDigits.write(pair: UInt16(truncatingIfNeeded: value), at: place))
  }

  /// A number from 0 to 999 with three digits.
  @inlinable @inline(__always)
  public mutating func append(triple value: Int) {
    advance(to: DecimalDigits.write(triple: UInt64(truncatingIfNeeded: value), at: place))
  }

  /// `true` or `false`
  @inlinable @inline(__always)
  public mutating func append(_ value: Bool) {
    // One store without a branch, as nothing tells before which it will be.
    let text: UInt64 = value ? 0x6575_7274 : 0x65_736c_6166
    place.storeBytes(of: text.littleEndian, as: UInt64.self)
    advance(to: place + (value ? 4 : 5))
  }

  /// Three numbers from 0 to 99 with two digits each, and `separator` between them: `05:06:07`.
  @inlinable @inline(__always)
  public mutating func append(
    pairs first: Int, _ second: Int, _ third: Int, separator: UInt8
  ) {
    advance(
      to: DecimalDigits.write(pairs: first, second, third, separator: separator, at: place))
  }

  /// With exactly `decimals` (0 to 12) digits behind the point; nothing for what is no number.
  @inlinable @inline(__always)
  public mutating func append(fixed value: Double, decimals: Int) {
    advance(to: DecimalDigits.writeFixed(value, decimals: decimals, at: place))
  }

  /// Without zeros at the end of the fraction; nothing for what is no number.
  @inlinable @inline(__always)
  public mutating func append(trimmed value: Double, decimals: Int) {
    advance(to: DecimalDigits.writeTrimmed(value, decimals: decimals, at: place))
  }

  /// `separator`, and the number without zeros at the end of its fraction, if it is known and no
  /// NaN.
  @inlinable @inline(__always)
  public mutating func append(separator: UInt8, trimmed value: Double?, decimals: Int) {
    append(byte: separator)
    if let value { append(trimmed: value, decimals: decimals) }
  }
}
