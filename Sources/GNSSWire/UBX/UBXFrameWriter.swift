import Bytes

/// Composes UBX frames. Source: u-blox M8 protocol specification, UBX frame structure.
extension OutputBuffer {
  /// Appends a whole frame with its length and checksum. A payload is at most 65,535 bytes; what is
  /// longer is cut there.
  package mutating func appendUBX(messageClass: UInt8, id: UInt8, payload: ByteView) {
    appendUBX(messageClass: messageClass, id: id) { $0.append(view: payload) }
  }

  /// Appends a whole frame with its length and checksum.
  package mutating func appendUBX(messageClass: UInt8, id: UInt8, payload: [UInt8] = []) {
    appendUBX(messageClass: messageClass, id: id) { $0.append(bytes: payload) }
  }

  /// Appends a whole frame; `write` appends the payload's bytes, and nothing else, to the buffer.
  package mutating func appendUBX(
    messageClass: UInt8, id: UInt8, write: (inout OutputBuffer) -> Void
  ) {
    append(byte: UBXFrame.sync1)
    append(byte: UBXFrame.sync2)
    let start = count
    append(byte: messageClass)
    append(byte: id)
    append(littleEndian: UInt16(0))
    write(&self)
    truncate(to: start + 4 + Int(UInt16.max))
    replace(at: start + 2, littleEndian: UInt16(count - start - 4))
    let checksum = withByteView { Fletcher8.checksum($0.extracting(start..<$0.count)) }
    append(littleEndian: checksum)
  }
}

/// Where the parts of a UBX frame lie.
package enum UBXFrame {
  package static let sync1: UInt8 = 0xb5
  package static let sync2: UInt8 = 0x62
  /// Both, the first in the low byte.
  static let sync = UInt16(sync2) << 8 | UInt16(sync1)
  /// Sync, class, id and length.
  package static let headerByteCount = 6
  package static let checksumByteCount = 2
}

/// The 8-bit Fletcher checksum of RFC 1145, as UBX and Allystar use it.
package enum Fletcher8 {
  private static let blockByteCount = 16

  /// CK_A in the low byte, CK_B in the high byte: little-endian as they are sent.
  ///
  /// CK_A is the sum of the bytes; CK_B counts each as often as bytes follow it, and once more. So
  /// sixteen bytes are added at once, each in its place of a block: at the end a byte's place says
  /// how often its sum counts, and the sums of sums how often for the blocks that followed.
  package static func checksum(_ view: ByteView) -> UInt16 {
    let blockEnd = view.count & ~(blockByteCount - 1)
    var sums = SIMD16<UInt8>()
    var sumsOfSums = SIMD16<UInt8>()
    var index = 0
    while index < blockEnd {
      sumsOfSums &+= sums
      sums &+= view.block(unchecked: index)
      index += blockByteCount
    }
    var (first, second) = (UInt8(0), UInt8(0))
    if blockEnd > 0 {
      let weights = SIMD16<UInt8>(16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)
      let blocks = SIMD16<UInt8>(repeating: UInt8(blockByteCount))
      first = sum(of: sums)
      second = sum(of: sumsOfSums &* blocks &+ sums &* weights)
    }
    while index < view.count {
      first &+= view.byte(unchecked: index)
      second &+= first
      index += 1
    }
    return UInt16(second) << 8 | UInt16(first)
  }
  /// The sum of sixteen bytes, four at a time in 16 bits each.
  @inline(__always)
  private static func sum(of bytes: SIMD16<UInt8>) -> UInt8 {
    let words = unsafeBitCast(bytes, to: SIMD2<UInt64>.self)
    let low: UInt64 = 0x00ff_00ff_00ff_00ff
    let sums = (words.x & low) &+ (words.x &>> 8 & low) &+ (words.y & low) &+ (words.y &>> 8 & low)
    return UInt8(truncatingIfNeeded: (sums &* 0x0001_0001_0001_0001) &>> 48)
  }
}
