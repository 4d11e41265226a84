import Bytes
import GNSS
import GNSSWire
import ReceiverControl

/// Answers in sentences. Sources: MTK NMEA command manual; CASIC receiver protocol; Quectel LC29H
/// protocol specification as quoted by public drivers.
extension SimulatedReceiver {
  mutating func say(_ text: String, at now: Monotonic) {
    var buffer = OutputBuffer()
    buffer.appendSentence("") { $0.append(text: text) }
    reply(buffer.bytes, at: now)
  }

  mutating func appendBootText(at now: Monotonic) {
    switch kind.family {
    case .mediatek: say("PMTK010,001", at: now)
    case .airoha: say("PAIR021,\(kind.model)", at: now)
    case .casic: say("GPTXT,01,01,02,IC=AT6558-5N-31-0C510800", at: now)
    case .sirf: say("PSRF150,1", at: now)
    default: break
    }
  }

  mutating func obeySentence(_ fields: [Substring], at now: Monotonic) {
    guard let address = fields.first else { return }
    let arguments = fields.dropFirst().map { Int($0) ?? 0 }
    switch kind.family {
    case .mediatek where address.hasPrefix("PMTK"):
      obeyMTK(Int(address.dropFirst(4)) ?? 0, arguments, at: now)
    case .airoha where address.hasPrefix("PAIR"):
      obeyPAIR(Int(address.dropFirst(4)) ?? 0, arguments, at: now)
    case .airoha where address == "PQTMVERNO":
      say("PQTMVERNO,\(kind.firmware),2023/03/08,10:42:11", at: now)
    case .airoha where address == "PQTMCFGMSGRATE": say("PQTMCFGMSGRATE,OK", at: now)
    case .casic where address.hasPrefix("PCAS"):
      obeyPCAS(Int(address.dropFirst(4)) ?? -1, arguments, at: now)
    case .teseo where address.hasPrefix("PSTM"): obeyPSTM(fields, at: now)
    case .unicore where address == "PDTINFO":
      say("PDTINFO,\(kind.model),G1B1E1,V1.0,\(kind.firmware),0000", at: now)
    // Old ones send what they do not know back to where it came from.
    case .sirf: say(fields.joined(separator: ","), at: now)
    default: break
    }
  }

  private mutating func obeyMTK(_ command: Int, _ arguments: [Int], at now: Monotonic) {
    let first = arguments.first ?? 0
    switch command {
    case 605: return say("PMTK705,\(kind.firmware),5632,\(kind.model),1.0", at: now)
    case 251:
      setBaud(first)
      return
    case 101, 102, 103:
      return navigation.restart(command == 101 ? .hot : command == 102 ? .warm : .cold, at: now)
    case 161:
      acknowledgeMTK(command, 3, at: now)
      return fallAsleep(.mtkStandby, for: nil, at: now)
    case 220: memory.textInterval = .milliseconds(min(max(first, 100), 10_000))
    case 314: setMTKSentences(arguments)
    case 262: memory.textIsCyclic = first == 3
    case 353, 386, 869, 886: break
    default: return acknowledgeMTK(command, 1, at: now)
    }
    acknowledgeMTK(command, 3, at: now)
  }

  private mutating func acknowledgeMTK(_ command: Int, _ flag: Int, at now: Monotonic) {
    if !losesAcknowledgement() { say("PMTK001,\(command),\(flag)", at: now) }
  }

  /// GLL, RMC, VTG, GGA, GSA, GSV, GRS, GST.
  private mutating func setMTKSentences(_ arguments: [Int]) {
    guard arguments.count > 7 else {
      memory.rates = SimulatedReceiverMemory.defaultRates
      return
    }
    let order: [(SentenceSet, Int)] = [
      (.rmc, 1), (.vtg, 2), (.gga, 3), (.gsa, 4), (.gsv, 5), (.gst, 7),
    ]
    for (sentence, index) in order { memory.rates[sentence.rawValue] = arguments[index] }
  }

