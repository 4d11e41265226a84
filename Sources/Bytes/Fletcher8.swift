import CChecksum

/// The 8-bit Fletcher checksum of RFC 1145, as UBX and Allystar use it.
public enum Fletcher8 {
  /// CK_A in the low byte, CK_B in the high byte: little-endian as they are sent.
  @inlinable public static func checksum(_ view: ByteView) -> UInt16 {
    view.withUnsafeBytes { checksum_fletcher8($0.baseAddress, $0.count) }
  }
}
