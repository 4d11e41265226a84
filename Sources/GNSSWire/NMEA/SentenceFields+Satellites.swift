import Bytes

/// A satellite in view.
struct ShortBlock {
  let number: Int
  /// 0...90
  let elevation: Int
  /// 0...359
  let azimuth: Int
  /// 0...99
  let cn0: Int
}

// What satellites are listed with, in the widths that nearly every receiver writes: several fields
// at a time. Nothing is taken where it is not that.
extension SentenceFields {
  /// The head of GSV, of one, one and two digits: how many sentences there are, which one this is,
  /// and how many satellites.
  @inline(__always)
  mutating func shortHead() -> (count: Int, number: Int)? {
    // `0,0,00,` and the first satellite's number.
    guard let head = digits(at: 0, of: 0x002c_3030_2c30_2c30, limits: 0x007f_7676_7f76_7f76)
    else { return nil }
    cursor &+= 7
    return (Self.digit(head, 0), Self.digit(head, 2))
  }

  /// Four numbers of two, two, three and two digits, within the sky: a block of GSV.
  @inline(__always)
  mutating func shortBlock() -> ShortBlock? {
    let blockEnd = cursor &+ 12
    // `00,00,00` and, from the fifth character on, `0,000,00`.
    guard let head = digits(at: 0, of: 0x3030_2c30_302c_3030, limits: 0x7676_7f76_767f_7676),
      let tail = digits(at: 4, of: 0x3030_2c30_3030_2c30, limits: 0x7676_7f76_7676_7f76),
      blockEnd == end || view.byte(unchecked: blockEnd) == Self.comma
    else { return nil }
    // Each byte becomes the number that it and the next one are.
    let (headPairs, tailPairs) = (head &* 10 &+ head &>> 8, tail &* 10 &+ tail &>> 8)
    let block = ShortBlock(
      number: Self.digit(headPairs, 0), elevation: Self.digit(headPairs, 3),
      azimuth: Self.digit(tailPairs, 2) &* 10 &+ Self.digit(tail, 4),
      cn0: Self.digit(tailPairs, 6))
    guard block.elevation <= 90, block.azimuth < 360 else { return nil }
    cursor = blockEnd &+ 1
    return block
  }

  /// A number of two digits, or nothing; any other is taken too.
  @inline(__always)
  mutating func shortInteger() -> Int? {
    guard cursor <= wordStartMax else { return integer() }
    guard view.byte(unchecked: cursor) != Self.comma else {
      cursor &+= 1
      return nil
    }
    // `00,`
    guard let digits = digits(at: 0, of: 0x2c_3030, limits: 0x7f_7676) else { return integer() }
    cursor &+= 3
    return Self.digit(digits, 0) &* 10 &+ Self.digit(digits, 1)
  }

  @inline(__always)
  private static func digit(_ word: UInt64, _ place: UInt64) -> Int {
    Int(truncatingIfNeeded: word &>> (place &* 8) & 0xff)
  }

  /// The digits of up to eight characters that are like a pattern.
  /// - Parameters:
  ///   - pattern: `0` for a digit, or the character that must stand there; 0 for any.
  ///   - limits: What makes 0x80 of the least that is too much: 0x76 for a digit, 0x7f for another
  ///     character; 0 for any.
  @inline(__always)
  private func digits(at offset: Int, of pattern: UInt64, limits: UInt64) -> UInt64? {
    guard cursor &+ offset <= wordStartMax else { return nil }
    let digits = view.word(unchecked: cursor &+ offset) ^ pattern
    let wanted = (limits & TextWord.all(0x40)) &<< 1
    return ((digits &+ limits) | digits) & wanted == 0 ? digits : nil
  }
}
