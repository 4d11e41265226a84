import Bytes
import CMath
import GNSS
import GNSSWire

/// An epoch as a u-blox receiver says it: NAV-PVT, NAV-DOP, NAV-SAT, NAV-EOE. Nothing in these
/// marks a simulator. Source: u-blox M8 protocol specification, UBX-NAV.
extension OutputBuffer {
  private static let navigation: UInt8 = 0x01

  /// Appends the messages of these ids, in the order in which receivers send them; unless told
  /// otherwise, all four.
  ///
  /// - Parameter isTimeKnown: Else the time is marked as invalid.
  mutating func appendUBX(
    of epoch: Epoch, ids: Set<UInt8> = [0x07, 0x04, 0x35, 0x61], isTimeKnown: Bool = true
  ) {
    let time = epoch.fix.time ?? UTCTime(seconds: 0)
    let timeOfWeek = Self.timeOfWeekMilliseconds(of: time)
    if ids.contains(0x07) { appendPVT(epoch.fix, time, timeOfWeek, isTimeKnown: isTimeKnown) }
    if ids.contains(0x04) { appendDOP(epoch.fix.dop, timeOfWeek) }
    if ids.contains(0x35) { appendSAT(epoch.satellites, timeOfWeek) }
    if ids.contains(0x61) {
      appendUBX(messageClass: Self.navigation, id: 0x61) { $0.append(littleEndian: timeOfWeek) }
    }
  }

  /// GPS time of week. GPS time began at 1980-01-06 and is 18 s ahead of UTC since 2017; receivers
  /// of an earlier date would count fewer, which nobody reads out of a simulator.
  private static func timeOfWeekMilliseconds(of time: UTCTime) -> UInt32 {
    let milliseconds = time.microseconds / 1000 - 315_964_800_000 + 18_000
    let week: Int64 = 604_800_000
    return UInt32((milliseconds % week + week) % week)
  }

  private mutating func appendPVT(
    _ fix: Fix, _ time: UTCTime, _ timeOfWeek: UInt32, isTimeKnown: Bool
  ) {
    let date = time.date
    let microseconds = time.timeOfDay.microseconds
    let seconds = microseconds / 1_000_000
    appendUBX(messageClass: Self.navigation, id: 0x07) { payload in
      payload.append(littleEndian: timeOfWeek)
      payload.append(littleEndian: UInt16(date.year))
      payload.append(byte: UInt8(date.month))
      payload.append(byte: UInt8(date.day))
      payload.append(byte: UInt8(seconds / 3600))
      payload.append(byte: UInt8(seconds / 60 % 60))
      payload.append(byte: UInt8(seconds % 60))
      payload.append(byte: isTimeKnown ? 0x07 : 0)  // date, time and leap seconds are known
      payload.append(littleEndian: isTimeKnown ? UInt32(25) : .max)  // time accuracy, ns
      payload.append(littleEndian: Int32(microseconds % 1_000_000 * 1000))
      payload.append(byte: fix.hasPosition ? fix.mode.rawValue : 0)
      payload.append(byte: fix.hasPosition ? 0x01 : 0x00)  // within the limits of a good fix
      payload.append(byte: isTimeKnown ? 0xe0 : 0x20)  // date and time are confirmed
      payload.append(byte: UInt8(fix.satellitesUsed ?? 0))
      payload.appendPosition(fix)
      payload.appendMotion(fix)
      payload.append(littleEndian: UInt16(scaling: fix.dop.position ?? 99.99, by: 100))
      payload.append(count: 14, of: 0)
    }
  }

  private mutating func appendPosition(_ fix: Fix) {
    append(littleEndian: Int32(scaling: fix.position?.longitude ?? 0, by: 1e7))
    append(littleEndian: Int32(scaling: fix.position?.latitude ?? 0, by: 1e7))
    let altitude = Int32(scaling: fix.altitudeMSL ?? 0, by: 1000)
    append(littleEndian: altitude)  // above the ellipsoid: there is no geoid here
    append(littleEndian: altitude)
    append(littleEndian: UInt32(scaling: fix.horizontalAccuracy ?? 4e6, by: 1000))
    append(littleEndian: UInt32(scaling: fix.verticalAccuracy ?? 4e6, by: 1000))
  }

  private mutating func appendMotion(_ fix: Fix) {
    let (speed, course) = (fix.speed ?? 0, fix.course ?? 0)
    let radians = course * .pi / 180
    append(littleEndian: Int32(scaling: speed * math_cos(radians), by: 1000))
    append(littleEndian: Int32(scaling: speed * math_sin(radians), by: 1000))
    append(littleEndian: Int32(scaling: -(fix.climb ?? 0), by: 1000))
    append(littleEndian: Int32(scaling: speed, by: 1000))
    append(littleEndian: Int32(scaling: course, by: 1e5))
    append(littleEndian: UInt32(scaling: fix.speedAccuracy ?? 20, by: 1000))
    append(littleEndian: UInt32(scaling: fix.courseAccuracy ?? 180, by: 1e5))
  }

  private mutating func appendDOP(_ dop: DilutionOfPrecision, _ timeOfWeek: UInt32) {
    appendUBX(messageClass: Self.navigation, id: 0x04) { payload in
      payload.append(littleEndian: timeOfWeek)
      for value in [
        dop.geometric, dop.position, dop.time, dop.vertical, dop.horizontal, dop.north, dop.east,
      ] {
        payload.append(littleEndian: UInt16(scaling: value ?? 99.99, by: 100))
      }
    }
  }

  private mutating func appendSAT(_ satellites: [Satellite], _ timeOfWeek: UInt32) {
    appendUBX(messageClass: Self.navigation, id: 0x35) { payload in
      payload.append(littleEndian: timeOfWeek)
      payload.append(byte: 1)  // version of the message
      payload.append(byte: UInt8(satellites.count))
      payload.append(littleEndian: UInt16(0))
      for satellite in satellites {
        payload.append(byte: satellite.constellation.rawValue)
        payload.append(byte: satellite.svid)
        payload.append(byte: satellite.cn0 ?? 0)
        payload.append(byte: UInt8(bitPattern: satellite.elevation ?? -91))
        payload.append(littleEndian: satellite.azimuth ?? 0)
        payload.append(littleEndian: Int16(0))  // pseudo-range residual
        // Quality: code and time synchronised (4); used; healthy; ephemeris used and available.
        let tracked: UInt32 = satellite.cn0 == nil ? 0 : 4
        let used: UInt32 = satellite.isUsed ? 0x8 : 0
        let healthy: UInt32 = satellite.isHealthy == true ? 0x10 : 0
        let ephemeris: UInt32 = satellite.hasEphemeris == true ? 0x900 : 0
        payload.append(littleEndian: tracked | used | healthy | ephemeris)
      }
    }
  }
}

extension FixedWidthInteger {
  /// `value` in units of 1/`scale`, rounded; the nearest that fits where it does not.
  fileprivate init(scaling value: Double, by scale: Double) {
    let scaled = (value * scale).rounded()
    self = Self(exactly: scaled) ?? (scaled > 0 ? .max : .min)
  }
}
