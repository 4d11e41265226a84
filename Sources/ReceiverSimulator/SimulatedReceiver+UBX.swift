import Bytes
import GNSS
import GNSSWire
import ReceiverControl

/// Answers in UBX. Sources: u-blox M8 protocol specification, u-blox M10 interface description.
extension SimulatedReceiver {
  mutating func reply(_ type: UBXMessageType, _ payload: [UInt8], at now: Monotonic) {
    var buffer = OutputBuffer()
    buffer.appendUBX(messageClass: type.messageClass, id: type.id, payload: payload)
    reply(buffer.bytes, at: now)
  }

  private mutating func acknowledge(_ isOK: Bool, _ type: UBXMessageType, at now: Monotonic) {
    if losesAcknowledgement() { return }
    reply(isOK ? .ackACK : .ackNAK, [type.messageClass, type.id], at: now)
  }

  mutating func obeyUBX(_ type: UBXMessageType, _ payload: [UInt8], at now: Monotonic) {
    guard let version = kind.version else {
      if kind.faults.contains(.imitatesUBlox), type == .monVER {
        reply(.monVER, Array("ATGM336H".utf8), at: now)
      }
      return
    }
    switch type {
    case .monVER where payload.isEmpty: reply(.monVER, versionPayload(version), at: now)
    case .secUNIQID where payload.isEmpty:
      reply(.secUNIQID, [1, 0, 0, 0, 0xe4, 0x1b, 0x07, 0x9a, 0x31], at: now)
    case .monHW where payload.isEmpty && !memory.usesKeys:
      var hardware = [UInt8](repeating: 0, count: 60)
      hardware[20] = 2
      reply(.monHW, hardware, at: now)
    case .monRF where payload.isEmpty && memory.usesKeys:
      let block: [UInt8] = [0, 1, 2, 1] + [UInt8](repeating: 0, count: 20)
      reply(.monRF, [0, 1, 0, 0] + block, at: now)
    case .rxmPMREQ: obeyPowerRequest(payload, at: now)
    case .cfgRST where payload.count == 4: obeyReset(payload, at: now)
    case .cfgVALSET: obeySet(payload, at: now)
    case .cfgVALGET: obeyGet(payload, at: now)
    case _ where type.messageClass == 0x13: obeyAid(type, payload, at: now)
    case _ where type.messageClass == 0x06: obeyLegacy(type, payload, at: now)
    default: break
    }
  }

  private func versionPayload(
    _ version: (software: String, hardware: String, extensions: [String])
  ) -> [UInt8] {
    field(version.software, 30) + field(version.hardware, 10)
      + version.extensions.flatMap { field($0, 30) }
  }

  private mutating func obeyPowerRequest(_ payload: [UInt8], at now: Monotonic) {
    guard payload.count == 8 || payload.count == 16 else { return }
    let offset = payload.count == 16 ? 4 : 0
    let milliseconds = payload[offset..<(offset + 4)].reversed().reduce(0) { $0 << 8 | Int64($1) }
    let span: Duration? = milliseconds == 0 ? nil : .milliseconds(milliseconds)
    fallAsleep(payload.count == 16 ? .ubxBackup : .ubxBackupShort, for: span, at: now)
  }

  private mutating func obeyReset(_ payload: [UInt8], at now: Monotonic) {
    switch payload[2] {
    case 8: setNavigating(false, at: now)
    case 9: setNavigating(true, at: now)
    default:
      let mask = UInt16(payload[1]) << 8 | UInt16(payload[0])
      navigation.restart(mask == 0 ? .hot : mask == 1 ? .warm : .cold, at: now)
    }
  }

  private mutating func obeySet(_ payload: [UInt8], at now: Monotonic) {
    let settings = UBXSetting.settings(in: payload)
    guard memory.usesKeys, payload.count > 4, !settings.isEmpty,
      settings.allSatisfy({ memory.keys[$0.key.id] != nil })
    else { return acknowledge(false, .cfgVALSET, at: now) }
    acknowledge(true, .cfgVALSET, at: now)
    guard !kind.faults.contains(.withoutEffect) else { return }
    for setting in settings {
      if payload[1] & 1 != 0 { memory.keys[setting.key.id] = setting.value }
      if payload[1] & 2 != 0 { memory.keptKeys[setting.key.id] = setting.value }
    }
    followBaud()
  }

  private mutating func obeyGet(_ payload: [UInt8], at now: Monotonic) {
    guard memory.usesKeys, payload.count >= 8 else {
      return acknowledge(false, .cfgVALGET, at: now)
    }
    var answer = OutputBuffer()
    answer.append(bytes: [1, payload[1], 0, 0])
    for start in stride(from: 4, to: payload.count - 3, by: 4) {
      let id = payload[start..<(start + 4)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
      guard let value = memory.keys[id], let count = UBXKey(id).valueByteCount else {
        return acknowledge(false, .cfgVALGET, at: now)
      }
      answer.append(littleEndian: id)
      for index in 0..<count {
        answer.append(byte: UInt8(truncatingIfNeeded: value >> UInt64(index * 8)))
      }
    }
    reply(.cfgVALGET, answer.bytes, at: now)
    acknowledge(true, .cfgVALGET, at: now)
  }

  /// A poll names at most a target; anything longer sets.
  private mutating func obeyLegacy(
    _ type: UBXMessageType, _ payload: [UInt8], at now: Monotonic
  ) {
    let targetByteCount = type == .cfgMSG ? 2 : type == .cfgPRT ? 1 : 0
    let slot = SimulatedReceiverMemory.Slot(
      type: type, target: Array(payload.prefix(targetByteCount)))
    guard !memory.usesKeys else { return acknowledge(false, type, at: now) }
    var known = memory.payloads[slot]
    if known == nil, type == .cfgMSG, payload.count >= 2, Self.knowsMessage(payload[1]) {
      known = Array(payload.prefix(2)) + [0, 0, 0, 0, 0, 0]
    }
    guard let known else { return acknowledge(false, type, at: now) }
    guard payload.count > targetByteCount else {
      reply(type, known, at: now)
      return acknowledge(true, type, at: now)
    }
    acknowledge(true, type, at: now)
    guard !kind.faults.contains(.withoutEffect) else { return }
    memory.payloads[slot] = Self.merged(type, payload, into: known, port: port)
    followBaud()
  }

  private var port: UBXPort { kind.isNativeUSB ? .usb : .uart1 }

  private static func knowsMessage(_ id: UInt8) -> Bool {
    [0x07, 0x04, 0x35, 0x30, 0x61].contains(id)
  }

  /// The short form of CFG-MSG sets one port's rate; CFG-NAV5 sets what its mask names.
  private static func merged(
    _ type: UBXMessageType, _ payload: [UInt8], into known: [UInt8], port: UBXPort
  ) -> [UInt8] {
    var merged = known
    switch type {
    case .cfgMSG where payload.count == 3: merged[2 + Int(port.rawValue)] = payload[2]
    case .cfgNAV5 where payload.count == 36 && payload[0] & 1 != 0: merged[2] = payload[2]
    case .cfgNAV5: break
    default: merged = payload
    }
    return merged
  }

  /// The new rate holds from the next byte on; the acknowledgement still goes at the old one.
  private mutating func followBaud() {
    guard !kind.isNativeUSB, !kind.faults.contains(.cannotChangeBaud), let rate = memory.baud else {
      return
    }
    if rate != baud { line.removeAll() }
    baud = rate
  }
}