  private mutating func obeyPAIR(_ command: Int, _ arguments: [Int], at now: Monotonic) {
    let first = arguments.first ?? 0
    var result = 0
    switch command {
    case 20: return say("PAIR020,\(kind.model),S,N,9ec1cc8,2210141405,2ba,3,,,2bb", at: now)
    case 21: return say("PAIR021,\(kind.model),S,N,9ec1cc8,2210141405,2ba,3,,,2bb", at: now)
    case 2: setNavigating(true, at: now)
    case 3: setNavigating(false, at: now)
    case 4, 5, 6: navigation.restart(command == 4 ? .hot : command == 5 ? .warm : .cold, at: now)
    case 50: memory.textInterval = .milliseconds(min(max(first, 100), 1000))
    case 62: setPAIRSentence(arguments)
    case 66, 70, 80, 382, 490, 511: break
    case 650: return fallAsleep(.airohaBackup, for: first > 0 ? .seconds(first) : nil, at: now)
    default: result = 3
    }
    let digits = String(command)
    let number = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    if !losesAcknowledgement() { say("PAIR001,\(number),\(result)", at: now) }
  }

  private mutating func setPAIRSentence(_ arguments: [Int]) {
    let sentences: [Int: SentenceSet] = [
      0: .gga, 2: .gsa, 3: .gsv, 4: .rmc, 5: .vtg, 6: .zda, 8: .gst,
    ]
    guard arguments.count >= 2, let sentence = sentences[arguments[0]] else { return }
    memory.rates[sentence.rawValue] = arguments[1]
  }

  private mutating func obeyPCAS(_ command: Int, _ arguments: [Int], at now: Monotonic) {
    let first = arguments.first ?? 0
    switch command {
    case 1: if CASIC.baudRates.indices.contains(first) { setBaud(CASIC.baudRates[first]) }
    case 2: memory.textInterval = .milliseconds(min(max(first, 100), 1000))
    case 3: setPCASSentences(arguments)
    case 6 where first == 0: say("GPTXT,01,01,02,SW=\(kind.firmware)", at: now)
    case 6: say("GPTXT,01,01,02,HW=\(kind.model)", at: now)
    case 10: navigation.restart(first == 0 ? .hot : first == 1 ? .warm : .cold, at: now)
    case 12: fallAsleep(.casicStandby, for: .seconds(max(first, 1)), at: now)
    default: break
    }
  }

  /// GGA, GLL, GSA, GSV, RMC, VTG, ZDA, ANT, DHV, LPS, two empty, UTC, GST.
  private mutating func setPCASSentences(_ arguments: [Int]) {
    let order: [(SentenceSet, Int)] = [
      (.gga, 0), (.gsa, 2), (.gsv, 3), (.rmc, 4), (.vtg, 5), (.zda, 6), (.gst, 13),
    ]
    for (sentence, index) in order where arguments.indices.contains(index) {
      memory.rates[sentence.rawValue] = arguments[index]
    }
  }

  /// CASIC binary: CFG-MSG for NAV-PV, and an acknowledgement of every setting.
  mutating func obeyCASIC(_ type: UBXMessageType, _ payload: [UInt8], at now: Monotonic) {
    guard type.messageClass == 0x06 else { return }
    if type.id == 0x01, payload.count == 4, payload[0] == 0x01, payload[1] == 0x03 {
      memory.sendsPositionFrame = payload[2] > 0
    }
    let answer = [type.messageClass, type.id, 0, 0]
    reply(CASIC.frame(messageClass: 0x05, id: 0x01, payload: answer), at: now)
  }

  private mutating func setBaud(_ rate: Int) {
    guard !kind.faults.contains(.cannotChangeBaud), (1200...4_000_000).contains(rate) else {
      return
    }
    line.removeAll()
    baud = rate
  }
}
