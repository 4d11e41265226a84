/// CASIC NAV-PV (0x01 0x03), 80 bytes: position and velocity. Source: CASIC multi-mode satellite
/// navigation receiver protocol specification 4.2, 2.7.4. Its accuracies are variances.
enum CASICNavPV {
  static let runTimeMilliseconds = UBXField<UInt32>(at: 0)
  static let positionValid = UBXField<UInt8>(at: 4)  // 6 2D, 7 3D, 8 with dead reckoning
  static let velocityValid = UBXField<UInt8>(at: 5)
  static let satellitesUsed = UBXField<UInt8>(at: 7)
  static let pdop = UBXField<Float>(at: 12)
  static let longitude = UBXField<Double>(at: 16)  // degrees
  static let latitude = UBXField<Double>(at: 24)  // degrees
  static let height = UBXField<Float>(at: 32)  // m above the ellipsoid
  static let geoidSeparation = UBXField<Float>(at: 36)  // m
  static let horizontalVariance = UBXField<Float>(at: 40)  // m^2
  static let verticalVariance = UBXField<Float>(at: 44)  // m^2
  static let velocityUp = UBXField<Float>(at: 56)  // m/s
  static let groundSpeed = UBXField<Float>(at: 64)  // m/s
  static let course = UBXField<Float>(at: 68)  // degrees
  static let speedVariance = UBXField<Float>(at: 72)  // (m/s)^2
  static let courseVariance = UBXField<Float>(at: 76)  // degrees^2
  static let byteCount = 80
}

/// CASIC NAV-DOP (0x01 0x01), 28 bytes.
enum CASICNavDOP {
  static let position = UBXField<Float>(at: 4)
  static let horizontal = UBXField<Float>(at: 8)
  static let vertical = UBXField<Float>(at: 12)
  static let north = UBXField<Float>(at: 16)
  static let east = UBXField<Float>(at: 20)
  static let time = UBXField<Float>(at: 24)
  static let byteCount = 28
}

/// CASIC NAV-TIMEUTC (0x01 0x10), 24 bytes.
enum CASICNavTIMEUTC {
  static let millisecond = UBXField<UInt16>(at: 12)
  static let year = UBXField<UInt16>(at: 14)
  static let month = UBXField<UInt8>(at: 16)
  static let day = UBXField<UInt8>(at: 17)
  static let hour = UBXField<UInt8>(at: 18)
  static let minute = UBXField<UInt8>(at: 19)
  static let second = UBXField<UInt8>(at: 20)
  static let valid = UBXField<UInt8>(at: 21)  // bit 0 time of week, 1 week, 2 leap seconds
  static let dateValid = UBXField<UInt8>(at: 23)  // 0 invalid, 1 set from outside, 2, 3 of the sky
  static let byteCount = 24
}

/// CASIC NAV-GPSINFO, NAV-BDSINFO and NAV-GLNINFO (0x01 0x20...0x22), 8 bytes and 12 a satellite.
enum CASICNavINFO {
  static let count = UBXField<UInt8>(at: 4)
  static let svid = UBXField<UInt8>(at: 9)
  static let flags = UBXField<UInt8>(at: 10)  // bit 0 used, 4 no prediction, 7:6 11 ephemeris
  static let cn0 = UBXField<UInt8>(at: 12)  // dB-Hz
  static let elevation = UBXField<Int8>(at: 13)  // degrees
  static let azimuth = UBXField<Int16>(at: 14)  // degrees
  static let headByteCount = 8
  static let blockByteCount = 12
}
