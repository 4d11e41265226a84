/// UBX-NAV-SAT (0x01 0x35), 8 bytes and 12 a satellite. Source: u-blox M8 protocol specification.
package enum NavSAT {
  package static let iTOWMilliseconds = UBXField<UInt32>(at: 0)
  package static let count = UBXField<UInt8>(at: 5)
  package static let headByteCount = 8
  package static let blockByteCount = 12

  /// A satellite's twelve bytes.
  struct Block {
    /// The first eight.
    let head: UInt64
    /// The last eight.
    let tail: UInt64

    var constellation: UInt8 { UInt8(truncatingIfNeeded: head) }
    var svid: UInt8 { UInt8(truncatingIfNeeded: head &>> 8) }
    /// dB-Hz
    var cn0: UInt8 { UInt8(truncatingIfNeeded: head &>> 16) }
    /// Degrees.
    var elevation: Int8 { Int8(truncatingIfNeeded: head &>> 24) }
    /// Degrees.
    var azimuth: Int16 { Int16(truncatingIfNeeded: head &>> 32) }
    /// Bit 3 used, 5:4 health, 11 ephemeris.
    var flags: UInt32 { UInt32(truncatingIfNeeded: tail &>> 32) }
  }
}

/// UBX-NAV-SIG (0x01 0x43), 8 bytes and 16 a signal. Source: u-blox F9 HPG interface description.
enum NavSIG {
  static let count = UBXField<UInt8>(at: 5)
  static let constellation = UBXField<UInt8>(at: 8)
  static let svid = UBXField<UInt8>(at: 9)
  static let signal = UBXField<UInt8>(at: 10)
  static let cn0 = UBXField<UInt8>(at: 14)  // dB-Hz
  static let flags = UBXField<UInt16>(at: 18)  // 1:0 health, 3 used
  static let headByteCount = 8
  static let blockByteCount = 16
}

/// UBX-NAV-SVINFO (0x01 0x30), 8 bytes and 12 a channel: satellites of u-blox 5 to 7, by their
/// numbers in u-blox's extended NMEA numbering. Source: u-blox 6 receiver description.
enum NavSVINFO {
  static let count = UBXField<UInt8>(at: 4)
  static let number = UBXField<UInt8>(at: 9)
  static let flags = UBXField<UInt8>(at: 10)  // bit 0 used, 3 ephemeris, 4 unhealthy
  static let quality = UBXField<UInt8>(at: 11)
  static let cn0 = UBXField<UInt8>(at: 12)  // dB-Hz
  static let elevation = UBXField<Int8>(at: 13)  // degrees
  static let azimuth = UBXField<Int16>(at: 14)  // degrees
  static let headByteCount = 8
  static let blockByteCount = 12
}
