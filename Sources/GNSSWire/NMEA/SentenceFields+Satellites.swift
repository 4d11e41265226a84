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
    let (cn0, length): (UInt8?, Int)
    if (oddHead | oddTail) & TextWord.all(0x80) == 0, isFieldEnd(cursor &+ 12) {
      (cn0, length) = (UInt8(truncatingIfNeeded: Self.digit(tailPairs, 6)), 12)
    } else if (oddHead | oddTail & 0xffff_ffff_ffff) & TextWord.all(0x80) == 0,
      isFieldEnd(cursor &+ 10)
    {
      (cn0, length) = (nil, 10)
    } else {
      return nil
    }
    let elevation = Self.digit(headPairs, 3)
    let azimuth = Self.digit(tailPairs, 2) &* 10 &+ Self.digit(tail, 4)
    guard elevation <= 90, azimuth < 360 else { return nil }
    cursor &+= length &+ 1
    let satellite = Satellite(
      constellation: .gps, svid: 0, elevation: Int8(truncatingIfNeeded: elevation),
      azimuth: Int16(truncatingIfNeeded: azimuth), cn0: cn0)
    return (Self.digit(headPairs, 0), satellite)
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
