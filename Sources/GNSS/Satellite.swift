/// A satellite system. Raw values are u-blox's and gpsd's `gnssid`.
package enum Constellation: UInt8, CaseIterable, Sendable {
  case gps = 0
  case sbas = 1
  case galileo = 2
  case beidou = 3
  case imes = 4
  case qzss = 5
  case glonass = 6
  case navic = 7

  /// The name in JSON output.
  package var name: StaticString {
    switch self {
    case .gps: "gps"
    case .sbas: "sbas"
    case .galileo: "galileo"
    case .beidou: "beidou"
    case .imes: "imes"
    case .qzss: "qzss"
    case .glonass: "glonass"
    case .navic: "navic"
    }
  }
}

/// A satellite in view, as the receiver lists it.
package struct Satellite: Equatable, Sendable {
  package var constellation: Constellation
  /// The number within the system: GPS, Galileo and BeiDou from 1, SBAS 120...158, GLONASS slot
  /// 1...32 (255: slot not known yet), QZSS 1...10.
  package var svid: UInt8
  /// The signal's number by NMEA 0183 4.11 table 21; 0 where the receiver does not say.
  package var signal: UInt8 = 0
  /// Degrees above the horizon, -90...90.
  package var elevation: Int8?
  /// Degrees from true north, 0...359.
  package var azimuth: Int16?
  /// Carrier-to-noise density, dB-Hz; `nil` while not tracked.
  package var cn0: UInt8?
  package var isUsed = false
  /// Whether it says that it is healthy; `nil` while not known.
  package var isHealthy: Bool?
  /// Whether the receiver holds its ephemeris; `nil` where it does not say.
  package var hasEphemeris: Bool?

  package init(constellation: Constellation, svid: UInt8, signal: UInt8 = 0) {
    (self.constellation, self.svid, self.signal) = (constellation, svid, signal)
  }

  /// The number in gpsd's `PRN`: GPS 1...32, SBAS 33...64 as NMEA numbers them and 152...158,
  /// GLONASS 65...96, QZSS 193...202, Galileo 301 on, BeiDou 401 on, NavIC 901 on, IMES 173...182.
  /// `nil` for an unknown GLONASS slot.
  package var prn: Int? {
    switch constellation {
    case .gps: Int(svid)
    case .sbas: (120...151).contains(svid) ? Int(svid) - 87 : Int(svid)
    case .glonass: svid == 255 ? nil : Int(svid) + 64
    case .qzss: Int(svid) + 192
    case .galileo: Int(svid) + 300
    case .beidou: Int(svid) + 400
    case .imes: Int(svid) + 172
    case .navic: Int(svid) + 900
    }
  }
}
