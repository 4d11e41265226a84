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
