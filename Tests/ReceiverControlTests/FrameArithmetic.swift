import Testing

@testable import ReceiverControl

/// Checksums computed by the definition in the standards, independently of the product's writers.
enum FrameArithmetic {
  /// The bytes of a hexadecimal text with blanks.
  static func bytes(_ hex: String) -> [UInt8] {
    hex.split(separator: " ").map { UInt8($0, radix: 16) ?? 0 }
  }

  /// Whether the last two bytes are the Fletcher sums (RFC 1145) of those behind the sync bytes.
  static func hasFletcher(_ frame: [UInt8]) -> Bool {
    var (first, second) = (0, 0)
    for byte in frame.dropFirst(2).dropLast(2) {
      first = (first + Int(byte)) % 256
      second = (second + first) % 256
    }
    return frame.suffix(2).elementsEqual([UInt8(first), UInt8(second)])
  }

  /// The sentence with `$`, its exclusive-or in two digits, CR and LF.
  static func sentence(_ body: String) -> [UInt8] {
    let sum = body.utf8.reduce(0) { Int($0) ^ Int($1) }
    let digits = String(sum, radix: 16, uppercase: true)
    return Array("$\(body)*\(digits.count < 2 ? "0" : "")\(digits)\r\n".utf8)
  }
}
