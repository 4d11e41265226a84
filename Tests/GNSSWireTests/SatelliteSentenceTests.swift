import Bytes
import GNSS
import Testing

@testable import GNSSWire

@Suite("Satellites in view") struct SatelliteSentenceTests {
  /// What stands behind GSV's head, and what it says. NMEA 0183 4.11, GSV.
  static let blocks:
    [(fields: String, elevation: Int8?, azimuth: Int16?, cn0: UInt8?, signal: UInt8)] = [
      ("05,45,120,37", 45, 120, 37, 0), ("05,45,120,37,7", 45, 120, 37, 7),
      ("05,45,120,37,B", 45, 120, 37, 11), ("05,45,120,,7", 45, 120, nil, 7),
      ("05,45,120,", 45, 120, nil, 0), ("05,45,120,00,1", 45, 120, 0, 1),
      // One digit is the strength, where only it is left of the block.
      ("05,45,120,7", 45, 120, 7, 0), ("5,5,5,7,1", 5, 5, 7, 1), ("05,,,37,1", nil, nil, 37, 1),
      ("05,45,,37,1", nil, nil, 37, 1), ("05,,120,37,1", nil, 120, 37, 1),
      ("05,90,360,37,1", 90, 0, 37, 1), ("05,91,120,37,1", nil, 120, 37, 1),
      ("05,45,361,37,1", nil, nil, 37, 1), ("05,-5,120,37,1", -5, 120, 37, 1),
      ("05,45.5,120.5,37.5,1", 45, 120, 37, 1), ("05,45,120,,", 45, 120, nil, 0),
      ("05,,,,1", nil, nil, nil, 1), ("05,,,", nil, nil, nil, 0), ("05,,,7,1", nil, nil, 7, 1),
      ("05,,,07", nil, nil, 7, 0),
    ]

  @Test("blocks of any width say what is written", arguments: blocks)
  func block(
    fields: String, elevation: Int8?, azimuth: Int16?, cn0: UInt8?, signal: UInt8
  ) throws {
    for before in ["", "09,08,103,39,", "09,08,103,,", "09,,,39,", "09,,,,"] {
      let count = before.isEmpty ? 1 : 2
      let played = Played(
        sentences("GPGSV,1,1,0\(count),\(before)\(fields)", "GPGLL,,,,,100000.00,V,N"))
      let satellite = try #require(played.epochs.first?.satellites.last)
      #expect(played.epochs.first?.satellites.count == count)
      #expect(satellite.svid == 5)
      #expect(satellite.elevation == elevation)
      #expect(satellite.azimuth == azimuth)
      #expect(satellite.cn0 == cn0)
      #expect(played.epochs.first?.satellites.allSatisfy { $0.signal == signal } == true)
    }
  }

  @Test("blank blocks are none")
  func blank() {
    for blocks in ["05,45,120,37,,,,", ",,,,05,45,120,37", "05,45,120,37,,,,,1"] {
      let played = Played(sentences("GPGSV,1,1,02,\(blocks)", "GPGLL,,,,,100000.00,V,N"))
      #expect(played.epochs.first?.satellites.map(\.svid) == [5])
    }
  }

  /// Around the limits of each value. u-blox M8 protocol specification, UBX-NAV-SAT.
  @Test("NAV-SAT says what lies in the sky", arguments: [-91, -90, -1, 0, 90, 91] as [Int8])
  func navSAT(elevation: Int8) throws {
    for (azimuth, cn0) in zip([-1, 0, 359, 360, 361, 120] as [Int16], [0, 1, 47, 255, 30, 0]) {
      let stream = ubx(0x01, 0x35) { payload in
        payload.append(littleEndian: UInt32(1000))
        for byte in [1, 9, 0, 0] as [UInt8] { payload.append(byte: byte) }
        // GPS to NavIC, and a system that is not known.
        for system in 0...8 as ClosedRange<UInt8> {
          for byte in [system, system + 11, UInt8(cn0), UInt8(bitPattern: elevation)] {
            payload.append(byte: byte)
          }
          payload.append(littleEndian: azimuth)
          payload.append(littleEndian: Int16(-1))
          payload.append(littleEndian: UInt32(system % 2 == 0 ? 0xffff_f80f : 0x0000_0027))
        }
      }
      let listed = try #require(Played(stream + Self.status).epochs.first?.satellites)
      #expect(listed.map(\.svid) == Array(11...18))
      #expect(listed.map { Int($0.constellation.rawValue) } == Array(0...7))
      for satellite in listed {
        #expect(satellite.elevation == ((-90...90).contains(elevation) ? elevation : nil))
        let direction: Int16? = (0..<360).contains(azimuth) ? azimuth : azimuth == 360 ? 0 : nil
        #expect(satellite.azimuth == direction)
        // 0 is not tracked; 255 cannot be told from a receiver's 0 in other languages.
        #expect(satellite.cn0 == (cn0 == 0 ? nil : cn0 == 255 ? 0 : UInt8(cn0)))
        let isEven = satellite.svid % 2 == 1
        #expect(satellite.isUsed == isEven)
        #expect(satellite.isHealthy == (isEven ? nil : false))
        #expect(satellite.hasEphemeris == isEven)
        #expect(satellite.signal == 0)
      }
    }
  }

  /// NAV-STATUS of the same time: a fix.
  private static let status = ubx(0x01, 0x03) { payload in
    payload.append(littleEndian: UInt32(1000))
    for byte in [3, 1, 0, 0] as [UInt8] { payload.append(byte: byte) }
    payload.append(count: 8, of: 0)
  }
}
