/// UBX-NAV-POSLLH (0x01 0x02), 28 bytes. Source: u-blox M8 protocol specification.
enum NavPOSLLH {
  static let longitude = UBXField<Int32>(at: 4)  // 1e-7 degrees
  static let latitude = UBXField<Int32>(at: 8)  // 1e-7 degrees
  static let height = UBXField<Int32>(at: 12)  // mm above the ellipsoid
  static let heightMSL = UBXField<Int32>(at: 16)  // mm
  static let horizontalAccuracy = UBXField<UInt32>(at: 20)  // mm
  static let verticalAccuracy = UBXField<UInt32>(at: 24)  // mm
  static let byteCount = 28
}

/// UBX-NAV-HPPOSLLH (0x01 0x14), 36 bytes; its iTOW lies at 4. Source: u-blox F9 HPG interface
/// description.
enum NavHPPOSLLH {
  static let flags = UBXField<UInt8>(at: 3)  // bit 0 invalidLlh
  static let iTOWMilliseconds = UBXField<UInt32>(at: 4)
  static let longitude = UBXField<Int32>(at: 8)  // 1e-7 degrees
  static let latitude = UBXField<Int32>(at: 12)  // 1e-7 degrees
  static let height = UBXField<Int32>(at: 16)  // mm above the ellipsoid
  static let heightMSL = UBXField<Int32>(at: 20)  // mm
  static let longitudeHP = UBXField<Int8>(at: 24)  // 1e-9 degrees, to be added
  static let latitudeHP = UBXField<Int8>(at: 25)  // 1e-9 degrees, to be added
  static let heightHP = UBXField<Int8>(at: 26)  // 0.1 mm, to be added
  static let heightMSLHP = UBXField<Int8>(at: 27)  // 0.1 mm, to be added
  static let horizontalAccuracy = UBXField<UInt32>(at: 28)  // 0.1 mm
  static let verticalAccuracy = UBXField<UInt32>(at: 32)  // 0.1 mm
  static let byteCount = 36
}

/// UBX-NAV-SOL (0x01 0x06), 52 bytes: the solution of u-blox 5 and 6. Source: u-blox 6 receiver
/// description.
enum NavSOL {
  static let iTOWMilliseconds = UBXField<UInt32>(at: 0)
  static let fTOWNanoseconds = UBXField<Int32>(at: 4)
  static let week = UBXField<Int16>(at: 8)
  static let fixType = UBXField<UInt8>(at: 10)
  static let flags = UBXField<UInt8>(at: 11)  // bit 0 fixOK, 1 differential, 2 week, 3 time of week
  static let x = UBXField<Int32>(at: 12)  // cm, earth-centred
  static let y = UBXField<Int32>(at: 16)  // cm
  static let z = UBXField<Int32>(at: 20)  // cm
  static let positionAccuracy = UBXField<UInt32>(at: 24)  // cm, in space
  static let velocityX = UBXField<Int32>(at: 28)  // cm/s, earth-centred
  static let velocityY = UBXField<Int32>(at: 32)  // cm/s
  static let velocityZ = UBXField<Int32>(at: 36)  // cm/s
  static let speedAccuracy = UBXField<UInt32>(at: 40)  // cm/s
  static let pdop = UBXField<UInt16>(at: 44)  // 0.01
  static let satellitesUsed = UBXField<UInt8>(at: 47)
  static let byteCount = 52
}

/// UBX-NAV-VELNED (0x01 0x12), 36 bytes. Source: u-blox M8 protocol specification.
enum NavVELNED {
  static let velocityDown = UBXField<Int32>(at: 12)  // cm/s
  static let groundSpeed = UBXField<UInt32>(at: 20)  // cm/s
  static let course = UBXField<Int32>(at: 24)  // 1e-5 degrees
  static let speedAccuracy = UBXField<UInt32>(at: 28)  // cm/s
  static let courseAccuracy = UBXField<UInt32>(at: 32)  // 1e-5 degrees
  static let byteCount = 36
}

/// UBX-NAV-STATUS (0x01 0x03), 16 bytes. Source: u-blox M8 protocol specification.
package enum NavSTATUS {
  static let fixType = UBXField<UInt8>(at: 4)
  static let flags = UBXField<UInt8>(at: 5)  // bit 0 fixOK, 1 differential
  static let flags2 = UBXField<UInt8>(at: 7)  // 7:6 carrier solution
  package static let byteCount = 16
}

/// UBX-NAV-DOP (0x01 0x04), 18 bytes, hundredths. Source: u-blox M8 protocol specification.
package enum NavDOP {
  package static let iTOWMilliseconds = UBXField<UInt32>(at: 0)
  package static let geometric = UBXField<UInt16>(at: 4)
  package static let position = UBXField<UInt16>(at: 6)
  package static let time = UBXField<UInt16>(at: 8)
  package static let vertical = UBXField<UInt16>(at: 10)
  package static let horizontal = UBXField<UInt16>(at: 12)
  package static let north = UBXField<UInt16>(at: 14)
  package static let east = UBXField<UInt16>(at: 16)
  package static let byteCount = 18
}

/// UBX-NAV-COV (0x01 0x36), 64 bytes: covariances in the north, east, down frame. Source: u-blox F9
/// HPG interface description.
enum NavCOV {
  static let positionIsValid = UBXField<UInt8>(at: 5)
  static let northNorth = UBXField<Float>(at: 16)  // m^2
  static let eastEast = UBXField<Float>(at: 28)  // m^2
  static let downDown = UBXField<Float>(at: 36)  // m^2
  static let byteCount = 64
}

/// UBX-NAV-EOE (0x01 0x61), 4 bytes: the end of an epoch's NAV messages.
package enum NavEOE {
  package static let iTOWMilliseconds = UBXField<UInt32>(at: 0)
  package static let byteCount = 4
}

/// UBX-HNR-PVT (0x28 0x00), 72 bytes: the solution at a higher rate. Source: u-blox M8 protocol
/// specification, HNR-PVT.
enum HNRPVT {
  static let iTOWMilliseconds = UBXField<UInt32>(at: 0)
  static let year = UBXField<UInt16>(at: 4)
  static let month = UBXField<UInt8>(at: 6)
  static let day = UBXField<UInt8>(at: 7)
  static let hour = UBXField<UInt8>(at: 8)
  static let minute = UBXField<UInt8>(at: 9)
  static let second = UBXField<UInt8>(at: 10)
  static let valid = UBXField<UInt8>(at: 11)
  static let nano = UBXField<Int32>(at: 12)
  static let fixType = UBXField<UInt8>(at: 16)
  static let flags = UBXField<UInt8>(at: 17)
  static let longitude = UBXField<Int32>(at: 20)  // 1e-7 degrees
  static let latitude = UBXField<Int32>(at: 24)  // 1e-7 degrees
  static let height = UBXField<Int32>(at: 28)  // mm above the ellipsoid
  static let heightMSL = UBXField<Int32>(at: 32)  // mm
  static let groundSpeed = UBXField<Int32>(at: 36)  // mm/s
  static let course = UBXField<Int32>(at: 44)  // 1e-5 degrees, of motion
  static let vehicleHeading = UBXField<Int32>(at: 48)  // 1e-5 degrees
  static let horizontalAccuracy = UBXField<UInt32>(at: 52)  // mm
  static let verticalAccuracy = UBXField<UInt32>(at: 56)  // mm
  static let speedAccuracy = UBXField<UInt32>(at: 60)  // mm/s
  static let courseAccuracy = UBXField<UInt32>(at: 64)  // 1e-5 degrees
  static let byteCount = 72
}
