import Bytes
import GNSS

// What satellites are listed with, in the widths that nearly every receiver writes: several fields
// at a time. Nothing is taken where it is not that.
//
// A word less a pattern has the digits, and nothing where a separator stands. Bit 7 then comes from
// what is too much: adding 0x76 carries ten into it, adding 0x7f one.
extension SentenceFields {
  /// The head of GSV, of one, one and two digits: how many sentences there are, which one this is,
  /// and how many satellites.
  @inline(__always)
  mutating func shortHead() -> (count: Int, number: Int)? {
    guard cursor <= wordStartMax else { return nil }
    // `0,0,00,` and the first satellite's number.
    let head = view.word(unchecked: cursor) ^ 0x002c_3030_2c30_2c30
    guard (head &+ 0x007f_7676_7f76_7f76) & 0x0080_8080_8080_8080 == 0 else { return nil }
    cursor &+= 7
    return (Self.digit(head, 0), Self.digit(head, 2))
  }

  /// Four numbers of two, two, three and two digits or none, within the sky: a block of GSV.
  /// - Returns: The first of them, and the rest as a satellite whose system is still to be found.
  @inline(__always)
  mutating func shortBlock() -> (number: Int, satellite: Satellite)? {
    guard cursor &+ 4 <= wordStartMax else { return nil }
    // `00,00,00` and, from the fifth character on, `0,000,` and perhaps `00`.
    let head = view.word(unchecked: cursor) ^ 0x3030_2c30_302c_3030
    let tail = view.word(unchecked: cursor &+ 4) ^ 0x3030_2c30_3030_2c30
    let (oddHead, oddTail) = (head &+ 0x7676_7f76_767f_7676, tail &+ 0x7676_7f76_7676_7f76)
    // Each byte becomes the number that it and the next one are.
    let (headPairs, tailPairs) = (head &* 10 &+ head &>> 8, tail &* 10 &+ tail &>> 8)
    // Whether the last number is blank is not branched on, as satellites come and go.
    let blank = oddTail &>> 55 & 1
    let odd = (oddHead | oddTail & 0xffff_ffff_ffff) & TextWord.all(0x80)
    let length = 12 &- 2 &* Int(truncatingIfNeeded: blank)
    guard odd | (oddTail &>> 63 & ~blank) == 0, isFieldEnd(cursor &+ length) else { return nil }
    let cn0 = blank != 0 ? nil : UInt8(truncatingIfNeeded: Self.digit(tailPairs, 6))
    let elevation = Self.digit(headPairs, 3)
    let azimuth = Self.digit(tailPairs, 2) &* 10 &+ Self.digit(tail, 4)
    guard elevation <= 90, azimuth < 360 else { return nil }
    cursor &+= length &+ 1
    let satellite = Satellite(
      constellation: .gps, svid: 0, elevation: Int8(truncatingIfNeeded: elevation),
      azimuth: Int16(truncatingIfNeeded: azimuth), cn0: cn0)
    return (Self.digit(headPairs, 0), satellite)
  }

  /// A block without a direction: two digits or none, two blank fields, and two digits or none.
  /// - Returns: 0 for a blank number.
  @inline(__always)
  mutating func shortBlockWithoutDirection() -> (number: Int, cn0: UInt8?)? {
    guard cursor <= wordStartMax else { return nil }
    let word = view.word(unchecked: cursor)
    // `00,,,` and perhaps `00`
    let block = word ^ 0x30_302c_2c2c_3030
    guard (block &+ 0x7f_7f7f_7676) & 0x80_8080_8080 == 0 else {
      guard word & 0xff_ffff == 0x2c_2c2c, isFieldEnd(cursor &+ 3) else { return nil }
      cursor &+= 4
      return (0, nil)
    }
    let number = Self.digit(block, 0) &* 10 &+ Self.digit(block, 1)
    guard !isFieldEnd(cursor &+ 5) else {
      cursor &+= 6
      return (number, nil)
    }
    let (tens, ones) = (Self.digit(block, 5), Self.digit(block, 6))
    guard tens < 10, ones < 10, isFieldEnd(cursor &+ 7) else { return nil }
    cursor &+= 8
    return (number, UInt8(truncatingIfNeeded: tens &* 10 &+ ones))
  }

  /// A number of two digits, or nothing; any other is taken too.
  @inline(__always)
  mutating func shortInteger() -> Int? {
    guard cursor <= wordStartMax else { return integer() }
    let word = view.word(unchecked: cursor)
    guard word & 0xff != UInt64(Self.comma) else {
      cursor &+= 1
      return nil
    }
    // `00,`
    let digits = word ^ 0x2c_3030
    guard (digits &+ 0x7f_7676) & 0x80_8080 == 0 else { return integer() }
    cursor &+= 3
    return Self.digit(digits, 0) &* 10 &+ Self.digit(digits, 1)
  }

  @inline(__always)
  private static func digit(_ word: UInt64, _ place: UInt64) -> Int {
    Int(truncatingIfNeeded: word &>> (place &* 8) & 0xff)
  }
}
