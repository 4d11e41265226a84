import Bytes

/// The JSON objects of the project's own output, as `decode` and `log-dump` print them and clients
/// get them. An unknown value is left out; numbers carry no zeros at the end.
///
/// Units: degrees (north, east, clockwise from true north), metres, m/s. `eph`, `epv`, `eps` and
/// `epd` (of the course) hold with 68 %.
package enum FixJSON {
  /// `{"type":"fix",...}` without a line end. Members that `more` writes stand at the end.
  package static func append(
    _ fix: Fix, to output: inout OutputBuffer, more: (inout OutputBuffer) -> Void = { _ in }
  ) {
    output.append(#"{"type":"fix""#)
    output.appendRow(upTo: RowWriter.byteCountMax(numberMembers: 48)) { line in
      appendTime(of: fix, to: &line)
      line.append(member: "mode", Int(fix.mode.rawValue))
      line.append(member: "status", name: fix.status.name)
      line.append(member: "lat", fix.position?.latitude, decimals: 9)
      line.append(member: "lon", fix.position?.longitude, decimals: 9)
      line.append(member: "alt_msl", fix.altitudeMSL, decimals: 4)
      line.append(member: "alt_hae", fix.altitudeEllipsoid, decimals: 4)
      line.append(member: "geoid_sep", fix.geoidSeparation, decimals: 4)
      line.append(member: "speed", fix.speed, decimals: 3)
      line.append(member: "track", bearing(fix.course), decimals: 5)
      line.append(member: "climb", fix.climb, decimals: 3)
      line.append(member: "heading", bearing(fix.heading), decimals: 5)
      line.append(member: "mag_var", fix.magneticVariation, decimals: 2)
      line.append(member: "eph", fix.horizontalAccuracy, decimals: 4)
      line.append(member: "epv", fix.verticalAccuracy, decimals: 4)
      line.append(member: "eps", fix.speedAccuracy, decimals: 3)
      line.append(member: "epd", fix.courseAccuracy, decimals: 5)
      if fix.accuracyIsEstimated { line.append(member: "estimated", true) }
      line.append(member: "sats_used", fix.satellitesUsed)
      append(fix.dop, to: &line)
      line.append(member: "dgps_age", fix.differentialAge, decimals: 3)
      line.append(member: "dgps_station", fix.differentialStation)
      if let errors = fix.errorStatistics { append(errors, to: &line) }
    }
    more(&output)
    output.append(byte: UInt8(ascii: "}"))
  }

  /// `time` where the date is known, with how it was found where the receiver did not send it;
  /// `tod` is what was sent with the fix itself.
  @inline(__always)
  private static func appendTime(of fix: Fix, to line: inout RowWriter) {
    if let time = fix.time {
      line.append(#","time":""#)
      line = line.appending(
        time: time, fractionDigits: fractionDigits(microseconds: time.microseconds),
        isLeapSecond: fix.isLeapSecond)
      line.append(byte: UInt8(ascii: "\""))
      line.append(member: "date", name: fix.dateSource.name)
    }
    if let timeOfDay = fix.timeOfDay {
      line.append(#","tod":""#)
      line = line.appending(
        timeOfDay: timeOfDay,
        fractionDigits: fractionDigits(microseconds: timeOfDay.microseconds))
      line.append(byte: UInt8(ascii: "\""))
    }
  }

  private static func bearing(_ degrees: Double?) -> Double? {
    degrees.map { Bearing.rounded($0, decimals: 5) }
  }

  @inline(__always)
  private static func append(_ dop: DilutionOfPrecision, to line: inout RowWriter) {
    line.append(member: "hdop", dop.horizontal, decimals: 2)
    line.append(member: "vdop", dop.vertical, decimals: 2)
    line.append(member: "pdop", dop.position, decimals: 2)
    line.append(member: "tdop", dop.time, decimals: 2)
    line.append(member: "gdop", dop.geometric, decimals: 2)
    line.append(member: "xdop", dop.east, decimals: 2)
    line.append(member: "ydop", dop.north, decimals: 2)
  }

  @inline(__always)
  private static func append(_ errors: ErrorStatistics, to line: inout RowWriter) {
    line.append(member: "err_rms", errors.rms, decimals: 3)
    line.append(member: "err_major", errors.semiMajor, decimals: 3)
    line.append(member: "err_minor", errors.semiMinor, decimals: 3)
    line.append(member: "err_orient", errors.orientation, decimals: 3)
    line.append(member: "err_lat", errors.latitude, decimals: 3)
    line.append(member: "err_lon", errors.longitude, decimals: 3)
    line.append(member: "err_alt", errors.altitude, decimals: 3)
  }

  /// `{"type":"satellites","satellites":[...]}` without a line end.
  package static func append(_ satellites: [Satellite], to output: inout OutputBuffer) {
    output.append(#"{"type":"satellites","satellites":["#)
    output.appendRow(upTo: (satellites.count + 1) * satelliteByteCountMax) { line in
      line.append(list: satellites, upTo: satelliteByteCountMax) { append($0, to: &$1) }
      line.append("]}")
    }
  }

  /// The longest object of a satellite and the comma before it, with some to spare.
  private static let satelliteByteCountMax = 160

  @inline(__always)
  private static func append(_ satellite: Satellite, to line: inout RowWriter) {
    line.append(#"{"gnss":""#)
    line.append(satellite.constellation.name)
    line.append(#"","svid":"#)
    line.append(decimal: Int(satellite.svid))
    if let elevation = satellite.elevation {
      line.append(#","el":"#)
      line.append(decimal: Int(elevation))
    }
    if let azimuth = satellite.azimuth {
      line.append(#","az":"#)
      line.append(decimal: Int(azimuth))
    }
    if let cn0 = satellite.cn0 {
      line.append(#","snr":"#)
      line.append(decimal: Int(cn0))
    }
    line.append(#","used":"#)
    line.append(satellite.isUsed)
    if satellite.signal != 0 {
      line.append(#","signal":"#)
      line.append(decimal: Int(satellite.signal))
    }
    if let isHealthy = satellite.isHealthy {
      line.append(#","healthy":"#)
      line.append(isHealthy)
    }
    if let hasEphemeris = satellite.hasEphemeris {
      line.append(#","ephemeris":"#)
      line.append(hasEphemeris)
    }
    line.append("}")
  }

  /// Milliseconds, or microseconds where the instant is none of whole milliseconds.
  package static func fractionDigits(microseconds: Int64) -> Int {
    microseconds % 1000 == 0 ? 3 : 6
  }
}

extension DateSource {
  /// How the date was found, in JSON output; `nil` where the receiver sent it as it is.
  package var name: StaticString? {
    switch self {
    case .none, .receiver: nil
    case .rolloverCorrected: "rollover_corrected"
    case .carried: "carried"
    case .hostClock: "host_clock"
    case .leapTable: "leap_table"
    }
  }
}
