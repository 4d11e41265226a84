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
  /// - Parameter receiver: Its name, as `field` makes it.
  package static func append(_ fix: Fix, receiver: [UInt8], to output: inout OutputBuffer) {
    if fix.time == nil, let timeOfDay = fix.timeOfDay {
      output.append(
        timeOfDay: timeOfDay,
        fractionDigits: FixJSON.fractionDigits(microseconds: timeOfDay.microseconds))
    }
    output.appendRow(upTo: rowByteCountMax) { row in appendNumbers(of: fix, to: &row) }
    output.append(bytes: receiver)
    output.append(byte: UInt8(ascii: "\n"))
  }

  private static let comma = UInt8(ascii: ",")

  /// More than a time, a status and twenty numbers take.
  private static let rowByteCountMax = 1024

  @inline(__always)
  private static func appendNumbers(of fix: Fix, to row: inout RowWriter) {
    if let time = fix.time {
      row = row.appending(
        time: time, fractionDigits: FixJSON.fractionDigits(microseconds: time.microseconds),
        isLeapSecond: fix.isLeapSecond)
    }
    row.append(byte: comma)
    row.append(decimal: Int(fix.mode.rawValue))
    row.append(byte: comma)
    if let name = fix.status.name { row.append(name) }
    row.append(separator: comma, trimmed: fix.position?.latitude, decimals: 9)
    row.append(separator: comma, trimmed: fix.position?.longitude, decimals: 9)
    row.append(separator: comma, trimmed: fix.altitudeMSL, decimals: 3)
    row.append(separator: comma, trimmed: fix.altitudeEllipsoid, decimals: 3)
    row.append(separator: comma, trimmed: fix.geoidSeparation, decimals: 3)
    row.append(separator: comma, trimmed: fix.speed, decimals: 3)
    row.append(separator: comma, trimmed: bearing(fix.course), decimals: 5)
    row.append(separator: comma, trimmed: fix.climb, decimals: 3)
    row.append(separator: comma, trimmed: bearing(fix.heading), decimals: 5)
    row.append(separator: comma, trimmed: fix.horizontalAccuracy, decimals: 3)
    row.append(separator: comma, trimmed: fix.verticalAccuracy, decimals: 3)
    row.append(separator: comma, trimmed: fix.speedAccuracy, decimals: 3)
    row.append(separator: comma, trimmed: fix.courseAccuracy, decimals: 5)
    row.append(byte: comma)
    if let count = fix.satellitesUsed { row.append(decimal: count) }
    row.append(separator: comma, trimmed: fix.dop.horizontal, decimals: 2)
    row.append(separator: comma, trimmed: fix.dop.vertical, decimals: 2)
    row.append(separator: comma, trimmed: fix.dop.position, decimals: 2)
    row.append(byte: comma)
  }

  private static func bearing(_ degrees: Double?) -> Double? {
    degrees.map { Bearing.rounded($0, decimals: 5) }
  }

  /// A text as it stands in a row.
  package static func field(_ text: String) -> [UInt8] {
    var output = OutputBuffer()
    append(text: text, to: &output)
    return output.bytes
  }

  /// Quoted where it holds a comma, quote or line end; control characters become spaces.
  static func append(text: String, to output: inout OutputBuffer) {
    let isPlain = text.hasOnly { $0 != comma && $0 != UInt8(ascii: "\"") && $0 >= 0x20 }
    if isPlain { return output.append(text: text) }
    output.append(byte: UInt8(ascii: "\""))
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") { output.append(byte: byte) }
      output.append(byte: byte < 0x20 ? UInt8(ascii: " ") : byte)
    }
    output.append(byte: UInt8(ascii: "\""))
  }
}
