import Bytes
import GNSS
import GNSSWire

/// Commands of the CASIC family (AT6558 and kin): PCAS sentences and the binary frames that tell
/// accuracy. Sources: CASIC multimode receiver protocol; Quectel L76K protocol specification.
package enum CASIC {
  private static func command(_ text: String) -> ReceiverCommand {
    .sentence("PCAS" + text, answer: .none)
  }

  package static let queryFirmware = ReceiverCommand.sentence(
    "PCAS06,0", answer: .sentence("GPTXT,01,01,02,SW="))
  package static let queryHardware = ReceiverCommand.sentence(
    "PCAS06,1", answer: .sentence("GPTXT,01,01,02,HW="))

  /// GGA, GSA, RMC, ZDA and GST each epoch, GSV every fifth.
  package static let sentences = command("03,1,0,1,5,1,0,1,0,0,0,,,0,1")
  /// What a receiver sends that nobody has configured.
  package static let defaultSentences = command("03,1,1,1,1,1,1,1,0,0,0,,,0,0")

  /// The time between fixes: 200 ms, 500 ms or 1 s, the steps that every member has.
  package static func interval(_ span: Duration) -> ReceiverCommand {
    let step = span >= .seconds(1) ? 1000 : span >= .milliseconds(500) ? 500 : 200
    return command("02,\(step)")
  }

  /// The rates of PCAS01 by its numbers.
  package static let baudRates = [4800, 9600, 19_200, 38_400, 57_600, 115_200]

  /// Takes effect at once; `nil` for a rate that the command cannot say.
  package static func baud(_ rate: Int) -> ReceiverCommand? {
    baudRates.firstIndex(of: rate).map { command("01,\($0)") }
  }

  package static func constellations(_ wanted: Set<Constellation>) -> ReceiverCommand {
    command("04,\(1 | (wanted.contains(.beidou) ? 2 : 0) | (wanted.contains(.glonass) ? 4 : 0))")
  }

  /// 0 portable, 2 walking, 3 car, 5 below 1 g.
  package static func dynamics(for activity: Activity) -> ReceiverCommand {
    switch activity {
    case .other, .otherNavigation: command("11,0")
    case .fitness: command("11,2")
    case .automotiveNavigation: command("11,3")
    case .airborne: command("11,5")
    }
  }

  package static func restart(_ kind: ReceiverCommand.Restart) -> ReceiverCommand {
    switch kind {
    case .hot: command("10,0")
    case .warm: command("10,1")
    case .cold: command("10,2")
    }
  }

  package static let standbySecondsMax: Int64 = 65_535

  /// Sleeps for this long; only some boards wake earlier, by a byte.
  package static func standby(_ span: Duration) -> ReceiverCommand {
    command("12,\(ReceiverCommand.seconds(span, in: 1...standbySecondsMax))")
  }

  /// A binary frame: sync, length, class, id, payload (a multiple of 4), and a checksum of its
  /// words.
  package static func frame(messageClass: UInt8, id: UInt8, payload: [UInt8]) -> [UInt8] {
    var buffer = OutputBuffer(capacity: payload.count + 10)
    buffer.append(bytes: [0xba, 0xce])
    buffer.append(littleEndian: UInt16(truncatingIfNeeded: payload.count))
    buffer.append(bytes: [messageClass, id])
    buffer.append(bytes: payload)
    var sum =
      UInt32(id) << 24 &+ UInt32(messageClass) << 16 &+ UInt32(truncatingIfNeeded: payload.count)
    for start in stride(from: 0, to: payload.count - 3, by: 4) {
      for index in 0..<4 { sum &+= UInt32(payload[start + index]) << UInt32(index * 8) }
    }
    buffer.append(littleEndian: sum)
    return buffer.bytes
  }

  package static let pollVersion = ReceiverCommand(
    frame(messageClass: 0x0a, id: 0x04, payload: []),
    answer: .casicMessage(UBXMessageType(0x0a, 0x04)))

  /// NAV-PV each epoch: the only message of the family that tells accuracy in metres.
  package static let accuracyOn = ReceiverCommand(
    frame(messageClass: 0x06, id: 0x01, payload: [0x01, 0x03, 0x01, 0x00]),
    answer: .casicAcknowledge(UBXMessageType(0x06, 0x01)))
}

/// Quectel's own sentences on top of other families (PQTM).
package enum Quectel {
  package static let queryVersion = ReceiverCommand.sentence(
    "PQTMVERNO", answer: .sentence("PQTMVERNO,"))
  /// The same of the L89.
  package static let queryOldVersion = ReceiverCommand.sentence(
    "PQTMVER", answer: .sentence("PQTMVER,"))
  /// Accuracies in metres each epoch (LC29H).
  package static let accuracyOn = ReceiverCommand.sentence(
    "PQTMCFGMSGRATE,W,PQTMEPE,1,2", answer: .pqtm("PQTMCFGMSGRATE"))
}

/// ST's Teseo (PSTM). Each command is echoed when it was done.
package enum Teseo {
  package static let queryVersion = ReceiverCommand.sentence(
    "PSTMGETSWVER,255", answer: .sentence("PSTMVER,"))

  package static let standbySecondsMax: Int64 = 99_999

  /// Sleeps for this long (five digits).
  package static func standby(_ span: Duration) -> ReceiverCommand {
    let text = String(ReceiverCommand.seconds(span, in: 1...standbySecondsMax))
    let padding = String(repeating: "0", count: 5 - text.count)
    return .sentence("PSTMFORCESTANDBY,\(padding)\(text)", answer: .sentence("PSTMFORCESTANDBY"))
  }

  package static func restart(_ kind: ReceiverCommand.Restart) -> ReceiverCommand {
    switch kind {
    case .hot: .sentence("PSTMHOT", answer: .none)
    case .warm: .sentence("PSTMWARM", answer: .none)
    case .cold: .sentence("PSTMCOLD", answer: .none)
    }
  }
}

/// The probes of families that are identified and otherwise left alone.
package enum OtherFamilies {
  package static let unicore = ReceiverCommand.sentence("PDTINFO", answer: .sentence("PDTINFO,"))

  /// MON-VER in Allystar's framing: u-blox's checksum behind other sync bytes.
  package static let allystar: ReceiverCommand = {
    var bytes = ReceiverCommand.frame(.monVER)
    (bytes[0], bytes[1]) = (0xf1, 0xd9)
    return ReceiverCommand(bytes, answer: .frames(.allystar))
  }()

  /// Query software version, 02 01: big-endian length, exclusive-or, CR LF.
  package static let skyTraq = ReceiverCommand(
    [0xa0, 0xa1, 0x00, 0x02, 0x02, 0x01, 0x03, 0x0d, 0x0a], answer: .frames(.skytraq))
}
