/// A satellite system. Raw values are u-blox's and gpsd's `gnssid`.
public enum Constellation: UInt8, CaseIterable, Sendable {
  case gps = 0
  case sbas = 1
  case galileo = 2
  case beidou = 3
  case imes = 4
  case qzss = 5
  case glonass = 6
  case navic = 7

  /// The name in JSON output.
  public var name: StaticString {
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

/// A satellite in view, as the receiver lists it. What is not known of it is `nil`.
///
/// An epoch has up to 140 of them, so all of it lies in one word; what u-blox's NAV-SAT has lies
/// there as in that message, so that it need not be taken apart.
public struct Satellite: Equatable, Sendable {
  @usableFromInline var word: UInt64

  @inlinable public init(
    constellation: Constellation, svid: UInt8, signal: UInt8 = 0, elevation: Int8? = nil,
    azimuth: Int16? = nil, cn0: UInt8? = nil
  ) {
    word = 0
    (self.constellation, self.svid, self.signal) = (constellation, svid, signal)
    (self.elevation, self.azimuth, self.cn0) = (elevation, azimuth, cn0)
  }

  public var constellation: Constellation {
    // Eight numbers, eight systems: the number is the case as it lies in memory.
    @inlinable get { unsafeBitCast(systemNumber, to: Constellation.self) }
    @inlinable set { self[0, of: 3] = UInt64(unsafeBitCast(newValue, to: UInt8.self)) }
  }

  /// The system's raw value, 0...7.
  @inlinable public var systemNumber: UInt8 { UInt8(truncatingIfNeeded: self[0, of: 3]) }

  /// The number within the system: GPS, Galileo and BeiDou from 1, SBAS 120...158, GLONASS slot
  /// 1...32 (255: slot not known yet), QZSS 1...10.
  public var svid: UInt8 {
    @inlinable get { UInt8(truncatingIfNeeded: self[8, of: 8]) }
    @inlinable set { self[8, of: 8] = UInt64(newValue) }
  }

  /// Carrier-to-noise density, dB-Hz, 0...254; `nil` while not tracked.
  public var cn0: UInt8? {
    // Kept as 0 while not tracked, and 0 as 255.
    @inlinable get {
      let kept = UInt8(truncatingIfNeeded: self[16, of: 8])
      return kept == 0 ? nil : kept == .max ? 0 : kept
    }
    @inlinable set { self[16, of: 8] = UInt64(newValue == 0 ? .max : newValue ?? 0) }
  }

  /// Degrees above the horizon, -90...90.
  public var elevation: Int8? {
    @inlinable get {
      let kept = Int8(truncatingIfNeeded: self[24, of: 8])
      return kept == .min ? nil : kept
    }
    @inlinable set { self[24, of: 8] = UInt64(UInt8(bitPattern: newValue ?? .min)) }
  }

  /// Degrees from true north, 0...359.
  public var azimuth: Int16? {
    @inlinable get {
      let kept = Int16(truncatingIfNeeded: self[32, of: 16])
      return kept < 0 ? nil : kept
    }
    @inlinable set { self[32, of: 16] = UInt64(UInt16(bitPattern: newValue ?? -1)) }
  }

  /// The signal's number by NMEA 0183 4.11 table 21, 0...15; 0 where the receiver does not say.
  public var signal: UInt8 {
    @inlinable get { UInt8(truncatingIfNeeded: self[48, of: 4]) }
    @inlinable set { self[48, of: 4] = UInt64(newValue & 15) }
  }

  public var isUsed: Bool {
    @inlinable get { self[52, of: 1] != 0 }
    @inlinable set { self[52, of: 1] = newValue ? 1 : 0 }
  }

  /// As u-blox has it: 1 healthy, 2 unhealthy, anything else not known.
  public var healthCode: UInt8 {
    @inlinable get { UInt8(truncatingIfNeeded: self[53, of: 2]) }
    @inlinable set { self[53, of: 2] = UInt64(newValue & 3) }
  }

  /// Whether it says that it is healthy; `nil` while not known.
  public var isHealthy: Bool? {
    @inlinable get { healthCode == 1 ? true : healthCode == 2 ? false : nil }
    @inlinable set { healthCode = newValue.map { $0 ? 1 : 2 } ?? 0 }
  }

  /// Whether the receiver holds its ephemeris; `nil` where it does not say.
  public var hasEphemeris: Bool? {
    @inlinable get { self[61, of: 1] == 0 ? nil : self[60, of: 1] != 0 }
    @inlinable set { self[60, of: 2] = newValue.map { $0 ? 3 : 2 } ?? 0 }
  }

  /// Takes the flags of u-blox's NAV-SAT, which lie here as there: bit 3 used, 5:4 health, 11
  /// ephemeris.
  @inlinable public mutating func set(flags: UInt32) {
    self[49, of: 13] = self[49, of: 3] | UInt64(flags & 0x838) | 0x1000
  }

  /// Takes a satellite as u-blox's NAV-SAT has it.
  /// - Parameters:
  ///   - head: The first eight bytes of its block, the first in the lowest.
  ///   - flags: The last four.
  /// - Returns: `nil` for an unknown system, a direction that is none and one below the horizon,
  ///   which are to be taken one by one.
  @inlinable @inline(__always) public init?(head: UInt64, flags: UInt32) {
    // System, elevation and azimuth. What is added carries where one is 8, 91 or 360 and more.
    let checked = head & 0xffff_ff00_00ff
    let carried = checked &+ 0xfe98_2500_00f8
    guard (checked | carried) & 0x1_0000_8000_0100 == 0 else { return nil }
    word = head & 0xffff_ffff_ffff | UInt64(flags & 0x838 | 0x1000) &<< 49
  }

  /// So many bits of the word from `place` on.
  @inlinable subscript(place: UInt64, of count: UInt64) -> UInt64 {
    get { word &>> place & ((1 &<< count) &- 1) }
    set { word = word & ~(((1 &<< count) &- 1) &<< place) | newValue &<< place }
  }
}

extension Satellite {
  /// The number in gpsd's `PRN`: GPS 1...32, SBAS 33...64 as NMEA numbers them and 152...158,
  /// GLONASS 65...96, QZSS 193...202, Galileo 301 on, BeiDou 401 on, NavIC 901 on, IMES 173...182.
  /// `nil` for an unknown GLONASS slot.
  @inlinable @inline(__always) public var prn: Int? {
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
