import Bytes
import GNSS

/// The report of gpsd's protocol that carries a position: members, order and digits as gpsd prints
/// them (gpsd_json(5), TPV). A line ends with CR LF.
package enum TPVReport {
  /// Position, height and motion are given with a fix (mode 2 or 3) only.
  ///
  /// `magtrack` is the course less the variation; gpsd adds the variation instead. `climb` is what
  /// the receiver measured, as is `velD`; gpsd's is the difference of two heights, so a recording,
  /// whose reports are compared with gpsd's, leaves `climb` out.
  package static func append(
    _ fix: Fix, device: String, isRecording: Bool = false, to output: inout OutputBuffer
  ) {
    output.append(#"{"class":"TPV","device":"#)
    output.append(jsonString: device)
    output.appendRow(upTo: RowWriter.byteCountMax(numberMembers: 24)) { line in
      if fix.status.rawValue >= FixStatus.dgps.rawValue {
        line.append(member: "status", Int(fix.status.rawValue))
      }
      line.append(member: "mode", Int(fix.mode.rawValue))
      append(time: fix.time, isLeapSecond: fix.isLeapSecond, to: &line)
      if let position = fix.position, fix.hasPosition {
        line.append(member: "lat", fixed: position.latitude, decimals: 9)
        line.append(member: "lon", fixed: position.longitude, decimals: 9)
        appendSolution(of: fix, isRecording: isRecording, to: &line)
      }
      line.append("}\r\n")
    }
  }

  /// What stands behind latitude and longitude.
  @inline(__always)
  private static func appendSolution(
    of fix: Fix, isRecording: Bool, to line: inout RowWriter
  ) {
    line.append(member: "altHAE", fixed: fix.altitudeEllipsoid, decimals: 4)
    line.append(member: "altMSL", fixed: fix.altitudeMSL, decimals: 4)
    line.append(
      member: "alt", fixed: fix.altitudeMSL ?? fix.altitudeEllipsoid, decimals: 4)
    let errors = PositionErrors(of: fix)
    line.append(member: "epx", fixed: errors.east, decimals: 3)
    line.append(member: "epy", fixed: errors.north, decimals: 3)
    line.append(member: "epv", fixed: errors.vertical, decimals: 3)
    let course = fix.course.map { Bearing.rounded($0, decimals: 4) }
    line.append(member: "track", fixed: course, decimals: 4)
    line.append(member: "magtrack", fixed: magneticCourse(of: fix), decimals: 4)
    line.append(member: "magvar", fixed: fix.magneticVariation, decimals: 1)
    line.append(member: "speed", fixed: fix.speed, decimals: 3)
    if !isRecording { line.append(member: "climb", fixed: fix.climb, decimals: 3) }
    // A course cannot be more than half a circle off: at rest receivers say that they do not know.
    let courseError = fix.courseAccuracy.map { min($0 * Confidence.linear95, 180) }
    line.append(member: "epd", fixed: courseError, decimals: 4)
    line.append(
      member: "eps", fixed: fix.speedAccuracy.map { $0 * Confidence.linear95 }, decimals: 2)
    line.append(member: "velD", fixed: fix.climb.map { 0 - $0 }, decimals: 3)
    line.append(member: "geoidSep", fixed: fix.geoidSeparation, decimals: 3)
    line.append(member: "eph", fixed: errors.horizontal, decimals: 3)
    line.append(member: "sep", fixed: errors.spherical, decimals: 3)
    line.append(member: "dgpsAge", fixed: fix.differentialAge, decimals: 1)
    line.append(member: "dgpsSta", fix.differentialStation)
  }

  private static func magneticCourse(of fix: Fix) -> Double? {
    guard let course = fix.course, let variation = fix.magneticVariation else { return nil }
    let turned = (course - variation).truncatingRemainder(dividingBy: 360)
    return Bearing.rounded(turned < 0 ? turned + 360 : turned, decimals: 4)
  }

  /// A member, `time` as a rule, with milliseconds.
  @inline(__always)
  static func append(
    member key: StaticString = "time", time: UTCTime?, isLeapSecond: Bool,
    to line: inout RowWriter
  ) {
    guard let time else { return }
    line.append(member: key)
    line.append(byte: UInt8(ascii: "\""))
    line = line.appending(time: time, fractionDigits: 3, isLeapSecond: isLeapSecond)
    line.append(byte: UInt8(ascii: "\""))
  }
}

/// The position errors of a fix in metres at 95 %.
struct PositionErrors {
  private(set) var east: Double?
  private(set) var north: Double?
  private(set) var vertical: Double?
  private(set) var horizontal: Double?
  /// Of the distance in space: the two parts added as right-angled.
  private(set) var spherical: Double?

  init(of fix: Fix) {
    let statistics = fix.errorStatistics
    let axis = fix.horizontalAccuracy.map { $0 * Confidence.axis95FromRadius68 }
    east = statistics?.longitude.map { $0 * Confidence.linear95 } ?? axis
    north = statistics?.latitude.map { $0 * Confidence.linear95 } ?? axis
    vertical = fix.verticalAccuracy.map { $0 * Confidence.linear95 }
    horizontal = fix.horizontalAccuracy.map { $0 * Confidence.radial95 }
    if let horizontal, let vertical {
      spherical = (horizontal * horizontal + vertical * vertical).squareRoot()
    }
  }
}
