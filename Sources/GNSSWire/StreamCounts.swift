/// What a stream held, counted.
package struct StreamCounts: Equatable, Sendable {
  /// Frames that passed framing, checksum and structure, also those that are not interpreted.
  package var accepted: UInt64 { acceptedByProtocol.wrappedSum() }
  /// Candidates that did not.
  package var rejected: UInt64 { rejectedByReason.wrappedSum() }
  /// Bytes of neither; line ends between sentences do not count.
  package var noiseByteCount: UInt64 = 0
  /// Bytes fed.
  package var byteCount: UInt64 = 0
  package var epochs: UInt64 = 0
  /// Messages for an epoch that was closed already.
  package var late: UInt64 = 0
  /// Satellites or signals beyond `Epoch.satelliteCountMax`.
  package var droppedSatellites: UInt64 = 0
  /// Accepted frames of UBX that carry navigation: class NAV.
  package internal(set) var ubxNavigation: UInt64 = 0
  /// A number for each, by raw value; vectors, as they lie in place.
  package private(set) var acceptedByProtocol = SIMD8<UInt64>()
  private var rejectedByReason = SIMD4<UInt64>()
  /// Open addressing; a message type has its place at its hash or behind.
  private var types = [Entry](repeating: Entry(), count: Self.typeSlotCount)
  private var typeCount = 0
  /// Messages whose type found no room in the table.
  package private(set) var untypedCount: UInt64 = 0

  private static let typeSlotCount = 256  // a power of two
  /// Beyond this many message types, new ones are counted together: a hostile stream has many.
  private static let typeCountMax = 192

  private struct Entry: Equatable {
    var type = MessageType(rawValue: 0)
    var count: UInt64 = 0
  }

  package init() {}

  package func accepted(of wireProtocol: WireProtocol) -> UInt64 {
    acceptedByProtocol[Int(wireProtocol.rawValue)]
  }

  package func rejected(for reason: RejectReason) -> UInt64 {
    rejectedByReason[Int(reason.rawValue)]
  }

  /// The message types that came, in no particular order.
  package var byType: [(type: MessageType, count: UInt64)] {
    types.filter { $0.count > 0 }.map { ($0.type, $0.count) }
  }

  mutating func reject(_ reason: RejectReason) { rejectedByReason[Int(reason.rawValue)] &+= 1 }

  @inline(__always)
  mutating func accept(_ type: MessageType, of wireProtocol: WireProtocol) {
    acceptedByProtocol[Int(wireProtocol.rawValue)] &+= 1
    var slot = Int(truncatingIfNeeded: (type.rawValue &* 0x9e37_79b9_7f4a_7c15) >> 56)
    let isKnown = types.withUnsafeMutableBufferPointer { types in
      while types[slot].count > 0, types[slot].type != type {
        slot = (slot + 1) & (Self.typeSlotCount - 1)
      }
      guard types[slot].count > 0 else { return false }
      types[slot].count &+= 1
      return true
    }
    if !isKnown { add(type, at: slot) }
  }

  @inline(never)
  private mutating func add(_ type: MessageType, at slot: Int) {
    guard typeCount < Self.typeCountMax else {
      untypedCount += 1
      return
    }
    typeCount += 1
    types[slot] = Entry(type: type, count: 1)
  }
}

/// The type of a message of any protocol.
package struct MessageType: RawRepresentable, Hashable, Sendable {
  /// A sentence's address as up to eight characters, each below 0x80; a binary message's number
  /// with the top byte `0x80 | protocol`.
  package let rawValue: UInt64
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  init(_ address: SentenceAddress) { rawValue = address.code }

  init(_ wireProtocol: WireProtocol, number: UInt16) {
    rawValue = UInt64(0x80 | wireProtocol.rawValue) << 56 | UInt64(number)
  }

  private var binaryProtocol: WireProtocol? {
    rawValue >> 56 & 0x80 == 0 ? nil : WireProtocol(rawValue: UInt8(rawValue >> 56 & 0x7f))
  }

  package var wireProtocol: WireProtocol { binaryProtocol ?? .nmea }

  /// `GNRMC`, `UBX-01-07`, `RTCM3-1077`.
  package var name: String {
    switch binaryProtocol {
    case nil:
      return String(
        decoding: (0..<8).reversed().map { UInt8(truncatingIfNeeded: rawValue >> ($0 * 8)) }
          .drop { $0 == 0 }, as: UTF8.self)
    case .rtcm3?: return "RTCM3-\(number)"
    case .skytraq?: return "SKYTRAQ-\(Self.hex(number))"
    case .sirf?: return "SIRF-\(number)"
    case .ubx?: return "UBX-\(Self.hex(number >> 8))-\(Self.hex(number & 0xff))"
    case .casic?: return "CASIC-\(Self.hex(number >> 8))-\(Self.hex(number & 0xff))"
    case .allystar?: return "ALLYSTAR-\(Self.hex(number >> 8))-\(Self.hex(number & 0xff))"
    case .nmea?: return ""
    }
  }

  /// The binary message's number: `class << 8 | id` of UBX and its like.
  package var number: UInt16 { UInt16(truncatingIfNeeded: rawValue) }

  private static func hex(_ value: UInt16) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return digits.count < 2 ? "0" + digits : digits
  }
}
