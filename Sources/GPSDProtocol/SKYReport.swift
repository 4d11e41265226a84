import Bytes
import GNSS

/// The report of gpsd's protocol that carries dilutions and satellites (gpsd_json(5), SKY). A line
/// ends with CR LF.
package enum SKYReport {
  /// More satellites are not listed, and those that are not used go first: gpsd's clients read
  /// lines of 10,240 bytes, and one takes up to 102.
  static let satelliteCountMax = 96

  /// - Parameter withSatellites: Whether to list the satellites; else only the dilutions are given.
  package static func append(
    _ epoch: Epoch, device: String, withSatellites: Bool, to output: inout OutputBuffer
  ) {
    output.append(#"{"class":"SKY","device":"#)
    output.append(jsonString: device)
    let all = epoch.satellites
    let satellites =
      all.count <= satelliteCountMax
      ? all[...] : (all.filter(\.isUsed) + all.filter { !$0.isUsed }).prefix(satelliteCountMax)
    let byteCountMax =
      RowWriter.byteCountMax(numberMembers: 11) + satellites.count * satelliteByteCountMax
    output.appendRow(upTo: byteCountMax) { line in
      TPVReport.append(time: epoch.fix.time, isLeapSecond: epoch.fix.isLeapSecond, to: &line)
      append(epoch.fix.dop, to: &line)
      if withSatellites {
        line.append(member: "nSat", satellites.count)
        line.append(member: "uSat", satellites.count(where: \.isUsed))
        line.append(#","satellites":["#)
        line.append(list: satellites, upTo: satelliteByteCountMax) { append($0, to: &$1) }
        line.append("]")
      } else {
        line.append(member: "uSat", epoch.fix.satellitesUsed)
      }
      line.append("}\r\n")
    }
  }

  @inline(__always)
  private static func append(_ dop: DilutionOfPrecision, to line: inout RowWriter) {
    line.append(member: "xdop", fixed: dop.east, decimals: 2)
    line.append(member: "ydop", fixed: dop.north, decimals: 2)
    line.append(member: "vdop", fixed: dop.vertical, decimals: 2)
    line.append(member: "tdop", fixed: dop.time, decimals: 2)
    line.append(member: "hdop", fixed: dop.horizontal, decimals: 2)
    line.append(member: "gdop", fixed: dop.geometric, decimals: 2)
    line.append(member: "pdop", fixed: dop.position, decimals: 2)
  }

  /// The longest object of a satellite and the comma before it, with some to spare.
  private static let satelliteByteCountMax = 128

  /// A GLONASS satellite whose slot is not known yet has no PRN; it is written as 0, as gpsd's own
  /// clients insist on one.
  @inline(__always)
  private static func append(_ satellite: Satellite, to line: inout RowWriter) {
    line.append(#"{"PRN":"#)
    line.append(decimal: satellite.prn ?? 0)
    line.append(#","gnssid":"#)
    line.append(decimal: Int(satellite.constellation.rawValue))
    line.append(#","svid":"#)
    line.append(decimal: Int(satellite.svid))
    if let azimuth = satellite.azimuth {
      line.append(#","az":"#)
      line.append(decimal: Int(azimuth))
      line.append(".0")
    }
    if let elevation = satellite.elevation {
      line.append(#","el":"#)
      line.append(decimal: Int(elevation))
      line.append(".0")
    }
    if let cn0 = satellite.cn0 {
      line.append(#","ss":"#)
      line.append(decimal: Int(cn0))
      line.append(".0")
    }
    line.append(#","used":"#)
    line.append(satellite.isUsed)
    // Most satellites are listed with the first signal alone.
    if satellite.signal > 0, let signal = satellite.signalIdentifier {
      line.append(#","sigid":"#)
      line.append(decimal: signal)
    }
    if let isHealthy = satellite.isHealthy {
      line.append(#","health":"#)
      line.append(byte: isHealthy ? UInt8(ascii: "1") : UInt8(ascii: "2"))
    }
    line.append("}")
  }
}

extension Satellite {
  /// The number of the signal in gpsd's `sigid`, which counts as u-blox does (F9 interface
  /// description, signal identifiers); `nil` for the constellation's first signal, as gpsd leaves 0
  /// out, and for signals without such a number. Where NMEA 0183 tells the parts of a signal not
  /// apart, the first is taken.
  var signalIdentifier: Int? {
    switch (constellation, signal) {
    case (.gps, 6): 3  // L2 CL
    case (.gps, 5): 4  // L2 CM
    case (.gps, 7): 6  // L5 I
    case (.gps, 8): 7  // L5 Q
    case (.galileo, 1): 3  // E5 aI
    case (.galileo, 2): 5  // E5 bI
    case (.beidou, 11): 2  // B2I
    case (.beidou, 3): 5  // B1 C
    case (.beidou, 5): 7  // B2 a
    case (.glonass, 3): 2  // L2 OF
    case (.qzss, 4): 1  // L1 S
    case (.qzss, 5): 4  // L2 CM
    case (.qzss, 6): 5  // L2 CL
    case (.qzss, 7): 8  // L5 I
    case (.qzss, 8): 9  // L5 Q
    default: nil
    }
  }
}
