import Bytes
import GNSS

/// The reports that answer requests (gpsd_json(5)). Every one is a line of JSON that ends with
/// CR LF, as all reports do.
enum ControlReports {
  /// The version of the protocol that is spoken: gpsd's of releases 3.24 to 3.26.
  static let protocolMajor = 3
  static let protocolMinor = 15

  static func version(release: String, to output: inout OutputBuffer) {
    output.append(#"{"class":"VERSION""#)
    output.append(member: "release", release)
    output.append(member: "rev", release)
    output.append(member: "proto_major", protocolMajor)
    output.append(member: "proto_minor", protocolMinor)
    output.append("}\r\n")
  }

  static func devices(_ devices: [GPSDDevice], to output: inout OutputBuffer) {
    output.append(#"{"class":"DEVICES","devices":["#)
    for (index, device) in devices.enumerated() {
      if index > 0 { output.append(byte: UInt8(ascii: ",")) }
      device.append(to: &output)
    }
    output.append("]}\r\n")
  }

  static func device(_ device: GPSDDevice, to output: inout OutputBuffer) {
    device.append(to: &output)
    output.append("\r\n")
  }

  static func removed(path: String, to output: inout OutputBuffer) {
    output.append(#"{"class":"DEVICE""#)
    output.append(member: "path", path)
    output.append(member: "activated", 0)
    output.append("}\r\n")
  }

  static func watch(_ watch: WatchState, to output: inout OutputBuffer) {
    output.append(#"{"class":"WATCH""#)
    output.append(member: "enable", watch.isEnabled)
    output.append(member: "json", watch.json)
    output.append(member: "nmea", watch.nmea)
    output.append(member: "raw", watch.raw.rawValue)
    output.append(member: "scaled", watch.scaled)
    output.append(member: "timing", watch.timing)
    output.append(member: "split24", watch.split24)
    output.append(member: "pps", watch.pps)
    if watch.gst { output.append(member: "gst", true) }
    output.append(member: "device", watch.device)
    output.append("}\r\n")
  }

  static func error(_ message: String, to output: inout OutputBuffer) {
    output.append(#"{"class":"ERROR""#)
    output.append(member: "message", message)
    output.append("}\r\n")
  }

  static func acknowledgement(to output: inout OutputBuffer) {
    output.append("{\"class\":\"ACK\"}\r\n")
  }
}

/// How a client watches: what its `?WATCH` requests added up to.
struct WatchState: Equatable, Sendable {
  var isEnabled = false
  var json = false
  var nmea = false
  var raw = RawMode.off
  var scaled = false
  var split24 = false
  var timing = false
  var pps = false
  var gst = false
  /// The name of the one device watched.
  var device: String?

  /// Whether what the receiver itself sends is wanted.
  var wantsBytes: Bool { isEnabled && (nmea || raw != .off) }

  mutating func apply(_ changes: WatchChanges) {
    isEnabled = changes.enable
    json = changes.json ?? json
    nmea = changes.nmea ?? nmea
    raw = changes.raw ?? raw
    (scaled, split24) = (changes.scaled, changes.split24)
    (timing, pps, gst) = (changes.timing, changes.pps, changes.gst)
    device = changes.device
  }
}
