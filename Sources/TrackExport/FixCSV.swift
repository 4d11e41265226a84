import Bytes
import GNSS

/// Fixes as comma-separated values by RFC 4180, with a header and LF line ends. Every row has every
/// column; an unknown value is empty. The columns are those of `FixJSON`.
package enum FixCSV {
  package static let header: StaticString = """
    time,mode,status,lat,lon,alt_msl,alt_hae,geoid_sep,speed,track,climb,heading,eph,epv,eps,epd,\
    sats_used,hdop,vdop,pdop,receiver

    """

  /// One row with its line end. Where the date is not known, `time` holds the time of day alone.
  package static func append(_ fix: Fix, receiver: String, to output: inout OutputBuffer) {
    appendTime(of: fix, to: &output)
    output.append(byte: comma)
    output.append(decimal: Int(fix.mode.rawValue))
    output.append(byte: comma)
    if let name = fix.status.name { output.append(name) }
    append(fix.position?.latitude, decimals: 9, to: &output)
    append(fix.position?.longitude, decimals: 9, to: &output)
    append(fix.altitudeMSL, decimals: 3, to: &output)
    append(fix.altitudeEllipsoid, decimals: 3, to: &output)
    append(fix.geoidSeparation, decimals: 3, to: &output)
    append(fix.speed, decimals: 3, to: &output)
    append(fix.course.map { Bearing.rounded($0, decimals: 5) }, decimals: 5, to: &output)
    append(fix.climb, decimals: 3, to: &output)
    append(fix.heading.map { Bearing.rounded($0, decimals: 5) }, decimals: 5, to: &output)
    append(fix.horizontalAccuracy, decimals: 3, to: &output)
    append(fix.verticalAccuracy, decimals: 3, to: &output)
    append(fix.speedAccuracy, decimals: 3, to: &output)
    append(fix.courseAccuracy, decimals: 5, to: &output)
    output.append(byte: comma)
    if let count = fix.satellitesUsed { output.append(decimal: count) }
    append(fix.dop.horizontal, decimals: 2, to: &output)
    append(fix.dop.vertical, decimals: 2, to: &output)
    append(fix.dop.position, decimals: 2, to: &output)
    output.append(byte: comma)
    append(text: receiver, to: &output)
    output.append(byte: UInt8(ascii: "\n"))
  }

  private static let comma = UInt8(ascii: ",")

  private static func appendTime(of fix: Fix, to output: inout OutputBuffer) {
    if let time = fix.time {
      output.append(
        time: time, fractionDigits: FixJSON.fractionDigits(microseconds: time.microseconds),
        isLeapSecond: fix.isLeapSecond)
    } else if let timeOfDay = fix.timeOfDay {
      output.append(
        timeOfDay: timeOfDay,
        fractionDigits: FixJSON.fractionDigits(microseconds: timeOfDay.microseconds))
    }
  }

  /// A comma and the number, if it is one.
  private static func append(_ value: Double?, decimals: Int, to output: inout OutputBuffer) {
    output.append(byte: comma)
    if let value { output.append(trimmed: value, decimals: decimals) }
  }

  /// Quoted where it holds a comma, quote or line end; control characters become spaces.
  static func append(text: String, to output: inout OutputBuffer) {
    let needsQuotes = text.utf8.contains { $0 == comma || $0 == UInt8(ascii: "\"") || $0 < 0x20 }
    guard needsQuotes else { return output.append(text: text) }
    output.append(byte: UInt8(ascii: "\""))
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") { output.append(byte: byte) }
      output.append(byte: byte < 0x20 ? UInt8(ascii: " ") : byte)
    }
    output.append(byte: UInt8(ascii: "\""))
  }
}
