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

    init(code: UInt32) { self.code = code }

    /// - Parameter text: Three ASCII letters.
    init(_ text: StaticString) {
      code =
        UInt32(text.utf8Start[0]) << 16 | UInt32(text.utf8Start[1]) << 8
        | UInt32(text.utf8Start[2])
    }
  }

  /// Reads the address at the start of a sentence's body.
  /// - Returns: Also where the first field starts; past the body where there is none.
  static func parse(_ body: ByteView) -> (address: SentenceAddress, fieldStart: Int) {
    var code: UInt64 = 0
    var length = 0
    if body.count >= 8 {
      // Up to the comma among the first eight bytes, which nearly every sentence has.
      let word = body.littleEndian(at: 0, as: UInt64.self)
      length = SentenceFields.commas(in: word).trailingZeroBitCount >> 3
      code = word.byteSwapped >> UInt64(64 - length * 8)
    }
    while length < body.count, body[length] != UInt8(ascii: ",") {
      if length < 8 { code = code << 8 | UInt64(body[length]) }
      length += 1
    }
    var address = SentenceAddress(talker: 0, formatter: Formatter(code: 0), code: code)
    // Everything that starts with P is a maker's own. The one exception: Quectel's modems send
    // BeiDou satellites under the talker PQ.
    if length == 5, body[0] != UInt8(ascii: "P") || code == 0x50_5147_5356 || code == 0x50_5147_5341
    {
      address.talker = UInt16(truncatingIfNeeded: code >> 24)
      address.formatter = Formatter(code: UInt32(truncatingIfNeeded: code & 0xff_ffff))
    }
    return (address, length + 1)
  }
}
