import Bytes

/// The address field of a sentence: who talks, and what it is.
package struct SentenceAddress: Equatable, Sendable {
  /// Both letters of the talker; 0 for a proprietary sentence.
  package var talker: UInt16
  /// The three letters of the formatter; 0 for a proprietary sentence and for an address of another
  /// length than five.
  package var formatter: Formatter
  /// The first eight characters, packed: tells apart all that are seen.
  package var code: UInt64

  /// A formatter's three letters in one number.
  package struct Formatter: Hashable, Sendable {
    package let code: UInt32
  }
}

extension SentenceAddress {
  /// The address of a sentence that says who talks, as nearly all do: five characters and a comma.
  /// - Parameters:
  ///   - view: What holds the sentence.
  ///   - start: Where the body starts.
  ///   - star: Where the star stands that ends the body.
  /// - Returns: As `parse`; `nil` for any other, which that reads.
  @inline(__always)
  static func ofTalker(
    _ view: ByteView, at start: Int, toStar star: Int
  ) -> (address: SentenceAddress, fieldStart: Int)? {
    // With the star and two digits behind that, there are eight bytes.
    guard star &- start > length else { return nil }
    let characters = view.word(unchecked: start)
    // All are below 0x80, and bit 7 is for each that is no comma: the first five, not the sixth.
    let others = (characters ^ TextWord.all(SentenceFields.comma)) &+ TextWord.all(0x7f)
    guard others & 0x8080_8080_8080 == 0x80_8080_8080,
      UInt8(truncatingIfNeeded: characters) != UInt8(ascii: "P")
    else { return nil }
    let code = characters.byteSwapped &>> UInt64(64 - length * 8)
    return (SentenceAddress(fiveCharacters: code), length + 1)
  }

  /// Of an address with talker and formatter, in bytes.
  static let length = 5

  private init(fiveCharacters code: UInt64) {
    self.code = code
    talker = UInt16(truncatingIfNeeded: code >> 24)
    formatter = Formatter(code: UInt32(truncatingIfNeeded: code & 0xff_ffff))
  }

  /// Reads the address at the start of a sentence's body.
  /// - Returns: Also where the first field starts; past the body where there is none.
  static func parse(_ body: ByteView) -> (address: SentenceAddress, fieldStart: Int) {
    let length = body.firstIndex(of: SentenceFields.comma) ?? body.count
    var code: UInt64 = 0
    for index in 0..<min(length, 8) { code = code << 8 | UInt64(body[index]) }
    // Everything that starts with P is a maker's own. The one exception: Quectel's modems send
    // BeiDou satellites under the talker PQ.
    let isQuectel = code == 0x50_5147_5356 || code == 0x50_5147_5341
    guard length == Self.length, body[0] != UInt8(ascii: "P") || isQuectel else {
      return (SentenceAddress(talker: 0, formatter: Formatter(code: 0), code: code), length + 1)
    }
    return (SentenceAddress(fiveCharacters: code), length + 1)
  }
}
