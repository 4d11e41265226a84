import GNSS

extension ConfigurationPlan {
  /// How a configured receiver is to run from now on: its interval and its power mode, in RAM
  /// alone.
  package init(pace wanted: ReceiverSettings, model: ReceiverModel, link: ReceiverLink) {
    self.init()
    guard !model.traits.contains(.readOnly) else { return }
    switch model.family {
    case .ublox where model.ublox?.usesKeys ?? false: addKeyPace(wanted, layers: .ram)
    case .ublox: addMessagePace(wanted, version: model.ublox?.protocolVersion ?? 0)
    case .mediatek:
      add("interval", .command(MTK.interval(wanted.interval)))
      add("power mode", .command(MTK.lowPower(wanted.isCyclic)))
    case .airoha: add("interval", .command(Airoha.interval(wanted.interval)))
    case .casic: add("interval", .command(CASIC.interval(wanted.interval)))
    case .quectel, .unicore, .allystar, .teseo, .skytraq, .sirf, .garmin, .unknown: break
    }
  }

  /// The same plan for a receiver that may have been left stopped: it starts the navigation first.
  package func startingNavigation(of model: ReceiverModel) -> ConfigurationPlan {
    var plan = ConfigurationPlan()
    switch model.family {
    case .ublox: plan.add("navigation", .command(.ubxStart))
    case .airoha: plan.add("navigation", .command(Airoha.powerOn))
    default: break
    }
    plan.append(self)
    return plan
  }

  /// The same plan without its last look at the epochs, which takes ten of them: after a wake-up
  /// each second costs.
  package var withoutObservation: ConfigurationPlan {
    var plan = self
    plan.removeObservations()
    return plan
  }

  /// What may help a cold start, one after the other.
  package init(aids commands: [ReceiverCommand], for model: ReceiverModel) {
    self.init()
    if model.ublox?.usesKeys ?? false {
      let setting = UBXSetting(.navAcknowledgeAiding, true)
      add("acknowledged aids", .settings([setting], layers: .ram))
    } else if model.ublox?.protocolVersion ?? 0 >= 1800 {
      addMessage(
        "acknowledged aids", .cfgNAVX5, UBXLegacy.acknowledgedAids,
        checked: [.init(offset: 17, value: 1)])
    }
    for command in commands { add("aid", .command(command)) }
  }
}
