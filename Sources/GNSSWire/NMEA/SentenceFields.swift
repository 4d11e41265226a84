import Bytes

/// The fields of one sentence, taken one after another without allocating. A blank field, a missing
/// one and one that makes no sense are all `nil`: each field stands for itself. What must not be
/// guessed, a coordinate or a time, also sets `isMalformed`, and the sentence is then refused.
///
/// Nearly every field has up to seven characters, and is read as one word together with the comma
/// behind it (`TextWord`). What is longer, signed or strange goes the long way, by `text`.
///
/// Reads are unchecked where `wordStartMax` was compared with: up to eight bytes behind it are
/// within the view, and so is the first character that is no digit, as a field begins at or before
/// the star.
package struct SentenceFields {
  /// What holds the sentence.
  let view: ByteView
  /// Where the star stands that ends the body.
  let end: Int
  /// Where a field may begin to be read as a word; no field begins behind `end`.
  let wordStartMax: Int
  /// Where the next field starts; past `end` once the last one was taken.
  var cursor: Int
  /// Whether a coordinate or a time was there, but not one that can be.
  package internal(set) var isMalformed = false

  /// - Parameters:
  ///   - view: What holds the sentence.
  ///   - start: Where the first field starts.
  ///   - star: Where the star stands that ends the body.
  @inline(__always)
  package init(_ view: ByteView, from start: Int, toStar star: Int) {
    (self.view, end, cursor) = (view, star, start)
    wordStartMax = min(star, view.count - 8)
  }

  @inline(__always)
  package var isAtEnd: Bool { cursor > end }

  /// How many fields are left. NMEA counts the last one even if it is blank.
  package var remainingCount: Int {
    guard !isAtEnd else { return 0 }
    var (count, index) = (1, cursor)
    while end &- index >= 8 {
      // Bit 7 of each that is no comma; as ones, their sum is in the highest byte of the product.
      let word = view.word(unchecked: index) ^ TextWord.all(Self.comma)
      let others = (word &+ TextWord.all(0x7f)) &>> 7 & TextWord.all(1)
      count &+= 8 &- Int(truncatingIfNeeded: (others &* TextWord.all(1)) &>> 56)
      index &+= 8
    }
    while index < end {
      if view.byte(unchecked: index) == Self.comma { count &+= 1 }
      index &+= 1
    }
    return count
  }

  static let comma = UInt8(ascii: ",")
  static let star = UInt8(ascii: "*")
  private static let space = UInt8(ascii: " ")

  // MARK: Text

  /// Where the field at the cursor ends: at its comma or behind the body.
  @inline(never)
  private func fieldEnd() -> Int {
    var index = cursor
    while index < end, view[index] != Self.comma { index += 1 }
    return index
  }

  /// The next field's bytes without the blanks around them; empty past the last.
  package mutating func text() -> ByteView {
    guard cursor <= end else { return view.extracting(0..<0) }
    let fieldEnd = fieldEnd()
    var first = cursor
    var last = fieldEnd
    while first < last, view[first] == Self.space { first += 1 }
    while last > first, view[last - 1] == Self.space { last -= 1 }
    cursor = fieldEnd + 1
    return view.extracting(first..<last)
  }

  /// All that is left, commas too.
  package mutating func rest() -> ByteView {
    defer { cursor = end + 1 }
    return view.extracting(min(cursor, end)..<end)
  }

  @inline(__always)
  package mutating func skip(_ count: Int) {
    for _ in 0..<count {
      // A unit's letter, as a rule.
      if let length = lengthUpToOne {
        cursor &+= length &+ 1
      } else {
        cursor = fieldEnd() &+ 1
      }
    }
  }

  /// A field of one character.
  @inline(__always)
  package mutating func letter() -> UInt8? {
    guard let length = lengthUpToOne else {
      return isAtEnd ? nil : take(long { $0.longLetter() })
    }
    defer { cursor &+= length &+ 1 }
    return length > 0 ? view.byte(unchecked: cursor) : nil
  }

  private mutating func longLetter() -> UInt8? {
    let field = text()
    return field.count == 1 ? field[0] : nil
  }

  /// How long the field at the cursor is; `nil` for more than one character, and for what may be a
  /// blank.
  @inline(__always)
  private var lengthUpToOne: Int? {
    // A word could be read here, so the two bytes are within the view.
    guard cursor <= wordStartMax else { return nil }
    let first = view.byte(unchecked: cursor)
    if first > Self.comma, isFieldEnd(cursor &+ 1) { return 1 }
    return isFieldEnd(cursor) ? 0 : nil
  }

  /// Takes a blank field, if that is next.
  @inline(__always)
  mutating func takeBlank() -> Bool {
    guard cursor <= wordStartMax, isFieldEnd(cursor) else { return false }
    cursor &+= 1
    return true
  }

  /// Whether the comma stands there that ends a field, or the star.
  @inline(__always)
  func isFieldEnd(_ index: Int) -> Bool {
    let byte = view.byte(unchecked: index)
    return byte == Self.comma || byte == Self.star
  }

  /// Whether one more field is left, of one character.
  @inline(__always)
  var isLastCharacter: Bool { cursor &+ 1 == end && view[cursor] != Self.comma }

  /// One hexadecimal digit, as the ids of systems and signals.
  @inline(__always)
  package mutating func hexDigit() -> UInt8? { letter().flatMap(Self.hexValue) }

  /// The last field's, if it is that, wherever the cursor is.
  @inline(__always)
  var lastHexDigit: UInt8? {
    guard end &- cursor > 1, view.byte(unchecked: end &- 2) == Self.comma else { return nil }
    return Self.hexValue(view.byte(unchecked: end &- 1))
  }

  @inline(__always)
  private static func hexValue(_ letter: UInt8) -> UInt8? {
    switch letter {
    case 48...57: letter &- 48
    case 65...70: letter &- 55
    case 97...102: letter &- 87
    default: nil
    }
  }

  // MARK: The long way

  /// What was taken the long way, and where that leads.
  struct Long<Value> {
    let value: Value
    let cursor: Int
    let isMalformed: Bool
  }

  /// Takes a value from a copy: were this changed by a call, it would not stay in registers.
  @inline(never)
  func long<Value>(_ take: (inout SentenceFields) -> Value) -> Long<Value> {
    var fields = self
    let value = take(&fields)
    return Long(value: value, cursor: fields.cursor, isMalformed: fields.isMalformed)
  }

  @inline(__always)
  mutating func take<Value>(_ long: Long<Value>) -> Value {
    (cursor, isMalformed) = (long.cursor, long.isMalformed)
    return long.value
  }

  // MARK: Numbers

  /// Digits in a row, up to eight.
  struct Run {
    let text: TextWord
    /// 0...8
    let length: Int
    /// Where the first other character stands.
    let end: Int
  }

  /// The digits that stand `offset` behind the cursor; more than eight end before the next digit.
  @inline(__always)
  func run(at offset: Int = 0) -> Run? {
    let start = cursor &+ offset
    guard start <= wordStartMax else { return nil }
    let text = TextWord(characters: view.word(unchecked: start))
    let length = text.others.trailingZeroBitCount &>> 3
    return Run(text: text, length: length, end: start &+ length)
  }

  @inline(__always)
  package mutating func decimal() -> DecimalNumber? {
    guard let run = run() else { return take(long { Numeral($0.text())?.number }) }
    if isFieldEnd(run.end) {
      cursor = run.end &+ 1
      guard run.length > 0 else { return nil }
      return DecimalNumber(mantissa: Int64(run.text.digits(run.length).number), decimals: 0)
    }
    // As a rule it is the point; the next one that is no digit must end the field.
    let behind = run.text.others & (run.text.others &- 1)
    let length = behind.trailingZeroBitCount &>> 3
    guard view.byte(unchecked: run.end) == UInt8(ascii: "."), behind != 0, length > 1,
      isFieldEnd(cursor &+ length)
    else { return take(long { Numeral($0.text())?.number }) }
    cursor = cursor &+ length &+ 1
    return DecimalNumber(
      mantissa: Int64(run.text.digits(length, without: run.length).number),
      decimals: UInt8(truncatingIfNeeded: length &- run.length &- 1))
  }

  @inline(__always)
  package mutating func number() -> Double? { shortNumber() ?? decimal()?.value }

  /// `0.0` or `0.00`, as dilutions and errors are written; nothing is taken where it is not that.
  @inline(__always)
  private mutating func shortNumber() -> Double? {
    guard cursor <= wordStartMax else { return nil }
    let word = view.word(unchecked: cursor) ^ 0x3030_2e30
    // Bit 7 of what is no digit, no point and no digit.
    guard (word &+ 0x76_7f76) & 0x80_8080 == 0 else { return nil }
    let tenths = (word & 0xff) &* 10 &+ (word &>> 16 & 0xff)
    guard !isFieldEnd(cursor &+ 3) else {
      cursor &+= 4
      return Double(Int(truncatingIfNeeded: tenths)) / 10
    }
    let last = word &>> 24 & 0xff
    guard last < 10, isFieldEnd(cursor &+ 4) else { return nil }
    cursor &+= 5
    return Double(Int(truncatingIfNeeded: tenths &* 10 &+ last)) / 100
  }

  /// The same where a minus is to be expected.
  @inline(__always)
  mutating func signedNumber() -> Double? {
    let isNegative =
      cursor < wordStartMax && view.byte(unchecked: cursor) == UInt8(ascii: "-")
      && (48...57).contains(view.byte(unchecked: cursor &+ 1))
    if isNegative { cursor &+= 1 }
    // From zero, as there is no negative one.
    return number().map { isNegative ? 0 - $0 : $0 }
  }

  /// An error, a deviation or an age: `nil` where a sign makes nonsense of it.
  @inline(__always)
  mutating func magnitude() -> Double? { number().flatMap { $0 >= 0 ? $0 : nil } }

  /// A whole number of any sign.
  @inline(__always)
  package mutating func integer() -> Int? {
    guard let run = run(), isFieldEnd(run.end) else { return take(long { $0.longInteger() }) }
    cursor = run.end &+ 1
    guard run.length > 0 else { return nil }
    let digits = run.text.digits(run.length)
    return run.length <= 4 ? digits.shortNumber : digits.number
  }

  private mutating func longInteger() -> Int? {
    guard let number = Numeral(text())?.number, number.decimals == 0 else { return nil }
    return Int(number.mantissa)
  }

  /// The whole part of a number of any sign; `nil` where it is not within `range`.
  @inline(__always)
  package mutating func integer(truncatedIn range: ClosedRange<Int>) -> Int? {
    guard let run = run(), isFieldEnd(run.end) else {
      return take(long { $0.longInteger(in: range) })
    }
    cursor = run.end &+ 1
    guard run.length > 0 else { return nil }
    let number = run.text.digits(run.length).number
    return range.contains(number) ? number : nil
  }

  private mutating func longInteger(in range: ClosedRange<Int>) -> Int? {
    guard let number = Numeral(text())?.number else { return nil }
    let unit = PowersOfTen.integer(number.decimals)
    let (whole, fraction) = number.mantissa.quotientAndRemainder(dividingBy: unit)
    guard range.contains(Int(whole)), whole != range.upperBound || fraction <= 0,
      whole != range.lowerBound || fraction >= 0
    else { return nil }
    return Int(whole)
  }
}

