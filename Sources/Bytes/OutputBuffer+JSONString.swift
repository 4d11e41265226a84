extension OutputBuffer {
  /// A JSON string with its quotes. Control characters, quotes and backslashes are escaped, so that
  /// whatever a receiver or a client sent, the line stays one line of JSON.
  public mutating func append(jsonString text: String) {
    var text = text
    text.withUTF8 { utf8 in
      let bytes = UnsafeRawBufferPointer(utf8)
      guard Self.isPlain(bytes) else { return append(escaping: bytes) }
      append(count: bytes.count + 2) { room in
        room[0] = UInt8(ascii: "\"")
        UnsafeMutableRawBufferPointer(rebasing: room[1...]).copyMemory(from: bytes)
        room[bytes.count + 1] = UInt8(ascii: "\"")
      }
    }
  }

  private mutating func append(escaping bytes: UnsafeRawBufferPointer) {
    append(byte: UInt8(ascii: "\""))
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\""): append(#"\""#)
      case UInt8(ascii: "\\"): append(#"\\"#)
      case 0x0a: append(#"\n"#)
      case 0x0d: append(#"\r"#)
      case 0x09: append(#"\t"#)
      case 0..<0x20, 0x7f:
        append(#"\u"#)
        append(hex: UInt64(byte), width: 4)
      default: append(byte: byte)
      }
    }
    append(byte: UInt8(ascii: "\""))
  }

  /// Whether all is ASCII that stands as it is; eight bytes at a time, the last ones again if they
  /// are fewer.
  private static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 8 else { return bytes.allSatisfy { isPlain(eight: UInt64($0) &* ones) } }
    let last = bytes.count - 8
    var offset = 0
    while offset < last {
      guard isPlain(eight: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) else {
        return false
      }
      offset += 8
    }
    return isPlain(eight: bytes.loadUnaligned(fromByteOffset: last, as: UInt64.self))
  }

  /// Looks at the upper bit of each byte, which is set in at least one of these sums where a byte
  /// of the word is above 0x7e, below 0x20, or one of the two that are escaped. A carry can come
  /// only out of a byte that is found itself.
  @inline(__always)
  private static func isPlain(eight word: UInt64) -> Bool {
    let quote = word ^ ones &* UInt64(UInt8(ascii: "\""))
    let backslash = word ^ ones &* UInt64(UInt8(ascii: "\\"))
    let found =
      word | (word &+ ones) | (word &- ones &* 0x20) | (quote &- ones) | (backslash &- ones)
    return found & (ones &* 0x80) == 0
  }

  private static var ones: UInt64 { 0x0101_0101_0101_0101 }
}
