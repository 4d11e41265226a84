import Bytes
import GNSS
import Testing

@testable import GPSDProtocol

@Suite("TPV and SKY") struct ReportTests {
  @Test("a 3D fix in gpsd's order and digits, errors at 95 %")
  func fix() {
    #expect(
      written { TPVReport.append(.sample, device: "/dev/ttyACM0", to: &$0) }
        == #"{"class":"TPV","device":"/dev/ttyACM0","status":2,"mode":3,"#
        + #""time":"2026-10-14T05:06:07.250Z","lat":-49.341666667,"lon":70.220833333,"#
        + #""altHAE":553.3250,"altMSL":512.1180,"alt":512.1180,"epx":12.980,"epy":12.980,"#
        + #""epv":19.710,"track":1.5000,"magtrack":357.5000,"magvar":4.0,"speed":1.250,"#
        + #""climb":-0.100,"velD":0.100,"geoidSep":41.207,"eph":16.210,"sep":25.520}"# + "\r\n")
  }

  @Test("a recording's vertical speed is not called climb")
  func recording() {
    let line = written {
      TPVReport.append(.sample, device: "a.log", isRecording: true, to: &$0)
    }
    #expect(!line.contains("climb") && line.contains(#""velD":0.100"#))
  }

  static let courses: [(accuracy: Double, error: String)] = [
    (10, #""epd":19.7100"#), (180, #""epd":180.0000"#),
  ]

  @Test("a course is off by half a circle at most", arguments: courses)
  func course(accuracy: Double, error: String) {
    var fix = Fix.sample
    fix.courseAccuracy = accuracy
    #expect(written { TPVReport.append(fix, device: "-", to: &$0) }.contains(error))
  }

  @Test("without a fix there is no position, and status 1 is not told")
  func noFix() {
    var fix = Fix.sample
    (fix.mode, fix.status) = (.none, .gps)
    #expect(
      written { TPVReport.append(fix, device: "-", to: &$0) }
        == #"{"class":"TPV","device":"-","mode":1,"time":"2026-10-14T05:06:07.250Z"}"# + "\r\n")
  }

  @Test("a device name cannot break the line")
  func device() {
    #expect(
      written { TPVReport.append(Fix(), device: "a\"\n", to: &$0) }
        == #"{"class":"TPV","device":"a\"\n","mode":0}"# + "\r\n")
  }

  @Test("dilutions and satellites")
  func sky() {
    var epoch = Epoch()
    (epoch.fix.dop.horizontal, epoch.fix.dop.position) = (1.27, 2.4)
    epoch.fix.satellitesUsed = 9
    var satellite = Satellite(constellation: .galileo, svid: 5, signal: 1)
    (satellite.elevation, satellite.azimuth, satellite.cn0) = (30, 271, 41)
    (satellite.isUsed, satellite.isHealthy) = (true, true)
    epoch.satellites = [satellite, Satellite(constellation: .glonass, svid: 255)]
    #expect(
      written { SKYReport.append(epoch, device: "x", withSatellites: true, to: &$0) }
        == #"{"class":"SKY","device":"x","hdop":1.27,"pdop":2.40,"nSat":2,"uSat":1,"#
        + #""satellites":[{"PRN":305,"gnssid":2,"svid":5,"az":271.0,"el":30.0,"ss":41.0,"#
        + #""used":true,"sigid":3,"health":1},{"PRN":0,"gnssid":6,"svid":255,"used":false}]}"#
        + "\r\n")
    #expect(
      written { SKYReport.append(epoch, device: "x", withSatellites: false, to: &$0) }
        == #"{"class":"SKY","device":"x","hdop":1.27,"pdop":2.40,"uSat":9}"# + "\r\n")
  }

  private func written(_ write: (inout OutputBuffer) -> Void) -> String {
    var output = OutputBuffer()
    write(&output)
    return output.text
  }
}

extension Fix {
  fileprivate static var sample: Fix {
    var fix = Fix()
    fix.time = UTCTime(iso8601: "2026-10-14T05:06:07.25Z")
    (fix.mode, fix.status) = (.threeD, .dgps)
    fix.position = Coordinate(latitude: -49.341666666667, longitude: 70.220833333333)
    (fix.altitudeMSL, fix.altitudeEllipsoid, fix.geoidSeparation) = (512.118, 553.325, 41.207)
    (fix.speed, fix.course, fix.climb, fix.magneticVariation) = (1.25, 1.5, -0.1, 4)
    (fix.horizontalAccuracy, fix.verticalAccuracy) = (10, 10)
    return fix
  }
}
