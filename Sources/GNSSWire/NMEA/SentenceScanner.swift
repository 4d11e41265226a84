import Bytes

/// Finds the end of an NMEA 0183 sentence. The line end is not waited for: the second digit of the
/// checksum completes a sentence.
enum SentenceScanner {
  /// From `$` up to the checksum, in bytes. The standard allows 82; receivers send more, as in
  /// PGLOR with 130.
  static let sentenceByteCountMax = 256
  /// The star and two digits.
  static let checksumByteCount = 3
  /// `$`, the shortest address (two letters) and `*hh`.
  private static let addressByteCountMin = 2

  /// Where the star of the sentence at `offset` stands, if all of it is there and its checksum
  /// fits. `nil` says only that `scan` has to look closer.
  @inline(__always)
  static func star(_ view: ByteView, at offset: Int) -> Int? {
    guard let (star, sum) = view.sentenceBody(from: offset &+ 1, limit: sentenceByteCountMax &- 1),
      star &+ 2 < view.count, star &- offset > addressByteCountMin,
      view.byte(unchecked: star) == UInt8(ascii: "*")
    else { return nil }
    let sent = (view.byte(unchecked: star &+ 1), view.byte(unchecked: star &+ 2))
    return SentenceChecksum.digits(sum) == UInt16(sent.1) &<< 8 | UInt16(sent.0) ? star : nil
  }

  static func scan(_ view: ByteView, at offset: Int) -> FrameScanner.Finding {
    let limit = min(view.count, offset + sentenceByteCountMax)
    var index = offset + 1
    var sums: UInt64 = 0
    // Eight bytes at a time up to the first that ends the body.
    while limit - index >= 8 {
      let word = view.littleEndian(at: index, as: UInt64.self)
      let ends = bodyEnds(in: word)
      guard ends == 0 else {
        let count = ends.trailingZeroBitCount >> 3
        sums ^= word & ((1 << UInt64(count * 8)) &- 1)
        return finish(view, at: offset, bodyEnd: index + count, sum: folded(sums))
      }
      sums ^= word
      index += 8
    }
    var sum = folded(sums)
    while index < limit {
      let byte = view[index]
      if endsBody(byte) { return finish(view, at: offset, bodyEnd: index, sum: sum) }
      sum ^= byte
      index += 1
    }
    guard view.count - offset < sentenceByteCountMax else {
      return failure(view, at: offset, .length, resume: limit)
    }
    return .incomplete(.nmea, wanted: 1)
  }

  /// What follows the body: the checksum, or the reason to give up.
  private static func finish(
    _ view: ByteView, at offset: Int, bodyEnd: Int, sum: UInt8
  ) -> FrameScanner.Finding {
    guard view[bodyEnd] == UInt8(ascii: "*") else {
      // A line end instead of the checksum; or another frame began, and is looked at next.
      let byte = view[bodyEnd]
      let isLineEnd = byte == 0x0a || byte == 0x0d
      return failure(
        view, at: offset, isLineEnd ? .checksum : .torn, resume: bodyEnd + (isLineEnd ? 1 : 0))
    }
    for index in (bodyEnd + 1)..<(bodyEnd + 3) {
      guard index < view.count else { return .incomplete(.nmea, wanted: bodyEnd + 3 - index) }
      guard hexDigit(view[index]) != nil else {
        return failure(view, at: offset, .checksum, resume: index)
      }
    }
    guard let high = hexDigit(view[bodyEnd + 1]), let low = hexDigit(view[bodyEnd + 2]),
      high << 4 | low == sum
    else { return failure(view, at: offset, .checksum, resume: bodyEnd + 3) }
    return bodyEnd - offset - 1 >= addressByteCountMin
      ? .frame(.nmea, end: bodyEnd + 3)
      : failure(view, at: offset, .structure, resume: bodyEnd + 3)
  }

  /// A `$` that no address follows was no candidate but noise.
  private static func failure(
    _ view: ByteView, at offset: Int, _ reason: RejectReason, resume: Int
  ) -> FrameScanner.Finding {
    var index = offset + 1
    while index < resume, index - offset <= 3, isAddressCharacter(view[index]) { index += 1 }
    return index - offset > 3
      ? .rejected(.nmea, reason, resume: resume) : .noise(end: max(resume, offset + 1))
  }

  private static func isAddressCharacter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// A byte that cannot stand in a body: `*`, `$`, a control character, or one with bit 7.
  private static func endsBody(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "*") || byte == UInt8(ascii: "$")
  }

  /// Bit 7 of each byte that ends the body. Above the lowest such byte, bits may be set in error: a
  /// borrow runs upwards only.
  private static func bodyEnds(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let star = (word ^ (ones &* 0x2a)) &- ones
    let dollar = (word ^ (ones &* 0x24)) &- ones
    let control = word &- (ones &* 0x20)
    return (star | dollar | control | word) & (ones &* 0x80)
  }

  private static func folded(_ word: UInt64) -> UInt8 {
    let half = word ^ (word >> 32)
    let quarter = half ^ (half >> 16)
    return UInt8(truncatingIfNeeded: quarter ^ (quarter >> 8))
  }

  /// Either case: lower-case checksums are seen.
  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 65...70: byte - 55
    case 97...102: byte - 87
    default: nil
    }
  }
}
