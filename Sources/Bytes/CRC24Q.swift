/// CRC-24Q, polynomial 0x1864CFB, as in RTCM 10403 section 4: the check of an RTCM 3 frame.
public enum CRC24Q {
  public static func checksum(_ view: ByteView) -> UInt32 {
    var crc: UInt32 = 0
    table.withUnsafeBufferPointer { table in
      for index in view.indices {
        crc = (crc << 8 & 0xff_ffff) ^ table[Int(crc >> 16 ^ UInt32(view[index]))]
      }
    }
    return crc
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    var crc = UInt32(byte) << 16
    for _ in 0..<8 {
      crc <<= 1
      if crc & 0x100_0000 != 0 { crc ^= 0x186_4cfb }
    }
    return crc & 0xff_ffff
  }
}
