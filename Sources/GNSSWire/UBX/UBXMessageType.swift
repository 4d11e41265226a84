/// A UBX message's class and id in one number.
package struct UBXMessageType: Hashable, Sendable {
  /// `class << 8 | id`
  package let code: UInt16

  init(code: UInt16) { self.code = code }

  package init(messageClass: UInt8, id: UInt8) { code = UInt16(messageClass) << 8 | UInt16(id) }

  package var messageClass: UInt8 { UInt8(code >> 8) }
  package var id: UInt8 { UInt8(truncatingIfNeeded: code) }
}

/// Which payload lengths a message can have, so that a false start of a frame is given up at once
/// instead of swallowing what follows. Source: u-blox M8 protocol specification and F9 interface
/// description, payload tables.
enum UBXLength {
  /// RXM-RAWX with 255 blocks.
  static let payloadByteCountMax = 16 + 32 * 255
  /// Of messages that are not known here.
  private static let unknownByteCountMax = 1024
  /// Newer firmware appends fields to messages of fixed length.
  private static let growthByteCountMax = 32

  static func isPossible(_ length: Int, for type: UBXMessageType) -> Bool {
    switch type.code {
    case 0x0107: length == 84 || isFixed(length, 92)  // NAV-PVT
    case 0x0101, 0x0111, 0x0121, 0x0109, 0x0122: isFixed(length, 20)
    case 0x0102: isFixed(length, 28)
    case 0x0103, 0x0120, 0x0160: isFixed(length, 16)
    case 0x0104: isFixed(length, 18)
    case 0x0106: isFixed(length, 52)
    case 0x0112, 0x0114: isFixed(length, 36)
    case 0x0113: isFixed(length, 28)
    case 0x0126: isFixed(length, 24)
    case 0x0136: isFixed(length, 64)
    case 0x0161: isFixed(length, 4)
    case 0x013c: length == 40 || isFixed(length, 64)
    case 0x0130, 0x0135: isRepeated(length, 8, 12)  // NAV-SVINFO, NAV-SAT
    case 0x0132: isRepeated(length, 12, 12)
    case 0x0134: isRepeated(length, 8, 6)
    case 0x0143: isRepeated(length, 8, 16)  // NAV-SIG
    case 0x0213: isRepeated(length, 8, 4)
    case 0x0214: isRepeated(length, 44, 24)
    case 0x0215: isRepeated(length, 16, 32)
    case 0x0232: isFixed(length, 8)
    case 0x0500, 0x0501: isFixed(length, 2)
    case 0x0a04: length == 0 || isRepeated(length, 40, 30)
    case 0x2800: isFixed(length, 72)
    default: length <= (type.messageClass == 0x0a ? 2 * unknownByteCountMax : unknownByteCountMax)
    }
  }

  /// Empty is a poll that came back.
  private static func isFixed(_ length: Int, _ known: Int) -> Bool {
    length == 0 || (known...(known + growthByteCountMax)).contains(length)
  }

  private static func isRepeated(_ length: Int, _ base: Int, _ block: Int) -> Bool {
    length == 0
      || (length >= base && (length - base) % block == 0 && (length - base) / block <= 255)
  }
}
