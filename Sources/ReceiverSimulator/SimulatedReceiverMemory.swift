import GNSS
import GNSSWire
import ReceiverControl

/// A receiver's settings: those that hold, and those that outlast its sleep.
struct SimulatedReceiverMemory: Sendable {
  /// u-blox 9 and later, by key.
  var keys: [UInt32: UInt64]
  var keptKeys: [UInt32: UInt64] = [:]
  /// u-blox 5 to 8: payloads by message and, of CFG-MSG and CFG-PRT, by target.
  var payloads: [Slot: [UInt8]]
  /// Text families: every so many epochs.
  var rates: [UInt16: Int]
  var textInterval = Duration.seconds(1)
  var textIsCyclic = false
  /// CASIC's NAV-PV each epoch.
  var sendsPositionFrame = false

  struct Slot: Hashable, Sendable {
    var type: UBXMessageType
    var target: [UInt8] = []
  }

  private let kind: SimulatedReceiverKind
  let usesKeys: Bool

  init(_ kind: SimulatedReceiverKind) {
    self.kind = kind
    let hardware = kind.version?.hardware ?? ""
    usesKeys = ["00190000", "000A0000", "000B0000"].contains(hardware)
    keys = Self.defaultKeys(kind)
    payloads = Self.defaultPayloads(kind)
    rates = Self.defaultRates
  }

  static let defaultRates: [UInt16: Int] = [
    SentenceSet.rmc.rawValue: 1, SentenceSet.vtg.rawValue: 1, SentenceSet.gga.rawValue: 1,
    SentenceSet.gsa.rawValue: 1, SentenceSet.gsv.rawValue: 1,
  ]

  private static func defaultKeys(_ kind: SimulatedReceiverKind) -> [UInt32: UInt64] {
    var keys: [UInt32: UInt64] = [
      UBXKey.uart1BaudRate.id: UInt64(kind.baud), UBXKey.uart1InUBX.id: 1,
      UBXKey.uart1OutUBX.id: 1, UBXKey.uart1OutNMEA.id: 1, UBXKey.rateMeasure.id: 1000,
      UBXKey.rateNavigation.id: 1, UBXKey.navDynamicModel.id: 0, UBXKey.staticHoldSpeed.id: 0,
      UBXKey.staticHoldDistance.id: 0, UBXKey.powerOperateMode.id: 0,
      UBXKey.navAcknowledgeAiding.id: 0,
    ]
    for key in [
      UBXKey.signalGPS, .signalSBAS, .signalGalileo, .signalBeiDou, .signalQZSS, .signalGLONASS,
    ] { keys[key.id] = 1 }
    for output in Self.outputs { keys[UBXKey.output(output.0, on: .uart1).id] = 0 }
    if kind.isNativeUSB {
      for key in [UBXKey.usbInUBX, .usbOutUBX, .usbOutNMEA] { keys[key.id] = 1 }
      for output in Self.outputs { keys[UBXKey.output(output.0, on: .usb).id] = 0 }
    }
    for case .lacksKey(let key) in kind.faults { keys[key] = nil }
    return keys
  }

  private static let outputs: [(UBXOutput, UInt8)] = [
    (.navPVT, 0x07), (.navDOP, 0x04), (.navEOE, 0x61), (.navSAT, 0x35),
  ]

  private static func defaultPayloads(_ kind: SimulatedReceiverKind) -> [Slot: [UInt8]] {
    let port: UBXPort = kind.isNativeUSB ? .usb : .uart1
    var navigation = [UInt8](repeating: 0, count: 36)
    (navigation[0], navigation[1]) = (0xff, 0xff)
    var payloads: [Slot: [UInt8]] = [
      Slot(type: .cfgPRT, target: [port.rawValue]): UBXLegacy.port(
        port, baud: UInt32(clamping: kind.baud), nmeaOut: true),
      Slot(type: .cfgRATE): UBXLegacy.rate(milliseconds: 1000),
      Slot(type: .cfgNAV5): navigation, Slot(type: .cfgRXM): UBXLegacy.power(isSaving: false),
      Slot(type: .cfgSBAS): UBXLegacy.sbas(isEnabled: true),
      Slot(type: .cfgGNSS): [
        0, 32, 32, 3, 0, 8, 16, 0, 1, 0, 1, 1, 1, 1, 3, 0, 1, 0, 1, 1, 6, 8, 14, 0, 1, 0, 1, 1,
      ],
    ]
    if kind.version?.hardware == "00080000" {
      payloads[Slot(type: .cfgPMS)] = UBXLegacy.powerSetup(isCyclic: false)
    }
    return payloads
  }

