import GNSS
import GNSSWire

extension ConfigurationPlan {
  /// u-blox 9 and later.
  mutating func addKeys(_ wanted: ReceiverSettings, _ link: ReceiverLink, layers: UBXLayers) {
    let port = link.ubxPort
    let isUSB = port == .usb
    add(
      "UBX output",
      .settings(
        [
          UBXSetting(isUSB ? .usbInUBX : .uart1InUBX, true),
          UBXSetting(isUSB ? .usbOutUBX : .uart1OutUBX, true),
          UBXSetting(.output(.navPVT, on: port), 1),
          UBXSetting(.output(.navDOP, on: port), 1),
          UBXSetting(.output(.navEOE, on: port), 1),
          UBXSetting(
            .output(.navSAT, on: port), UInt64(ReceiverSettings.satelliteEpochs)),
        ], layers: layers))
    add("navigation messages", .awaitUBX)
    add(
      "NMEA off",
      .settings([UBXSetting(isUSB ? .usbOutNMEA : .uart1OutNMEA, false)], layers: layers),
      needsUBX: true)
    if let baud = wanted.baud, link.hasBaud, baud != link.baud {
      addBaud(baud, keys: layers, link)
    }
    add(
      "dynamic model",
      .settings(
        [
          UBXSetting(.navDynamicModel, UInt64(wanted.dynamicModel.rawValue)),
          UBXSetting(.staticHoldSpeed, 0), UBXSetting(.staticHoldDistance, 0),
        ], layers: layers))
    addSignals(wanted, layers)
    addKeyPace(wanted, layers: layers)
  }

  mutating func addKeyPace(_ wanted: ReceiverSettings, layers: UBXLayers) {
    add(
      "interval",
      .settings(
        [
          UBXSetting(.rateMeasure, UInt64(wanted.intervalMilliseconds)),
          UBXSetting(.rateNavigation, 1),
        ], layers: layers))
    add(
      "power mode",
      .settings([UBXSetting(.powerOperateMode, wanted.isCyclic ? 2 : 0)], layers: layers))
  }

  private static let signals: [(Constellation, UBXKey)] = [
    (.gps, .signalGPS), (.galileo, .signalGalileo), (.beidou, .signalBeiDou),
    (.qzss, .signalQZSS), (.glonass, .signalGLONASS),
  ]

  private mutating func addSignals(_ wanted: ReceiverSettings, _ layers: UBXLayers) {
    if let constellations = wanted.constellations {
      // GPS and QZSS are switched together, as their signals disturb each other otherwise.
      let hasGPS = constellations.contains(.gps)
      let settings = Self.signals.map { constellation, key in
        UBXSetting(key, constellation == .qzss ? hasGPS : constellations.contains(constellation))
      }
      add("constellations", .settings(settings, layers: layers), settling: Self.searchRestart)
    }
    // Cyclic tracking decodes no SBAS; the key is alone because many receivers lack it.
    if wanted.isCyclic || wanted.constellations != nil {
      let isOn = !wanted.isCyclic && wanted.constellations?.contains(.sbas) ?? true
      add(
        "SBAS", .settings([UBXSetting(.signalSBAS, isOn)], layers: layers),
        settling: Self.searchRestart)
    }
  }

  /// - Parameter keys: Where the rate is kept once it works; `nil` for u-blox 5 to 8.
  mutating func addBaud(_ baud: Int, keys: UBXLayers?, _ link: ReceiverLink) {
    let rate = UInt64(max(baud, 0))
    if let keys {
      let setting = [UBXSetting(.uart1BaudRate, rate)]
      let keep =
        keys.contains(.batteryBacked)
        ? ReceiverCommand.set(setting, layers: .batteryBacked) : nil
      add(
        "baud \(baud)",
        .baud(
          baud, change: .set(setting, layers: .ram), verify: .poll(.monVER), keep: keep))
    } else {
      let payload = UBXLegacy.port(.uart1, baud: UInt32(clamping: baud), nmeaOut: true)
      add(
        "baud \(baud)",
        .baud(
          baud, change: .configure(.cfgPRT, payload: payload), verify: .poll(.monVER), keep: nil))
    }
  }

