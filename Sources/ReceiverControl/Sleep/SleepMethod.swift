import GNSS
import GNSSWire

/// A way to spend less power between fixes. Raw values go into files and JSON.
package enum SleepMethod: String, CaseIterable, Sendable {
  /// The host cuts the supply; the receiver's backup supply keeps clock and ephemerides.
  case cutSupply
  /// UBX-RXM-PMREQ in 16 bytes, and in 8.
  case ubxBackup
  case ubxBackupShort
  /// UBX-CFG-RST stop: the radio is off, the port stays.
  case ubxStop
  /// PMTK161: until a byte comes.
  case mtkStandby
  /// PCAS12: for a time; some boards wake by a byte.
  case casicStandby
  /// PAIR650: until a time or the pin.
  case airohaBackup
  /// PAIR003 while the core is kept awake.
  case airohaOff
  /// PSTMFORCESTANDBY.
  case teseoStandby

  /// The ways for this receiver on this link, best first; empty where only the host can save.
  package static func candidates(
    for model: ReceiverModel, link: ReceiverLink
  ) -> [SleepMethod] {
    var methods: [SleepMethod] = link.canCutSupply && link.keepsBackup ? [.cutSupply] : []
    if model.traits.contains(.readOnly) { return methods }
    let isSerial = link.transport == .uart || link.transport == .bridge
    switch model.family {
    case .ublox:
      let version = model.ublox?.protocolVersion ?? 0
      if isSerial, version >= 1800 { methods.append(.ubxBackup) }
      if isSerial, version < 2700, model.ublox?.generation ?? .five >= .six {
        methods.append(.ubxBackupShort)
      }
      methods.append(.ubxStop)
    case .mediatek: if isSerial { methods.append(.mtkStandby) }
    case .casic: if isSerial { methods.append(.casicStandby) }
    case .airoha:
      if isSerial, link.wakePin != nil { methods.append(.airohaBackup) }
      methods.append(.airohaOff)
    case .teseo: if isSerial { methods.append(.teseoStandby) }
    case .quectel, .unicore, .allystar, .skytraq, .sirf, .garmin, .unknown: break
    }
    return methods
  }

  /// What ends the sleep before its time.
  package enum WakesBy: Equatable, Sendable {
    /// A low pulse on the receiver's input.
    case edge
    /// A command.
    case command(ReceiverCommand)
    case supply
    case pin
    /// Nothing for sure: a byte is tried, then the time must run out.
    case timer
  }

  package var wakesBy: WakesBy {
    switch self {
    case .cutSupply: .supply
    case .ubxBackup, .ubxBackupShort, .mtkStandby: .edge
    case .ubxStop: .command(.ubxStart)
    case .airohaOff: .command(Airoha.powerOn)
    case .airohaBackup: .pin
    case .casicStandby, .teseoStandby: .timer
    }
  }

  /// The longest single sleep. What only a timer ends is cut short, so that a request that cannot
  /// wait waits five minutes at most.
  /// - Parameter wakesByByte: Whether this receiver was seen to wake by a byte before its time.
  package func spanMax(wakesByByte: Bool) -> Duration {
    switch self {
    case .ubxBackup, .ubxBackupShort: .milliseconds(ReceiverCommand.ubxSleepMillisecondsMax)
    case .casicStandby where wakesByByte: .seconds(CASIC.standbySecondsMax)
    case .teseoStandby where wakesByByte: .seconds(Teseo.standbySecondsMax)
    case .casicStandby, .teseoStandby: .seconds(300)
    case .airohaBackup: .seconds(62_208_000)
    case .cutSupply, .ubxStop, .mtkStandby, .airohaOff: .seconds(7 * 86_400)
    }
  }

  /// Whether the receiver ends the sleep by itself when its time is over.
  var hasTimer: Bool {
    switch self {
    case .ubxBackup, .ubxBackupShort, .casicStandby, .airohaBackup, .teseoStandby: true
    case .cutSupply, .ubxStop, .mtkStandby, .airohaOff: false
    }
  }

  /// Whether a sleeping receiver sends nothing: then silence proves the sleep.
  package var isSilent: Bool { self != .ubxStop }

  /// Whether the settings in RAM may be gone after it.
  package var mayLoseSettings: Bool {
    switch self {
    case .cutSupply, .ubxBackup, .ubxBackupShort, .airohaBackup, .teseoStandby: true
    case .ubxStop, .mtkStandby, .casicStandby, .airohaOff: false
    }
  }

  /// From the wake-up to when commands are heard.
  package var wakeTime: Duration {
    switch self {
    case .cutSupply, .airohaBackup, .casicStandby, .teseoStandby: .seconds(1)
    case .ubxBackup, .ubxBackupShort: .milliseconds(500)
    case .mtkStandby, .ubxStop, .airohaOff: .milliseconds(100)
    }
  }

  /// What is sent to fall asleep, in order; the supply is cut behind it where that is the way.
  ///
  /// - Parameter wakesByByte: `nil` where that is still to be seen: its own timer then runs so much
  ///   longer than the sleep that an answer before its end tells.
  package func commands(
    for span: Duration, link: ReceiverLink, model: ReceiverModel, wakesByByte: Bool? = false
  ) -> [ReceiverCommand] {
    // Somewhat longer than planned where the host ends it, so that the host's edge comes first.
    let guarded = span + Self.margin
    let timed =
      switch wakesByByte {
      case false?: span
      case true?: guarded
      case nil: span + Self.trialMargin
      }
    switch self {
    case .cutSupply:
      switch model.family {
      case .ublox: return [.ubxStop]
      case .mediatek: return [MTK.standby]
      case .airoha: return [Airoha.powerOff, Airoha.saveNavigation]
      default: return []
      }
    case .ubxBackup: return [.ubxSleep(guarded, form: .long)]
    case .ubxBackupShort: return [.ubxSleep(guarded, form: .short)]
    case .ubxStop: return [.ubxStop]
    case .mtkStandby: return [MTK.standby]
    case .casicStandby: return [CASIC.standby(timed)]
    case .airohaBackup:
      guard let pin = link.wakePin else { return [] }
      return [Airoha.backup(guarded, wakePin: pin)]
    case .airohaOff: return [Airoha.keepAwake, Airoha.powerOff]
    case .teseoStandby: return [Teseo.standby(timed)]
    }
  }

  /// What a receiver's own timer runs longer than the planned sleep.
  package static let margin = Duration.seconds(2)
  /// The same while it is not known whether a byte wakes the receiver: longer than it takes to
  /// start and to speak.
  package static let trialMargin = Duration.seconds(5)
}

extension ReceiverModel {
  /// A harmless question that an awake receiver answers.
  package var ping: ReceiverCommand? {
    if traits.contains(.readOnly) { return nil }
    switch family {
    case .ublox: return .poll(.monVER)
    case .mediatek: return MTK.queryRelease
    case .airoha: return Airoha.queryVersion
    case .casic: return CASIC.queryFirmware
    case .quectel: return Quectel.queryVersion
    case .unicore: return OtherFamilies.unicore
    case .allystar: return OtherFamilies.allystar
    case .teseo: return Teseo.queryVersion
    case .skytraq: return OtherFamilies.skyTraq
    case .sirf, .garmin, .unknown: return nil
    }
  }

  /// The rates that a receiver of the family starts at when it has lost its settings.
  package var defaultBaudRates: [Int] {
    switch family {
    case .ublox: ublox?.generation ?? .eight >= .nine ? [38_400, 9600] : [9600]
    case .mediatek: [9600]
    case .casic: [9600, 115_200]
    case .airoha, .quectel, .unicore: [115_200]
    case .allystar, .teseo, .skytraq: [9600, 115_200]
    case .sirf: [4800]
    case .garmin, .unknown: []
    }
  }
}
