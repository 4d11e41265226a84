import Bytes
import GNSS
import GNSSWire

/// Makers of UBX commands that hold for all generations. Sources: u-blox M8 protocol specification,
/// u-blox M10 interface description.
extension ReceiverCommand {
  static func frame(_ address: UBXMessageType, _ payload: [UInt8] = []) -> [UInt8] {
    var buffer = OutputBuffer(capacity: payload.count + 8)
    buffer.appendUBX(messageClass: address.messageClass, id: address.id, payload: payload)
    return buffer.bytes
  }

  /// Asks for the message of this address.
  package static func poll(_ address: UBXMessageType) -> ReceiverCommand {
    ReceiverCommand(frame(address), answer: .ubxMessage(address, request: address))
  }

  /// Asks for the settings of one port (UBX-CFG-PRT).
  package static func pollPort(_ port: UBXPort) -> ReceiverCommand {
    ReceiverCommand(
      frame(.cfgPRT, [port.rawValue]), answer: .ubxMessage(.cfgPRT, request: .cfgPRT))
  }

  /// A configuration message with its payload, acknowledged by UBX-ACK.
  package static func configure(_ address: UBXMessageType, payload: [UInt8]) -> ReceiverCommand {
    ReceiverCommand(frame(address, payload), answer: .ubxAcknowledge(address))
  }

  /// How a receiver starts again (UBX-CFG-RST).
  package enum Restart: String, Sendable, CaseIterable {
    /// All kept.
    case hot
    /// Ephemerides are forgotten.
    case warm
    /// All is forgotten.
    case cold
  }

  /// Restarts the navigation only: on USB the port stays. Not acknowledged.
  package static func ubxRestart(_ kind: Restart) -> ReceiverCommand {
    let mask: UInt16 =
      switch kind {
      case .hot: 0
      case .warm: 1
      case .cold: 0xffff
      }
    return reset(mask: mask, mode: 2)
  }

  /// Stops the navigation; the radio is off, the port stays alive.
  package static let ubxStop = reset(mask: 0, mode: 8)
  /// Starts the navigation that `ubxStop` stopped.
  package static let ubxStart = reset(mask: 0, mode: 9)

  private static func reset(mask: UInt16, mode: UInt8) -> ReceiverCommand {
    let payload = [UInt8(truncatingIfNeeded: mask), UInt8(mask >> 8), mode, 0]
    return ReceiverCommand(frame(.cfgRST, payload), answer: .none)
  }

  /// The two forms of UBX-RXM-PMREQ.
  package enum PowerRequestForm: Sendable {
    /// 8 bytes: u-blox 6 to 9.
    case short
    /// 16 bytes, with the wake-up sources: protocol version 18 and later.
    case long
  }

  /// The longest time a receiver may be told to sleep: 12 days.
  package static let ubxSleepMillisecondsMax: Int64 = 1_036_800_000

  /// What wakes a receiver from UBX-RXM-PMREQ before its time; only the long form can say.
  package struct WakeSources: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let uart = WakeSources(rawValue: 0x08)
    package static let externalInterrupt0 = WakeSources(rawValue: 0x20)
  }

  /// Sends the receiver to sleep (software backup) until the time is over or a byte comes in. The
  /// time is always finite: some modules wake by nothing else. Not acknowledged.
  package static func ubxSleep(
    _ span: Duration, form: PowerRequestForm, wake: WakeSources = [.uart, .externalInterrupt0]
  ) -> ReceiverCommand {
    let milliseconds = UInt32(min(max(span.wholeMilliseconds, 1), ubxSleepMillisecondsMax))
    var payload = OutputBuffer(capacity: 16)
    if form == .long { payload.append(littleEndian: UInt32(0)) }
    payload.append(littleEndian: milliseconds)
    // Backup; the long form also forces it, over USB too, which `SessionGuard` keeps it from.
    payload.append(littleEndian: UInt32(form == .long ? 0x06 : 0x02))
    if form == .long { payload.append(littleEndian: wake.rawValue) }
    return ReceiverCommand(frame(.rxmPMREQ, payload.bytes), answer: .none)
  }

  /// Writes settings of u-blox 9 and later (UBX-CFG-VALSET, at most 64 a message).
  package static func set(_ settings: [UBXSetting], layers: UBXLayers) -> ReceiverCommand {
    var payload = OutputBuffer(capacity: 4 + settings.count * 12)
    payload.append(bytes: [0, layers.rawValue, 0, 0])
    for setting in settings.prefix(settingCountMax) {
      payload.append(littleEndian: setting.key.id)
      append(setting.value, byteCount: setting.key.valueByteCount ?? 0, to: &payload)
    }
    return configure(.cfgVALSET, payload: payload.bytes)
  }

  /// Asks for settings as they hold now (UBX-CFG-VALGET from RAM, at most 64 keys).
  package static func get(_ keys: [UBXKey]) -> ReceiverCommand {
    var payload = OutputBuffer(capacity: 4 + keys.count * 4)
    payload.append(littleEndian: UInt32(0))
    for key in keys.prefix(settingCountMax) { payload.append(littleEndian: key.id) }
    return ReceiverCommand(
      frame(.cfgVALGET, payload.bytes), answer: .ubxMessage(.cfgVALGET, request: .cfgVALGET))
  }

  /// More settings than this do not go into one message.
  package static let settingCountMax = 64

  private static func append(_ value: UInt64, byteCount: Int, to buffer: inout OutputBuffer) {
    for index in 0..<byteCount {
      buffer.append(byte: UInt8(truncatingIfNeeded: value >> UInt64(index * 8)))
    }
  }
}

extension UBXSetting {
  /// The settings in an answer to UBX-CFG-VALGET; a torn last one is left out.
  package static func settings(in payload: [UInt8]) -> [UBXSetting] {
    payload.withByteView { view in
      var found: [UBXSetting] = []
      var reader = ByteReader(view)
      guard reader.bytes(4) != nil else { return [] }
      while found.count < ReceiverCommand.settingCountMax,
        let id = reader.littleEndian(UInt32.self), let byteCount = UBXKey(id).valueByteCount,
        let bytes = reader.bytes(byteCount)
      {
        var value: UInt64 = 0
        for index in bytes.indices.reversed() { value = value << 8 | UInt64(bytes[index]) }
        found.append(UBXSetting(UBXKey(id), value))
      }
      return found
    }
  }
}