  /// u-blox 5 to 8.
  mutating func addMessages(
    _ wanted: ReceiverSettings, _ model: ReceiverModel, _ link: ReceiverLink
  ) {
    let version = model.ublox?.protocolVersion ?? 0
    let generation = model.ublox?.generation ?? .six
    for (address, epochs) in Self.navigationMessages(generation, version) {
      addRate(address, every: epochs, link)
    }
    add("navigation messages", .awaitUBX)
    addPort("NMEA off", link, baud: link.baud, nmeaOut: false, needsUBX: true)
    if let baud = wanted.baud, link.hasBaud, baud != link.baud {
      addBaud(baud, keys: nil, link)
      addPort("NMEA off", link, baud: baud, nmeaOut: false, needsUBX: true)
    }
    let model = wanted.dynamicModel
    addMessage(
      "dynamic model", .cfgNAV5, UBXLegacy.navigation(model: model),
      checked: [.init(offset: 2, value: model.rawValue), .init(offset: 22, value: 0)])
    if let constellations = wanted.constellations, generation >= .seven {
      add("constellations", .constellations(constellations), settling: Self.searchRestart)
    }
    addMessagePace(wanted, version: version)
  }

  mutating func addMessagePace(_ wanted: ReceiverSettings, version: Int) {
    let rate = UBXLegacy.rate(milliseconds: wanted.intervalMilliseconds)
    addMessage(
      "interval", .cfgRATE, rate, checked: (0..<2).map { .init(offset: $0, value: rate[$0]) })
    if wanted.isCyclic {
      addMessage(
        "SBAS", .cfgSBAS, UBXLegacy.sbas(isEnabled: false),
        checked: [.init(offset: 0, value: 0)])
    }
    if version >= 1800 {
      let setup = UBXLegacy.powerSetup(isCyclic: wanted.isCyclic)
      addMessage("power mode", .cfgPMS, setup, checked: [.init(offset: 1, value: setup[1])])
    } else {
      let mode = UBXLegacy.power(isSaving: wanted.isCyclic)
      addMessage("power mode", .cfgRXM, mode, checked: [.init(offset: 1, value: mode[1])])
    }
  }

  /// What carries an epoch in each generation. NAV-EOE before protocol version 18 is refused.
  private static func navigationMessages(
    _ generation: UBXVersion.Generation, _ version: Int
  ) -> [(UBXMessageType, UInt8)] {
    let satellites: (UBXMessageType, UInt8) = (
      generation >= .eight ? .navSAT : .navSVINFO, ReceiverSettings.satelliteEpochs
    )
    guard generation >= .seven else {
      return [
        (.navSOL, 1), (.navPOSLLH, 1), (.navVELNED, 1), (.navTIMEUTC, 1), (.navDOP, 1), satellites,
      ]
    }
    return [(.navPVT, 1), (.navDOP, 1), satellites] + (version >= 1800 ? [(.navEOE, 1)] : [])
  }

  mutating func addMessage(
    _ name: String, _ address: UBXMessageType, _ payload: [UInt8],
    checked: [ConfigurationStep.CheckedByte]
  ) {
    add(name, .message(address, payload: payload, poll: [], checked: checked))
  }

  private mutating func addRate(
    _ address: UBXMessageType, every epochs: UInt8, _ link: ReceiverLink
  ) {
    add(
      "UBX output",
      .message(
        .cfgMSG, payload: UBXLegacy.messageRate(address, every: epochs),
        poll: [address.messageClass, address.id],
        checked: [.init(offset: 2 + Int(link.ubxPort.rawValue), value: epochs)]))
  }

  private mutating func addPort(
    _ name: String, _ link: ReceiverLink, baud: Int, nmeaOut: Bool, needsUBX: Bool
  ) {
    let port = link.ubxPort
    add(
      name,
      .message(
        .cfgPRT, payload: UBXLegacy.port(port, baud: UInt32(clamping: baud), nmeaOut: nmeaOut),
        poll: [port.rawValue], checked: [.init(offset: 14, value: nmeaOut ? 3 : 1)]),
      needsUBX: needsUBX)
  }
}
