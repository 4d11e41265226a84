import Bytes
import GNSS
import LocationServices

/// A fix in a line for people.
enum FixText {
  /// `2026-10-14 05:06:07.250 UTC  48.1234567 11.5000000  ±2.5 m  altitude 500.3 m  1.5 m/s  359°`
  static func line(_ location: LocationUpdate) -> String {
    let fix = location.fix
    var output = OutputBuffer()
    append(fix.time, to: &output)
    output.append("  ")
    append(fix.position, to: &output)
    append("  ±", fix.horizontalAccuracy, decimals: 1, " m", to: &output)
    let altitude = fix.altitudeMSL ?? fix.altitudeEllipsoid
    append("  altitude ", altitude, decimals: 1, " m", to: &output)
    append("  ", fix.speed, decimals: 1, " m/s", to: &output)
    append("  ", fix.course.map { Bearing.rounded($0, decimals: 0) }, decimals: 0, "°", to: &output)
    let marks: [(Bool, StaticString)] = [
      (fix.mode == .twoD && !location.isReduced, "  2D"), (location.isStationary, "  at rest"),
      (location.isJump, "  jump"), (location.isReduced, "  reduced accuracy"),
      (!location.meetsTier, "  best so far"), (fix.status == .simulated, "  simulated"),
    ]
    for (isSet, mark) in marks where isSet { output.append(mark) }
    return output.text
  }

  /// `2026-10-14 05:06:07.250 UTC`
  static func time(_ time: UTCTime?) -> String {
    var output = OutputBuffer()
    append(time, to: &output)
    return output.text
  }

  /// `48.1234567 11.5000000`
  static func position(_ position: Coordinate?) -> String {
    var output = OutputBuffer()
    append(position, to: &output)
    return output.text
  }

  private static func append(_ time: UTCTime?, to output: inout OutputBuffer) {
    guard let time else { return output.append("time unknown") }
    let start = output.count
    output.append(time: time, fractionDigits: time.microseconds % 1_000_000 == 0 ? 0 : 3)
    output.truncate(to: output.count - 1)
    output.replace(at: start + 10, littleEndian: UInt8(ascii: " "))
    output.append(" UTC")
  }

  private static func append(_ position: Coordinate?, to output: inout OutputBuffer) {
    guard let position else { return output.append("no position") }
    output.append(fixed: position.latitude, decimals: 7)
    output.append(" ")
    output.append(fixed: position.longitude, decimals: 7)
  }

  private static func append(
    _ before: StaticString, _ value: Double?, decimals: Int, _ behind: StaticString,
    to output: inout OutputBuffer
  ) {
    guard let value, value.isFinite else { return }
    output.append(before)
    output.append(fixed: value, decimals: decimals)
    output.append(behind)
  }
}