/// A number as it is written.
struct Numeral {
  private(set) var number = DecimalNumber(mantissa: 0, decimals: 0)
  /// Digits before the point.
  private(set) var wholeDigitCount = 0
  /// Whether a sign stands before it, of either kind.
  private(set) var isSigned = false

  /// More digits than this would not fit 64 bits.
  private static let digitCountMax = 18

  /// Digits with an optional sign and point. More than 18 digits are refused.
  init?(_ field: ByteView) {
    guard let first = field.isEmpty ? nil : field[0] else { return nil }
    isSigned = first == UInt8(ascii: "-") || first == UInt8(ascii: "+")
    var (digitCount, hasPoint) = (0, false)
    for index in (isSigned ? 1 : 0)..<field.count {
      let digit = field[index] &- 48
      if digit < 10 {
        guard digitCount < Self.digitCountMax else { return nil }
        number.mantissa = number.mantissa &* 10 &+ Int64(digit)
        digitCount += 1
        if hasPoint { number.decimals += 1 } else { wholeDigitCount += 1 }
      } else {
        guard field[index] == UInt8(ascii: "."), !hasPoint else { return nil }
        hasPoint = true
      }
    }
    guard digitCount > 0 else { return nil }
    if first == UInt8(ascii: "-") { number.mantissa = -number.mantissa }
  }
}
