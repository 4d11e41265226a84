import Bytes

/// What UBX-MON-VER tells. Source: u-blox M8 protocol specification, UBX-MON-VER.
package struct UBXVersion: Equatable, Sendable {
  package var software: String
  package var hardware: String
  /// `MOD=`, such as `NEO-M8N-0`; empty where it is not told.
  package var module = ""
  /// `FWVER=`, such as `SPG 3.01`.
  package var firmware = ""
  /// In hundredths: 18.00 is 1800.
  package var protocolVersion: Int
  /// Whether settings could be kept in flash.
  package var hasFlash = false
  package var constellations: Set<String> = []
  /// The message that it was read from, as it is kept for the next start.
  package let payload: [UInt8]

  package static let softwareByteCount = 30
  package static let fixedByteCount = 40
  package static let extensionByteCount = 30
  /// More extensions than this are not read.
  package static let extensionCountMax = 32
  private static let payloadByteCountMax = fixedByteCount + extensionByteCount * extensionCountMax

  /// `nil` unless the payload has 40 + 30 n bytes.
  package init?(payload: [UInt8]) {
    let rest = payload.count - Self.fixedByteCount
    guard rest >= 0, rest % Self.extensionByteCount == 0 else { return nil }
    self.payload = Array(payload.prefix(Self.payloadByteCountMax))
    software = Self.text(payload[..<Self.softwareByteCount])
    hardware = Self.text(payload[Self.softwareByteCount..<Self.fixedByteCount])
    protocolVersion = 0
    for index in 0..<min(rest / Self.extensionByteCount, Self.extensionCountMax) {
      let start = Self.fixedByteCount + index * Self.extensionByteCount
      take(extension: Self.text(payload[start..<start + Self.extensionByteCount]))
    }
    if software.hasPrefix("EXT") { hasFlash = true }
    if protocolVersion == 0 { protocolVersion = Self.protocolVersion(ofSoftware: software) }
    if firmware.isEmpty { firmware = software }
  }

  private mutating func take(extension text: String) {
    if let value = Self.value(of: "FWVER", in: text) { firmware = value }
    if let value = Self.value(of: "PROTVER", in: text) { protocolVersion = Self.hundredths(value) }
    if let value = Self.value(of: "MOD", in: text) { module = value }
    if text.hasPrefix("FIS=") { hasFlash = true }
    let names = text.split(separator: ";")
    if !names.isEmpty, names.allSatisfy({ Self.constellationNames.contains(String($0)) }) {
      constellations.formUnion(names.map(String.init))
    }
  }

  private static let constellationNames: Set<String> = [
    "GPS", "GLO", "GAL", "BDS", "SBAS", "QZSS", "IMES", "NAVIC",
  ]

  /// The text behind `KEY=`; older firmware has a blank there.
  private static func value(of key: String, in text: String) -> String? {
    guard text.hasPrefix(key) else { return nil }
    let rest = text.dropFirst(key.count)
    guard let separator = rest.first, separator == "=" || separator == " " else { return nil }
    return String(rest.dropFirst())
  }

  /// `18.00` is 1800; 0 where it is no number.
  static func hundredths(_ text: String) -> Int {
    let parts = text.split(separator: ".")
    guard let whole = parts.first.flatMap({ Int($0) }), (0...1000).contains(whole) else { return 0 }
    let fraction = parts.count > 1 ? Int(parts[1].prefix(2)) ?? 0 : 0
    return whole * 100 + max(fraction, 0)
  }

  /// For firmware that does not tell its protocol version: by the beginning of its own.
  private static let olderSoftware = [
    ("4.00", 1000), ("5.00", 1100), ("6.00", 1200), ("6.02", 1200), ("7.01", 1300), ("7.03", 1300),
    ("1.00", 1400),
  ]

  private static func protocolVersion(ofSoftware text: String) -> Int {
    olderSoftware.first { text.hasPrefix($0.0) }?.1 ?? 0
  }

  private static func text(_ field: ArraySlice<UInt8>) -> String {
    let bytes = field.prefix { $0 != 0 }
    return String(decoding: bytes.map { (0x20...0x7e).contains($0) ? $0 : 0x3f }, as: UTF8.self)
  }

  /// A generation of chips.
  package enum Generation: Int, Comparable, Sendable {
    case five = 5
    case six = 6
    case seven = 7
    case eight = 8
    case nine = 9
    case ten = 10
    /// X20, F20.
    case twenty = 20

    package static func < (left: Generation, right: Generation) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  private static let hardwareGenerations: [(String, Generation)] = [
    ("00040005", .five), ("00040007", .six), ("00070000", .seven), ("00080000", .eight),
    ("00190000", .nine), ("000A0000", .ten), ("000B0000", .twenty),
  ]

  /// By the hardware's number; by the protocol version where that is unknown.
  package var generation: Generation {
    if let known = Self.hardwareGenerations.first(where: { $0.0 == hardware }) { return known.1 }
    switch protocolVersion {
    case ..<1200: return .five
    case ..<1400: return .six
    case ..<1500: return .seven
    case ..<2700: return .eight
    case ..<3400: return .nine
    case ..<5000: return .ten
    default: return .twenty
    }
  }

  /// Whether it is configured by keys and values rather than by one message a topic.
  package var usesKeys: Bool { generation >= .nine }

  /// Whether the module's name claims a later generation than the chip is of, as clones do.
  package var isRelabelled: Bool {
    let claims: [(String, Generation)] = [
      ("-M10", .ten), ("-M9", .nine), ("-F9", .nine), ("-M8", .eight), ("-7", .seven),
    ]
    guard let claim = claims.first(where: { module.holds($0.0) }) else { return false }
    return claim.1 > generation
  }
}
