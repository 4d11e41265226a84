import GNSS

/// Tells a satellite from the number that a sentence has for it. Every maker counts in its own way
/// where the standard left room; the talker or the system id decides where there is one.
enum SatelliteNumber {
  /// `PQ`
  static let quectelTalker: UInt16 = 0x5051

  /// The system that a talker speaks of; `nil` for GN and for talkers of other devices.
  static func constellation(talker: UInt16) -> Constellation? {
    switch talker {
    case 0x4750: .gps  // GP
    case 0x474c: .glonass  // GL
    case 0x4741: .galileo  // GA
    case 0x4742, 0x4244, quectelTalker: .beidou  // GB; BD before NMEA 4.11
    case 0x4751, 0x515a: .qzss  // GQ; QZ before NMEA 4.11
    case 0x4749: .navic  // GI
    default: nil
    }
  }

  /// The system of an NMEA 4.10 system id.
  static func constellation(system: UInt8) -> Constellation? {
    switch system {
    case 1: .gps
    case 2: .glonass
    case 3: .galileo
    case 4: .beidou
    case 5: .qzss
    case 6: .navic
    default: nil
    }
  }

  /// - Parameter constellation: Of the talker or system id; `nil` if the number alone must tell.
  /// - Returns: `nil` for a number of no known satellite.
  static func satellite(_ number: Int, of constellation: Constellation?) -> (Constellation, UInt8)?
  {
    switch constellation {
    case nil, .gps?:
      if (1...32).contains(number) { return (.gps, UInt8(truncatingIfNeeded: number)) }
    case .glonass?:
      if (1...32).contains(number) { return (.glonass, UInt8(truncatingIfNeeded: number)) }
      if (65...96).contains(number) { return (.glonass, UInt8(truncatingIfNeeded: number - 64)) }
    case .galileo?:
      if let svid = fromOneOr101(number) { return (.galileo, svid) }
    case .beidou?:
      if let svid = fromOneOr101(number) { return (.beidou, svid) }
      if (201...263).contains(number) { return (.beidou, UInt8(number - 200)) }
    case .qzss?:
      if (1...10).contains(number) { return (.qzss, UInt8(number)) }
      if (193...202).contains(number) { return (.qzss, UInt8(number - 192)) }
    case .navic? where (1...18).contains(number): return (.navic, UInt8(number))
    default: break
    }
    return byNumber(number)
  }

  /// Before NMEA 4.11 some receivers counted from 101.
  private static func fromOneOr101(_ number: Int) -> UInt8? {
    switch number {
    case 1...63: UInt8(number)
    case 101...163: UInt8(number - 100)
    default: nil
    }
  }

  /// NMEA 0183 4.11 table 20 for GPS, SBAS and GLONASS; the ranges above are those of u-blox's
  /// extended numbering and of other makers, which do not overlap.
  private static func byNumber(_ number: Int) -> (Constellation, UInt8)? {
    switch number {
    case 1...32: (.gps, UInt8(number))
    case 33...64: (.sbas, UInt8(number + 87))
    case 65...99: (.glonass, UInt8(number - 64))
    case 120...158: (.sbas, UInt8(number))
    case 173...182: (.imes, UInt8(number - 172))
    case 183...192: (.qzss, UInt8(number - 182))  // their augmentation signal L1S
    // QZSS ends below 201 in the sky, if not in the standard; BeiDou's 201 and 202 are there.
    case 193...200: (.qzss, UInt8(number - 192))
    case 201...263: (.beidou, UInt8(number - 200))
    case 301...363: (.galileo, UInt8(number - 300))
    case 401...463: (.beidou, UInt8(number - 400))
    case 901...918: (.navic, UInt8(number - 900))
    default: nil
    }
  }
}

/// The numbers of one talker's or system's satellites, nearly all of which are in one range.
struct SatelliteNumbering {
  private let constellation: Constellation?
  private let usual: Constellation
  private let first: Int
  private let count: Int

  /// - Parameter constellation: Of the talker or system id; `nil` if the number alone must tell.
  init(of constellation: Constellation?) {
    self.constellation = constellation
    switch constellation {
    case .glonass?: (usual, first, count) = (.glonass, 65, 32)
    case .galileo?: (usual, first, count) = (.galileo, 1, 63)
    case .beidou?: (usual, first, count) = (.beidou, 1, 63)
    case .qzss?: (usual, first, count) = (.qzss, 1, 10)
    case .navic?: (usual, first, count) = (.navic, 1, 18)
    case nil, .gps?, .sbas?, .imes?: (usual, first, count) = (.gps, 1, 32)
    }
  }

  /// - Returns: `nil` for a number of no known satellite.
  @inline(__always)
  func satellite(_ number: Int) -> (Constellation, UInt8)? {
    let place = number &- first
    guard place >= 0, place < count else {
      return SatelliteNumber.satellite(number, of: constellation)
    }
    return (usual, UInt8(truncatingIfNeeded: place &+ 1))
  }
}
