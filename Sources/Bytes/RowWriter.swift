/// Writes into room that an `OutputBuffer` lends for a row of many parts, which then cost less than
/// as many appends to the buffer.
public struct RowWriter {
  @usableFromInline let room: UnsafeMutableRawBufferPointer
  /// Of the room, which would be computed at each check.
  @usableFromInline let byteCountMax: Int
  @usableFromInline var end = 0

  fileprivate init(_ room: UnsafeMutableRawBufferPointer) {
    (self.room, byteCountMax) = (room, room.count)
  }

  /// What was written so far.
  fileprivate var byteCount: Int { end }

  /// A part beyond the room is a fault of the program: it would write into other memory.
  @inlinable @inline(__always)
  func check(_ byteCount: Int) {
    precondition(byteCount <= byteCountMax &- end, "the row is longer than its room")
  }

  @inlinable @inline(__always)
  public mutating func append(byte: UInt8) {
    check(1)
    room[end] = byte
    end += 1
  }

  /// Where it is called with words, their number is known there and nothing else is called.
  @inlinable @inline(__always)
  public mutating func append(_ text: StaticString) {
    let byteCount = text.utf8CodeUnitCount
    check(byteCount)
    if let start = room.baseAddress {
      (start + end).copyMemory(from: text.utf8Start, byteCount: byteCount)
    }
    end += byteCount
  }

  /// A number of at least `width` (up to 20) digits, and `separator`, if any, behind it.
  public mutating func append(decimal value: Int, width: Int, then separator: UInt8?) {
    check(DecimalDigits.room + 1)
    end = DecimalDigits.write(Int64(value), atLeast: min(max(width, 1), 20), to: room, at: end)
    guard let separator else { return }
    room[end] = separator
    end += 1
  }

  /// A whole number, which is below 1000 as a rule.
  @inlinable @inline(__always)
  public mutating func append(decimal value: Int) {
    let number = UInt(bitPattern: value)
    guard number < 1000 else { return append(decimal: value, width: 1, then: nil) }
    if number >= 100 { append(digit: number / 100) }
    if number >= 10 { append(digit: number / 10 % 10) }
    append(digit: number % 10)
  }

  /// Items with commas between them, each as `write` puts it down.
  @inlinable @inline(__always)
  public mutating func append<Items: Sequence>(
    list items: Items, _ write: (Items.Element, inout RowWriter) -> Void
  ) {
    var isFirst = true
    for item in items {
      if !isFirst { append(",") }
      isFirst = false
      write(item, &self)
    }
  }

  /// A number from 0 to 99 with two digits.
  @inlinable @inline(__always)
  public mutating func append(pair value: Int) {
    let number = UInt(bitPattern: value)
    precondition(number < 100)
    append(digit: number / 10)
    append(digit: number % 10)
  }

  /// A number from 0 to 999 with three digits.
  @inlinable @inline(__always)
  public mutating func append(triple value: Int) {
    let number = UInt(bitPattern: value)
    precondition(number < 1000)
    append(digit: number / 100)
    append(digit: number / 10 % 10)
    append(digit: number % 10)
  }

  @inlinable @inline(__always)
  mutating func append(digit: UInt) {
    append(byte: UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit))
  }

  /// `true` or `false`
  @inlinable @inline(__always)
  public mutating func append(_ value: Bool) {
    if value { append("true") } else { append("false") }
  }

  /// Three numbers from 0 to 99 with two digits each, and `separator` between them: `05:06:07`.
  public mutating func append(
    pairs first: Int, _ second: Int, _ third: Int, separator: UInt8
  ) {
    check(8)
    precondition((0...99).contains(first) && (0...99).contains(second) && (0...99).contains(third))
    end = DecimalDigits.write(pairs: first, second, third, separator: separator, to: room, at: end)
  }

  /// `separator`, and the number without zeros at the end of its fraction, if it is known and no
  /// NaN.
  @inlinable @inline(__always)
  public mutating func append(separator: UInt8, trimmed value: Double?, decimals: Int) {
    check(DecimalDigits.room + 1)
    room[end] = separator
    end &+= 1
    guard let value else { return }
    end = DecimalDigits.writeTrimmed(value, decimals: decimals, to: room, at: end)
  }

  // MARK: Members of a JSON object

  /// `,"key":` and the number with exactly `decimals` (0 to 12) digits behind the point. An unknown
  /// value, and one that is no number, is left out.
  @inlinable @inline(__always)
  public mutating func append(member key: StaticString, fixed value: Double?, decimals: Int) {
    guard let value else { return }
    let before = end
    append(",\"")
    append(key)
    append("\":")
    if !append(fixed: value, decimals: decimals) { end = before }
  }

  /// - Returns: Whether it is a number.
  @inlinable @inline(__always)
  mutating func append(fixed value: Double, decimals: Int) -> Bool {
    check(DecimalDigits.room)
    let start = end
    end = DecimalDigits.writeFixed(value, decimals: decimals, to: room, at: start)
    return end != start
  }

  /// Room for as many members with numbers, whose keys have eight characters at most.
  public static func byteCountMax(numberMembers count: Int) -> Int {
    count * (8 + 4 + DecimalDigits.room)
  }
}

extension OutputBuffer {
  /// Has `write` append at most `byteCount` bytes; 43 of them must be left for a number, however
  /// short it is.
  public mutating func appendRow(upTo byteCount: Int, _ write: (inout RowWriter) -> Void) {
    append(upTo: byteCount) { room in
      var row = RowWriter(room)
      write(&row)
      return row.byteCount
    }
  }
}
