import ReceiverControl
import Testing

/// The profiles that ship with the product.
enum ProfileFiles {
  static let names = [
    "ublox-m10", "ublox-m8", "ublox-f9", "mtk3339", "mtk3333", "l76k", "lc29h", "teseo-liv3f",
    "generic-nmea",
  ]

  static func profile(_ name: String) throws -> ReceiverProfile {
    let path = "Hardware/Receivers/\(name).profile"
    return try ReceiverProfile(
      String(decoding: try TestFiles.contents(of: path), as: UTF8.self), id: name, path: path)
  }
}
