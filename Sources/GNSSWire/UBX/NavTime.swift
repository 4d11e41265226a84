/// UBX-NAV-TIMEUTC (0x01 0x21), 20 bytes. Source: u-blox M8 protocol specification.
enum NavTIMEUTC {
  static let nano = UBXField<Int32>(at: 8)  // ns, to be added to the rounded second
  static let year = UBXField<UInt16>(at: 12)
  static let month = UBXField<UInt8>(at: 14)
  static let day = UBXField<UInt8>(at: 15)
  static let hour = UBXField<UInt8>(at: 16)
  static let minute = UBXField<UInt8>(at: 17)
  static let second = UBXField<UInt8>(at: 18)
  static let valid = UBXField<UInt8>(at: 19)  // bit 0 time of week, 1 week, 2 UTC
  static let byteCount = 20
}

/// UBX-NAV-TIMELS (0x01 0x26), 24 bytes. Source: u-blox M8 protocol specification.
enum NavTIMELS {
  static let source = UBXField<UInt8>(at: 8)  // 0 what it was built with, 255 unknown
  static let leapSeconds = UBXField<Int8>(at: 9)  // GPS time minus UTC
  static let valid = UBXField<UInt8>(at: 23)  // bit 0 the leap seconds, 1 the next change
}

/// UBX-NAV-TIMEGPS (0x01 0x20), 16 bytes. Source: u-blox M8 protocol specification.
package enum NavTIMEGPS {
  package static let iTOWMilliseconds = UBXField<UInt32>(at: 0)
  package static let fTOWNanoseconds = UBXField<Int32>(at: 4)
  package static let week = UBXField<Int16>(at: 8)
  package static let leapSeconds = UBXField<Int8>(at: 10)
  package static let valid = UBXField<UInt8>(at: 11)  // bit 0 time of week, 1 week, 2 leap seconds
  package static let byteCount = 16
}
