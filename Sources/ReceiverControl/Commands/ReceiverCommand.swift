import GNSSWire

/// Something to say to a receiver, and what proves that it was understood. Only this module can
/// make one, and it has no maker for what could end the session for good.
package struct ReceiverCommand: Equatable, Sendable {
  /// The whole frame or sentence, as it goes to the port.
  package let bytes: [UInt8]
  package let answer: Answer

  init(_ bytes: [UInt8], answer: Answer) { (self.bytes, self.answer) = (bytes, answer) }

  /// How a receiver answers a command.
  package enum Answer: Equatable, Sendable {
    /// It never does, or not reliably; the effect must tell.
    case none
    /// UBX-ACK for this message.
    case ubxAcknowledge(UBXMessageType)
    /// A UBX message of this address; a NAK of the request refuses it.
    case ubxMessage(UBXMessageType, request: UBXMessageType)
    /// UBX-MGA-ACK for a message of this id.
    case mgaAcknowledge(id: UInt8)
    /// `PMTK001,<command>,<flag>`.
    case mtk(Int)
    /// `PAIR001,<command>,<result>`.
    case pair(Int)
    /// A sentence that begins with this text.
    case sentence(String)
    /// A PQTM sentence of this name whose field after it is `OK` or `ERROR`.
    case pqtm(String)
    /// CASIC's binary acknowledge for this message.
    case casicAcknowledge(UBXMessageType)
    /// A CASIC message of this type.
    case casicMessage(UBXMessageType)
    /// Any frame of this protocol: only its makers' receivers send one.
    case frames(WireProtocol)
  }

  /// What an answer says of the command.
  package enum Verdict: Equatable, Sendable {
    case accepted
    case refused
    /// It works on it, or is busy: wait on.
    case pending
  }

  /// What `heard` says of this command; `nil` where it is about something else.
  package func verdict(of heard: Heard) -> Verdict? {
    switch (answer, heard) {
    case (.ubxAcknowledge(let wanted), .ubx(let address, let payload)),
      (.ubxMessage(_, request: let wanted), .ubx(let address, let payload))
    where address == .ackACK || address == .ackNAK:
      guard payload.count >= 2, UBXMessageType(payload[0], payload[1]) == wanted else { return nil }
      if address == .ackNAK { return .refused }
      // A poll may be acknowledged besides being answered; only the answer counts then.
      if case .ubxMessage = answer { return .pending }
      return .accepted
    case (.ubxMessage(let wanted, _), .ubx(let address, _)):
      return address == wanted ? .accepted : nil
    case (.mgaAcknowledge(let id), .ubx(.mgaACK, let payload)):
      guard payload.count >= 8, payload[3] == id else { return nil }
      return payload[0] == 1 ? .accepted : .refused
    case (.casicAcknowledge(let wanted), .casic(let type, let payload))
    where type.messageClass == 0x05:
      guard payload.count >= 2, UBXMessageType(payload[0], payload[1]) == wanted else {
        return nil
      }
      return type.id == 1 ? .accepted : .refused
    case (.casicMessage(let wanted), .casic(let type, _)): return type == wanted ? .accepted : nil
    case (.frames(let wanted), .frames(let wireProtocol)):
      return wireProtocol == wanted ? .accepted : nil
    case (_, .sentence):
      return textVerdict(of: heard.fields ?? [])
    default:
      return nil
    }
  }

  private func textVerdict(of fields: [Substring]) -> Verdict? {
    guard let address = fields.first else { return nil }
    switch answer {
    case .mtk(let command):
      guard address == "PMTK001", fields.count >= 3, Int(fields[1]) == command else { return nil }
      return fields[2] == "3" ? .accepted : .refused
    case .pair(let command):
      guard address == "PAIR001", fields.count >= 3, Int(fields[1]) == command else { return nil }
      switch fields[2] {
      case "0": return .accepted
      case "1", "5": return .pending
      default: return .refused
      }
    case .sentence(let text):
      return fields.joined(separator: ",").hasPrefix(text) ? .accepted : nil
    case .pqtm(let name):
      guard address == name, fields.count >= 2 else { return nil }
      return fields[1] == "ERROR" ? .refused : .accepted
    default:
      return nil
    }
  }
}
