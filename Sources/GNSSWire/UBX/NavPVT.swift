import Bytes
import GNSS

/// UBX-NAV-PVT (0x01 0x07): time, position and motion of an epoch; 84 bytes up to protocol version
/// 14, then 92. Source: u-blox M8 protocol specification, NAV-PVT.
package enum NavPVT {
  package static let iTOWMilliseconds = UBXField<UInt32>(at: 0)
  package static let year = UBXField<UInt16>(at: 4)
  package static let month = UBXField<UInt8>(at: 6)
  package static let day = UBXField<UInt8>(at: 7)
  package static let hour = UBXField<UInt8>(at: 8)
  package static let minute = UBXField<UInt8>(at: 9)
  package static let second = UBXField<UInt8>(at: 10)  // 0...60
  package static let valid = UBXField<UInt8>(at: 11)  // bit 0 date, 1 time, 2 resolved, 3 magnetic
  package static let nano = UBXField<Int32>(at: 16)  // ns, to be added to the rounded second
  package static let fixType = UBXField<UInt8>(at: 20)  // 0 none, 1 DR, 2, 3, 4 with DR, 5 time
  package static let flags = UBXField<UInt8>(at: 21)  // bit 0 fixOK, 1 differential, 7:6 carrier
  package static let satellitesUsed = UBXField<UInt8>(at: 23)
  package static let longitude = UBXField<Int32>(at: 24)  // 1e-7 degrees
  package static let latitude = UBXField<Int32>(at: 28)  // 1e-7 degrees
  package static let height = UBXField<Int32>(at: 32)  // mm above the ellipsoid
  package static let heightMSL = UBXField<Int32>(at: 36)  // mm
  package static let horizontalAccuracy = UBXField<UInt32>(at: 40)  // mm
  package static let verticalAccuracy = UBXField<UInt32>(at: 44)  // mm
  package static let velocityDown = UBXField<Int32>(at: 56)  // mm/s
  package static let groundSpeed = UBXField<Int32>(at: 60)  // mm/s
  package static let course = UBXField<Int32>(at: 64)  // 1e-5 degrees
  package static let speedAccuracy = UBXField<UInt32>(at: 68)  // mm/s
  package static let courseAccuracy = UBXField<UInt32>(at: 72)  // 1e-5 degrees
  package static let pdop = UBXField<UInt16>(at: 76)  // 0.01
  package static let flags3 = UBXField<UInt16>(at: 78)  // bit 0 invalidLlh, 4:1 correction age
  package static let declination = UBXField<Int16>(at: 88)  // 0.01 degrees

  package static let byteCountMin = 84
  /// From this length on `flags3` and what lies behind it has a meaning.
  package static let byteCountFull = 92
}

extension UBXPayload {
  /// The UTC of a NAV-PVT, if it says that date and time are valid. The fraction is signed: it may
  /// lead back over the second, the minute and the year.
  var utcOfPVT: UTCTime? { self[NavPVT.valid] & 7 == 7 ? sentUTCOfPVT : nil }

  /// The UTC of a NAV-PVT with a fix, made without knowing the leap seconds.
  var unresolvedUTCOfPVT: UTCTime? {
    self[NavPVT.valid] & 7 == 3 && self[NavPVT.flags] & 1 != 0 ? sentUTCOfPVT : nil
  }

  private var sentUTCOfPVT: UTCTime? {
    utc(
      year: self[NavPVT.year], month: self[NavPVT.month], day: self[NavPVT.day],
      clock: (self[NavPVT.hour], self[NavPVT.minute], self[NavPVT.second]),
      nano: self[NavPVT.nano])
  }

  /// `nil` where that is no date or no time.
  func utc(
    year: UInt16, month: UInt8, day: UInt8, clock: (UInt8, UInt8, UInt8), nano: Int32
  ) -> UTCTime? {
    guard let date = CalendarDate(year: Int(year), month: Int(month), day: Int(day)),
      let time = TimeOfDay(hour: Int(clock.0), minute: Int(clock.1), second: Int(clock.2)),
      nano.magnitude <= 1_000_000_000
    else { return nil }
    // Microseconds, rounded towards the past: 29.999999999 s is not yet 30 s.
    let microseconds = (Int64(nano) + 1_000_000_000) / 1000 - 1_000_000
    return UTCTime(
      microseconds: UTCTime(date: date, timeOfDay: time).microseconds + microseconds)
  }
}
