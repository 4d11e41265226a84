import Bytes
import GNSS

/// A receiver as the gpsd protocol shows it: the object of the DEVICE report (gpsd_json(5)).
package struct GPSDDevice: Equatable, Sendable {
  /// The device node, which is the device's name to clients.
  package var path: String
  /// Other names that clients may call it by: links, and the stable identity, by which a client
  /// finds the receiver again when its node has changed.
  package var aliases: [String] = []
  /// The protocol or family it speaks, once that is known: `NMEA0183`, `u-blox`.
  package var driver: String?
  /// What it says of its software and hardware.
  package var subtype: String?
  package var subtype1: String?
  package var serialNumber: String?
  /// When it was opened, by the system's clock.
  package var activated: UTCTime
  /// Whether it is in a binary mode.
  package var isBinary = false
  /// Baud; `nil` where the port has no speed.
  package var speed: Int?
  /// The time between epochs.
  package var cycle: Duration?

  package init(path: String, activated: UTCTime) {
    (self.path, self.activated) = (path, activated)
  }

  package func isNamed(_ name: String) -> Bool { path == name || aliases.contains(name) }

  /// Appends the object without a line end.
  func append(to output: inout OutputBuffer) {
    output.append(#"{"class":"DEVICE""#)
    output.append(member: "path", path)
    output.append(member: "driver", driver)
    output.append(member: "sernum", serialNumber)
    output.append(member: "subtype", subtype)
    output.append(member: "subtype1", subtype1)
    output.appendRow(upTo: RowWriter.byteCountMax(numberMembers: 1)) { line in
      TPVReport.append(member: "activated", time: activated, isLeapSecond: false, to: &line)
    }
    if driver != nil {
      output.append(member: "flags", Self.isPositioning)
      output.append(member: "native", isBinary ? 1 : 0)
    }
    if let speed {
      output.append(member: "bps", speed)
      output.append(member: "parity", name: "N")
      output.append(member: "stopbits", 1)
    }
    output.append(member: "cycle", fixed: cycle?.inSeconds, decimals: 2)
    output.append(byte: UInt8(ascii: "}"))
  }

  /// The flag of a device that sends positions.
  private static let isPositioning = 1
}
