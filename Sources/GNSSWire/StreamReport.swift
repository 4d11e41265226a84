import Bytes
import GNSS

/// What a stream turned out to hold.
package enum StreamReport {
  /// One navigation solution's instant, also if there is no position. It is lent for the call only:
  /// a copy of it takes as long as reading a sentence.
  case epoch(UnsafePointer<Epoch>)
  /// All that is known of the receiver, whenever more becomes known.
  case receiver(ReceiverIdentity)
  /// An answer to the receiver's control.
  case reply(ReceiverReply)
}

/// Something a receiver said that is not of an epoch. The views are lent for the call only.
package enum ReceiverReply {
  /// UBX-ACK-ACK
  case acknowledged(UBXMessageType)
  /// UBX-ACK-NAK
  case refused(UBXMessageType)
  /// Any other UBX message that answers or announces: CFG, MON, INF, MGA, SEC, LOG, UPD.
  case ubx(UBXMessageType, payload: ByteView)
  /// A CASIC message other than navigation, with class and id.
  case casic(UBXMessageType, payload: ByteView)
  /// A maker's own sentence or a text: what stands between `$` and `*`.
  case sentence(ByteView)
}

/// Who makes the receiver's chip, as far as its way of talking goes.
package enum ChipFamily: UInt8, CaseIterable, Sendable {
  case unknown = 0
  case ublox
  /// MediaTek MT33xx and Quectel's modules with it.
  case mediatek
  /// Airoha AG33xx: LC29H, LC76G, L89.
  case airoha
  /// Zhongke Microelectronics: L76K, ATGM336H, Air530Z.
  case casic
  case allystar
  case skytraq
  case sirf
  /// ST Teseo.
  case teseo
  case unicore
  case garmin
  /// Quectel's own sentences and nothing else that is known.
  case quectel

  /// The name in JSON output.
  package var name: StaticString {
    switch self {
    case .unknown: "unknown"
    case .ublox: "u-blox"
    case .mediatek: "mediatek"
    case .airoha: "airoha"
    case .casic: "casic"
    case .allystar: "allystar"
    case .skytraq: "skytraq"
    case .sirf: "sirf"
    case .teseo: "teseo"
    case .unicore: "unicore"
    case .garmin: "garmin"
    case .quectel: "quectel"
    }
  }
}

/// Who the receiver says it is. What it did not say is `nil`.
package struct ReceiverIdentity: Equatable, Sendable {
  package var family = ChipFamily.unknown
  package var model: String?
  package var firmware: String?
  package var hardware: String?
  /// As u-blox has it, `18.00`.
  package var protocolVersion: String?
  /// As the receiver names them, `GPS;GLO;GAL;BDS`.
  package var constellations: String?
  /// Hexadecimal.
  package var uniqueID: String?

  package init() {}
}
