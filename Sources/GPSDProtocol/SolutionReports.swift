import Bytes
import GNSS

/// The smaller reports that an epoch gives rise to (gpsd_json(5)).
enum SolutionReports {
  /// Estimated errors, one standard deviation in metres. `lat` and `lon` are errors too.
  static func errorStatistics(of fix: Fix, device: String, to output: inout OutputBuffer) {
    output.append(#"{"class":"GST","device":"#)
    output.append(jsonString: device)
    output.appendRow(upTo: RowWriter.byteCountMax(numberMembers: 9)) { line in
      TPVReport.append(time: fix.time, isLeapSecond: fix.isLeapSecond, to: &line)
      if fix.hasPosition, let statistics = fix.errorStatistics {
        line.append(member: "rms", fixed: statistics.rms, decimals: 3)
        line.append(member: "major", fixed: statistics.semiMajor, decimals: 3)
        line.append(member: "minor", fixed: statistics.semiMinor, decimals: 3)
        line.append(member: "orient", fixed: statistics.orientation, decimals: 3)
        line.append(member: "lat", fixed: statistics.latitude, decimals: 3)
        line.append(member: "lon", fixed: statistics.longitude, decimals: 3)
        line.append(member: "alt", fixed: statistics.altitude, decimals: 3)
      }
      line.append("}\r\n")
    }
  }

  /// Where the bow points; nothing for a fix that does not tell.
  static func attitude(of fix: Fix, device: String, to output: inout OutputBuffer) {
    guard let heading = fix.heading else { return }
    output.append(#"{"class":"ATT","device":"#)
    output.append(jsonString: device)
    output.appendRow(upTo: RowWriter.byteCountMax(numberMembers: 3)) { line in
      TPVReport.append(time: fix.time, isLeapSecond: fix.isLeapSecond, to: &line)
      line.append(member: "heading", fixed: Bearing.rounded(heading, decimals: 3), decimals: 3)
      line.append("}\r\n")
    }
  }

  /// The system's clock at the instant that the receiver calls `real`.
  /// - Parameter name: `TOFF` for the arrival of an epoch's first byte, `PPS` for a pulse.
  static func clock(_ sample: ClockSample, name: StaticString, to output: inout OutputBuffer) {
    output.append(#"{"class":""#)
    output.append(name)
    output.append(byte: UInt8(ascii: "\""))
    output.append(member: "device", sample.device)
    append("real_sec", "real_nsec", sample.real, to: &output)
    append("clock_sec", "clock_nsec", sample.clock, to: &output)
    output.append(member: "precision", sample.precision)
    output.append("}\r\n")
  }

  private static func append(
    _ seconds: StaticString, _ nanoseconds: StaticString, _ time: Int64,
    to output: inout OutputBuffer
  ) {
    var (whole, rest) = time.quotientAndRemainder(dividingBy: 1_000_000_000)
    if rest < 0 { (whole, rest) = (whole - 1, rest + 1_000_000_000) }
    output.append(member: seconds, Int(whole))
    output.append(member: nanoseconds, Int(rest))
  }
}

/// What the system's clock showed at an instant that a receiver knows.
package struct ClockSample: Equatable, Sendable {
  package var device: String
  /// The instant, in nanoseconds since 1970, leap seconds not counted.
  package var real: Int64
  /// The system's clock then, in the same count.
  package var clock: Int64
  /// The binary logarithm of the precision in seconds, as NTP has it.
  package var precision: Int

  package init(device: String, real: Int64, clock: Int64, precision: Int) {
    (self.device, self.real, self.clock, self.precision) = (device, real, clock, precision)
  }
}
