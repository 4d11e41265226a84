import GNSS
import GNSSWire

/// What to say to a receiver of one family so that it does what is wanted, in order: output first,
/// so that a receiver that stops midway still speaks; power mode last.
package struct ConfigurationPlan: Equatable, Sendable {
  package private(set) var steps: [ConfigurationStep] = []

  /// Nothing yet.
  init() {}

  /// - Parameters:
  ///   - isFirst: Whether the settings shall outlive the receiver's sleep: they then also go to its
  ///     battery-backed memory. Later runs write what differs, to RAM.
  package init(
    for settings: ReceiverSettings, model: ReceiverModel, link: ReceiverLink, isFirst: Bool
  ) {
    if model.traits.contains(.readOnly) {
      add("epochs", .observe(.seconds(1)))
      return
    }
    switch model.family {
    case .ublox where model.ublox?.usesKeys ?? false:
      addKeys(settings, link, layers: isFirst ? [.ram, .batteryBacked] : .ram)
    case .ublox: addMessages(settings, model, link)
    case .mediatek: addMTK(settings, link)
    case .airoha: addAiroha(settings)
    case .casic: addCASIC(settings, link)
    case .quectel, .unicore, .allystar, .teseo, .skytraq, .sirf, .garmin, .unknown:
      // What these send by default is enough, and nothing could prove a change.
      add("epochs", .observe(.seconds(1)))
      return
    }
    add("epochs", .observe(settings.interval))
  }

  /// Puts back what a run of a plan found. What text families had cannot be asked: they get what
  /// they send when nobody has configured them.
  package init(restoring found: FoundConfiguration, model: ReceiverModel, link: ReceiverLink) {
    switch model.family {
    case .ublox:
      for start in stride(
        from: 0, to: found.settings.count, by: ReceiverCommand.settingCountMax)
      {
        let end = min(start + ReceiverCommand.settingCountMax, found.settings.count)
        let settings = Array(found.settings[start..<end])
        add("as found", .settings(settings, layers: [.ram, .batteryBacked]))
      }
      // The port comes last, as its rate may change with it.
      for (address, payload) in found.messages where address != .cfgPRT {
        let poll = address == .cfgMSG ? Array(payload.prefix(2)) : []
        add("as found", .message(address, payload: payload, poll: poll, checked: []))
      }
      restorePort(found, link, usesKeys: model.ublox?.usesKeys ?? false)
    case .mediatek:
      add("default sentences", .command(MTK.defaultSentences))
      add("interval", .command(MTK.interval(.seconds(1))))
      if let rate = found.baud, rate != link.baud, link.hasBaud {
        add(
          "baud \(rate)", .baud(rate, change: MTK.baud(rate), verify: MTK.queryRelease, keep: nil))
      }
    case .casic:
      add("default sentences", .command(CASIC.defaultSentences))
      add("interval", .command(CASIC.interval(.seconds(1))))
      if let rate = found.baud, rate != link.baud, link.hasBaud, let change = CASIC.baud(rate) {
        add("baud \(rate)", .baud(rate, change: change, verify: CASIC.queryFirmware, keep: nil))
      }
    case .airoha:
      for output in Airoha.Output.allCases where output != .zda && output != .gst {
        add("default sentences", .command(Airoha.sentence(output, every: 1)))
      }
    case .quectel, .unicore, .allystar, .teseo, .skytraq, .sirf, .garmin, .unknown: break
    }
  }

  private mutating func restorePort(
    _ found: FoundConfiguration, _ link: ReceiverLink, usesKeys: Bool
  ) {
    let port = found.messages.first { $0.0 == .cfgPRT }?.1
    guard let rate = found.baud, rate != link.baud, link.hasBaud else {
      if let port {
        add(
          "as found", .message(.cfgPRT, payload: port, poll: Array(port.prefix(1)), checked: []))
      }
      return
    }
    if let port {
      let change = ReceiverCommand.configure(.cfgPRT, payload: port)
      add("baud \(rate)", .baud(rate, change: change, verify: .poll(.monVER), keep: nil))
    } else {
      addBaud(rate, keys: usesKeys ? [.ram, .batteryBacked] : nil, link)
    }
  }

  mutating func removeObservations() {
    steps.removeAll { if case .observe = $0.action { true } else { false } }
  }

  mutating func append(_ other: ConfigurationPlan) { steps += other.steps }

  mutating func add(
    _ name: String, _ action: ConfigurationStep.Action, settling: Duration = .zero,
    needsUBX: Bool = false
  ) {
    steps.append(
      ConfigurationStep(name: name, action: action, settling: settling, needsUBX: needsUBX))
  }

  /// How long the navigation takes to start again after a change of its systems.
  static let searchRestart = Duration.seconds(1)

  /// The rate that carries the plan's messages with half of the line to spare: NMEA of four systems
  /// is about 900 bytes a second, UBX with satellites every fifth epoch about 220.
  package static func recommendedBaud(
    for settings: ReceiverSettings, model: ReceiverModel, current: Int
  ) -> Int? {
    let epochs = max(1, 1000 / max(1, settings.interval.wholeMilliseconds))
    let byteCount = Int(epochs) * (model.family == .ublox ? 220 : 900)
    let enough = [9600, 38_400, 57_600, 115_200].first { $0 / 10 >= byteCount * 2 } ?? 115_200
    return enough > current ? enough : nil
  }
}