  /// What a sleep that erases RAM leaves.
  mutating func restart() {
    keys = Self.defaultKeys(kind).merging(keptKeys) { $1 }
    payloads = Self.defaultPayloads(kind)
    (rates, textInterval, textIsCyclic) = (Self.defaultRates, .seconds(1), false)
    sendsPositionFrame = false
  }

  /// The backup supply is gone too.
  mutating func forget() { keptKeys = [:] }

  /// The rate that its settings say; `nil` for families whose settings do not hold it.
  var baud: Int? {
    if usesKeys { return keys[UBXKey.uart1BaudRate.id].map { Int(clamping: $0) } }
    guard kind.version != nil else { return kind.baud }
    return portPayload.flatMap { payload in
      payload.count >= 12 ? payload[8..<12].reversed().reduce(0) { $0 << 8 | Int($1) } : nil
    }
  }

  private var port: UBXPort { kind.isNativeUSB ? .usb : .uart1 }
  private var portPayload: [UInt8]? {
    payloads[Slot(type: .cfgPRT, target: [port.rawValue])]
  }

  var acknowledgesAids: Bool {
    keys[UBXKey.navAcknowledgeAiding.id] == 1
      || payloads[Slot(type: .cfgNAVX5)].map { $0.count > 17 && $0[17] == 1 } ?? false
  }

  var sendsNMEA: Bool {
    guard kind.version != nil else { return true }
    if usesKeys {
      return keys[(kind.isNativeUSB ? UBXKey.usbOutNMEA : .uart1OutNMEA).id] == 1
    }
    return portPayload.map { $0.count > 14 && $0[14] & 2 != 0 } ?? true
  }

  var sendsUBX: Bool { kind.version != nil }

  var interval: Duration {
    guard kind.version != nil else { return textInterval }
    if usesKeys { return .milliseconds(Int64(clamping: keys[UBXKey.rateMeasure.id] ?? 1000)) }
    let payload = payloads[Slot(type: .cfgRATE)] ?? []
    return payload.count >= 2
      ? .milliseconds(Int64(payload[1]) << 8 | Int64(payload[0])) : .seconds(1)
  }

  var isCyclic: Bool {
    guard kind.version != nil else { return textIsCyclic }
    if usesKeys { return keys[UBXKey.powerOperateMode.id] == 2 }
    return payloads[Slot(type: .cfgPMS)].map { $0.count > 1 && $0[1] != 0 } ?? false
  }

  func sentences(ofEpoch count: Int) -> SentenceSet {
    var set: SentenceSet = []
    for (sentence, every) in rates where every > 0 && count % every == 0 {
      set.insert(SentenceSet(rawValue: sentence))
    }
    return set
  }

  func navigationIDs(ofEpoch count: Int) -> Set<UInt8> {
    var ids: Set<UInt8> = []
    for (output, id) in Self.outputs {
      let every: Int
      if usesKeys {
        every = Int(clamping: keys[UBXKey.output(output, on: port).id] ?? 0)
      } else {
        let slot = Slot(type: .cfgMSG, target: [0x01, id])
        let payload = payloads[slot] ?? []
        let index = 2 + Int(port.rawValue)
        every = payload.indices.contains(index) ? Int(payload[index]) : 0
      }
      if every > 0, count % every == 0 { ids.insert(id) }
    }
    return ids
  }
}
