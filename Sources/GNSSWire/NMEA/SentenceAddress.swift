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
  ///   - start: Where the body starts, which has more than five bytes.
  /// - Returns: `nil` for any other, which `parse` reads.
  @inline(__always)
  static func ofTalker(_ view: ByteView, at start: Int) -> SentenceAddress? {
    guard start <= view.count &- 8 else { return nil }
    let characters = view.word(unchecked: start)
    // The first five hold no comma, and the sixth is one.
    let commas = TextWord.all(SentenceFields.comma) ^ characters
    let gaps = (commas &- TextWord.all(1)) & ~commas & TextWord.all(0x80)
    let code = characters.byteSwapped &>> UInt64(64 - length * 8)
    guard gaps.trailingZeroBitCount &>> 3 == length, code >> 32 != UInt64(UInt8(ascii: "P"))
    else { return nil }
    return SentenceAddress(fiveCharacters: code)
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

/// A sentence whose checksum fits.
struct Sentence {
  let address: SentenceAddress
  let fields: SentenceFields
  /// Whether anything stands behind the address.
  let hasFields: Bool
  private let view: ByteView
  private let range: Range<Int>

  /// - Parameters:
  ///   - view: What holds it.
  ///   - start: Where its body starts, behind the dollar sign.
  ///   - star: Where the star stands that ends its body.
  @inline(__always)
  init(_ view: ByteView, from start: Int, to star: Int) {
    (self.view, range) = (view, start..<star)
    let fieldStart: Int
    if start + SentenceAddress.length < star,
      let address = SentenceAddress.ofTalker(view, at: start)
    {
      (self.address, fieldStart) = (address, start + SentenceAddress.length + 1)
    } else {
      let (address, offset) = SentenceAddress.parse(view.extracting(start..<star))
      (self.address, fieldStart) = (address, start + offset)
    }
    hasFields = fieldStart <= star
    fields = SentenceFields(view, from: fieldStart, toStar: star)
  }

  /// What stands between `$` and `*`.
  var body: ByteView { view.extracting(range) }
}
