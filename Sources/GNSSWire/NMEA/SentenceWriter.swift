import Bytes

/// Composes NMEA 0183 sentences.
extension OutputBuffer {
  /// Appends `$`, the text, `*`, the checksum and CR LF: `appendSentence("PMTK605")`.
  package mutating func appendSentence(_ text: StaticString) {
    appendSentence(text) { _ in }
  }

  /// Appends a sentence whose address is followed by what `write` appends: the fields, each with
  /// the comma before it, and nothing that NMEA reserves (`$ * !` and control characters).
  package mutating func appendSentence(
    _ address: StaticString, write: (inout OutputBuffer) -> Void
  ) {
    let start = count + 1
    append(byte: UInt8(ascii: "$"))
    append(address)
    write(&self)
    endSentence(from: start)
  }

  /// Appends what follows a sentence's last field.
  /// - Parameter start: Where the sentence's address begins.
  mutating func endSentence(from start: Int) {
    let checksum = withByteView { SentenceChecksum.value(of: $0.extracting(start..<$0.count)) }
    appendRow(upTo: 5) { row in
      row.append(byte: UInt8(ascii: "*"))
      row.append(byte: SentenceChecksum.digit(checksum >> 4))
      row.append(byte: SentenceChecksum.digit(checksum & 15))
      row.append("\r\n")
    }
  }
}

/// The exclusive-or of the bytes between `$` and `*`. NMEA 0183, 5.3.
package enum SentenceChecksum {
  package static func value(of body: ByteView) -> UInt8 {
    var sum: UInt8 = 0
    for index in body.indices { sum ^= body[index] }
    return sum
  }

  /// Both upper-case digits, the first in the low byte: as they are sent.
  @inline(__always)
  static func digits(_ value: UInt8) -> UInt16 {
    let halves = UInt16(value >> 4) | UInt16(value & 15) << 8
    // Above nine, 6 carries into the upper half of the byte.
    let letters = (halves &+ 0x0606) >> 4 & 0x0101
    return halves &+ 0x3030 &+ letters &* 7
  }

  /// An upper-case hexadecimal digit.
  static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 55 + value }
}
