import FixLog
import GNSS
import Testing

@testable import TrackExport

@Suite("NMEA of the log") struct NMEAWriterTests {
  @Test("RMC, GGA and GSA of each fix, checksums by NMEA 0183, 5.3")
  func sentences() {
    let lines = document(NMEAWriter(), [.fix(.sample), .event(.gap, at: ""), .fix(Fix())])
      .split(separator: "\r\n")
    #expect(
      lines.map { $0.prefix(6) } == ["$GPRMC", "$GPGGA", "$GPGSA", "$GPRMC", "$GPGGA", "$GPGSA"])
    for line in lines {
      let parts = line.dropFirst().split(separator: "*")
      #expect(UInt8(parts[1], radix: 16) == parts[0].utf8.reduce(0, ^))
    }
  }

  @Test("an unknown height is an empty field, and tenths of a second stay")
  func unknown() {
    #expect(
      document(NMEAWriter(), [.fix(at: "2026-10-14T23:45:10.4Z")]).contains(
        "$GPGGA,234510.40,1000.00000,N,02000.00000,E,1,,,,M,"))
  }
}
