import Bytes
import GNSS

// The satellite messages of UBX. The caller checked that `count` blocks are there.
extension SatelliteList {
  mutating func takeSAT(_ payload: UBXPayload, count: Int) {
    beginList(hasDirections: true)
    let bytes = payload.bytes
    guard bytes.count >= NavSAT.headByteCount + count * NavSAT.blockByteCount else { return }
    append(upTo: count) { places, room in
      var (index, filled) = (0, 0)
      while true {
        let ahead = index &- filled
        let end = min(count, room &+ ahead)
        while index < end, let usual = NavSAT.Block(bytes, unchecked: index).usualSatellite {
          places[index &- ahead] = usual
          index &+= 1
        }
        filled = max(filled, index &- ahead)
        guard index < count else { return filled }
        if let satellite = NavSAT.Block(bytes, unchecked: index).satellite {
          if filled < room { places[filled] = satellite }
          filled &+= 1
        }
        index &+= 1
      }
    }
  }

  /// Signals have no directions: they are listed only where no other message lists the satellites.
  mutating func takeSIG(_ payload: UBXPayload, count: Int) {
    guard !hasDirections else { return }
    beginList(hasDirections: false)
    for index in 0..<count {
      let block = payload.block(index, of: NavSIG.blockByteCount, behind: NavSIG.headByteCount)
      func field<Raw>(_ field: UBXField<Raw>) -> Raw where Raw: FixedWidthInteger {
        block[field]
      }
      guard let constellation = Constellation(rawValue: field(NavSIG.constellation)) else {
        continue
      }
      var satellite = Satellite(
        constellation: constellation, svid: field(NavSIG.svid),
        signal: constellation.nmeaSignal(ubx: field(NavSIG.signal)))
      let flags = field(NavSIG.flags)
      satellite.cn0 = field(NavSIG.cn0) > 0 ? field(NavSIG.cn0) : nil
      satellite.isUsed = flags & 8 != 0
      satellite.healthCode = UInt8(flags & 3)
      append(satellite)
    }
  }

  mutating func takeSVINFO(_ payload: UBXPayload, count: Int) {
    guard !hasDirections else { return }
    beginList(hasDirections: false)
    for index in 0..<count {
      let block = payload.block(
        index, of: NavSVINFO.blockByteCount, behind: NavSVINFO.headByteCount)
      func field<Raw>(_ field: UBXField<Raw>) -> Raw where Raw: FixedWidthInteger {
        block[field]
      }
      guard
        let (constellation, svid) = SatelliteNumber.satellite(ubx: Int(field(NavSVINFO.number)))
      else { continue }
      var satellite = Satellite(constellation: constellation, svid: svid)
      let flags = field(NavSVINFO.flags)
      satellite.set(
        elevation: field(NavSVINFO.elevation), azimuth: field(NavSVINFO.azimuth),
        cn0: field(NavSVINFO.cn0))
      satellite.isUsed = flags & 1 != 0
      satellite.isHealthy = flags & 0x10 == 0
      satellite.hasEphemeris = flags & 8 != 0
      append(satellite)
    }
  }
}

extension NavSAT.Block {
  /// - Precondition: The payload has more than `index` blocks.
  @inline(__always)
  fileprivate init(_ payload: ByteView, unchecked index: Int) {
    let offset = NavSAT.headByteCount &+ index &* NavSAT.blockByteCount
    // Two words that overlap by four bytes.
    self.init(head: payload.word(unchecked: offset), tail: payload.word(unchecked: offset &+ 4))
  }

  /// `nil` where it has to be looked at part by part.
  @inline(__always)
  fileprivate var usualSatellite: Satellite? { Satellite(head: head, flags: flags) }

  /// Part by part; `nil` for an unknown system.
  fileprivate var satellite: Satellite? {
    @inline(never) get {
      guard let constellation = Constellation(rawValue: constellation) else { return nil }
      var satellite = Satellite(constellation: constellation, svid: svid)
      satellite.set(elevation: elevation, azimuth: azimuth, cn0: cn0)
      satellite.set(flags: flags)
      return satellite
    }
  }
}

extension Satellite {
  /// Values beyond the sky say that the direction is not known.
  @inline(__always)
  mutating func set(elevation: Int8, azimuth: Int16, cn0: UInt8) {
    self.cn0 = cn0 > 0 ? cn0 : nil
    // As a rule both are within, and are then taken together.
    if (-90...90).contains(elevation), (0..<360).contains(azimuth) {
      (self.elevation, self.azimuth) = (elevation, azimuth)
    } else {
      self.elevation = (-90...90).contains(elevation) ? elevation : nil
      self.azimuth = (0..<360).contains(azimuth) ? azimuth : azimuth == 360 ? 0 : nil
    }
  }
}

extension Constellation {
  /// The NMEA 4.11 number of a UBX signal id; 0 where NMEA has none. Source: u-blox F9 HPG
  /// interface description, signal identifiers.
  func nmeaSignal(ubx id: UInt8) -> UInt8 {
    switch (self, id) {
    case (.gps, 0), (.sbas, 0), (.qzss, 0), (.glonass, 0), (.beidou, 0), (.beidou, 1): 1
    case (.gps, 3): 6  // L2 CL
    case (.gps, 4): 5  // L2 CM
    case (.gps, 6): 7  // L5 I
    case (.gps, 7): 8  // L5 Q
    case (.galileo, 0), (.galileo, 1): 7  // E1
    case (.galileo, 3), (.galileo, 4): 1  // E5a
    case (.galileo, 5), (.galileo, 6): 2  // E5b
    case (.beidou, 2), (.beidou, 3): 11  // B2I; 0xB
    case (.beidou, 5), (.beidou, 6): 3  // B1C
    case (.beidou, 7), (.beidou, 8): 5  // B2a
    case (.qzss, 1): 4  // L1S
    case (.qzss, 4): 5  // L2 CM
    case (.qzss, 5): 6  // L2 CL
    case (.qzss, 8): 7  // L5 I
    case (.qzss, 9): 8  // L5 Q
    case (.glonass, 2): 3  // L2 OF
    case (.navic, 0): 1  // L5 A
    default: 0
    }
  }
}

extension SatelliteNumber {
  /// u-blox's own single numbering. Source: u-blox M8 protocol specification, satellite numbering.
  static func satellite(ubx number: Int) -> (Constellation, UInt8)? {
    switch number {
    case 1...32: (.gps, UInt8(number))
    case 33...64: (.beidou, UInt8(number - 27))
    case 65...96: (.glonass, UInt8(number - 64))
    case 120...158: (.sbas, UInt8(number))
    case 159...163: (.beidou, UInt8(number - 158))
    case 173...182: (.imes, UInt8(number - 172))
    case 193...202: (.qzss, UInt8(number - 192))
    case 211...246: (.galileo, UInt8(number - 210))
    case 255: (.glonass, 255)
    default: nil
    }
  }
}
