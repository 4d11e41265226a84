import Bytes
import GNSSWire

/// What a receiver said, as far as decisions about it depend on it: what answers and announces,
/// copied out of the stream, and that navigation came.
package enum Heard: Equatable, Sendable {
  case ubx(UBXMessageType, payload: [UInt8])
  /// A maker's own sentence or a text, without `$` and checksum.
  case sentence(String)
  /// A CASIC message other than navigation.
  case casic(UBXMessageType, payload: [UInt8])
  /// Checked frames of this protocol came; told once for each lot of bytes.
  case frames(WireProtocol)
  /// UBX navigation messages came.
  case ubxNavigation
  /// An epoch ended.
  case epoch

  /// A copy of a reply, which is lent for the call only.
  package init(_ reply: ReceiverReply) {
    switch reply {
    case .acknowledged(let type): self = .ubx(.ackACK, payload: [type.messageClass, type.id])
    case .refused(let type): self = .ubx(.ackNAK, payload: [type.messageClass, type.id])
    case .ubx(let type, let payload): self = .ubx(type, payload: payload.copied())
    case .casic(let type, let payload): self = .casic(type, payload: payload.copied())
    case .sentence(let body): self = .sentence(body.text)
    }
  }

  /// The sentence's fields, its address first; `nil` for anything else.
  package var fields: [Substring]? {
    guard case .sentence(let text) = self else { return nil }
    return text.split(separator: ",", omittingEmptySubsequences: false)
  }
}

/// Turns a decoder's counts into what was heard: protocols and navigation that no reply shows.
package struct Listener: Sendable {
  private var acceptedByProtocol = SIMD8<UInt64>()
  private var navigationCount: UInt64 = 0
  private var epochCount: UInt64 = 0

  package init() {}

  /// What came since the last call.
  package mutating func hear(_ counts: StreamCounts) -> [Heard] {
    var heard: [Heard] = []
    if counts.acceptedByProtocol != acceptedByProtocol {
      heard.reserveCapacity(4)
      for wireProtocol in WireProtocol.allCases {
        let index = Int(wireProtocol.rawValue)
        guard counts.acceptedByProtocol[index] > acceptedByProtocol[index] else { continue }
        heard.append(.frames(wireProtocol))
      }
      if counts.ubxNavigation > navigationCount { heard.append(.ubxNavigation) }
    }
    if counts.epochs > epochCount { heard.append(.epoch) }
    acceptedByProtocol = counts.acceptedByProtocol
    (navigationCount, epochCount) = (counts.ubxNavigation, counts.epochs)
    return heard
  }
}
