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
    ]

  @Test("blocks of any width say what is written", arguments: blocks)
  func block(
    fields: String, elevation: Int8?, azimuth: Int16?, cn0: UInt8?, signal: UInt8
  ) throws {
    for before in ["", "09,08,103,39,", "09,08,103,,"] {
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
}
