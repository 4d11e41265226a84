import LinuxIO
import ReceiverControl
import Testing

/// The profiles that ship with the product.
enum ProfileFiles {
  static let names = [
    "ublox-m10", "ublox-m8", "ublox-f9", "mtk3339", "mtk3333", "l76k", "lc29h", "teseo-liv3f",
    "generic-nmea",
  ]

  static func profile(_ name: String) throws -> ReceiverProfile {
    let path = root + "Hardware/Receivers/\(name).profile"
    return try ReceiverProfile(try text(of: path), id: name, path: path)
  }

  /// The package's root, with a slash.
  private static let root: String = {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    return parts.dropLast(3).joined(separator: "/") + "/"
  }()

  private static func text(of path: String) throws -> String {
    let file = try InputFile(path: path)
    var bytes = [UInt8](repeating: 0, count: ReceiverProfile.byteCountMax)
    let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0) }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
