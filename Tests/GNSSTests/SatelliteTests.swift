import Testing

@testable import GNSS

@Suite("Satellites") struct SatelliteTests {
  @Test("of a new one nothing is known but which it is")
  func fresh() {
    for constellation in Constellation.allCases {
      let satellite = Satellite(constellation: constellation, svid: 255, signal: 15)
      #expect(satellite.constellation == constellation)
      #expect(satellite.svid == 255)
      #expect(satellite.signal == 15)
      #expect(satellite.elevation == nil)
      #expect(satellite.azimuth == nil)
      #expect(satellite.cn0 == nil)
      #expect(!satellite.isUsed)
      #expect(satellite.isHealthy == nil)
      #expect(satellite.hasEphemeris == nil)
    }
  }

  /// u-blox M8 protocol specification, NAV-SAT, flags.
  @Test("the flags of NAV-SAT are taken, and nothing else of them")
  func flags() {
    for signal in UInt8(0)...15 {
      for (flags, isUsed, isHealthy, hasEphemeris): (UInt32, Bool, Bool?, Bool) in [
        (0, false, nil, false), (0x8, true, nil, false), (0x10, false, true, false),
        (0x20, false, false, false), (0x30, false, nil, false), (0x800, false, nil, true),
        (0xffff_f7c7, false, nil, false), (0xffff_ffdf, true, true, true),
      ] {
        var satellite = Satellite(constellation: .navic, svid: 255, signal: signal, azimuth: 359)
        satellite.set(flags: .max)
        satellite.set(flags: flags)
        #expect(satellite.isUsed == isUsed)
        #expect(satellite.isHealthy == isHealthy)
        #expect(satellite.hasEphemeris == hasEphemeris)
        #expect(satellite.signal == signal)
        #expect(satellite.azimuth == 359)
      }
    }
  }

  static let elevations: [Int8?] = [nil, -90, -1, 0, 90]
  static let azimuths: [Int16?] = [nil, 0, 1, 359]

  @Test("each value is kept beside all others", arguments: elevations, azimuths)
  func values(elevation: Int8?, azimuth: Int16?) {
    let truths: [Bool?] = [nil, false, true]
    for cn0: UInt8? in [nil, 0, 1, 99, 254] {
      for (isHealthy, hasEphemeris) in zip(truths, truths.reversed()) {
        // Everything is set before, so that what a value leaves behind would show.
        var satellite = Satellite(
          constellation: .navic, svid: 255, signal: 15, elevation: -1, azimuth: 359, cn0: 254)
        (satellite.isUsed, satellite.isHealthy, satellite.hasEphemeris) = (true, false, true)
        satellite.elevation = elevation
        satellite.azimuth = azimuth
        satellite.cn0 = cn0
        satellite.isHealthy = isHealthy
        satellite.hasEphemeris = hasEphemeris
        (satellite.constellation, satellite.svid, satellite.signal) = (.glonass, 7, 1)
        satellite.isUsed = false
        #expect(satellite.elevation == elevation)
        #expect(satellite.azimuth == azimuth)
        #expect(satellite.cn0 == cn0)
        #expect(satellite.isHealthy == isHealthy)
        #expect(satellite.hasEphemeris == hasEphemeris)
        #expect(satellite.constellation == .glonass)
        #expect(satellite.svid == 7)
        #expect(satellite.signal == 1)
        #expect(!satellite.isUsed)
      }
    }
  }
}
