import LinuxIO

extension Configuration {
  /// How clocks are told the time.
  package struct Time: Equatable, Sendable {
    /// A path, or what goes by the name of the receiver's port.
    package enum Target: Equatable, Sendable {
      case automatic
      case none
      case path(String)
    }

    /// Where the pulse comes from.
    package enum PulseLine: Equatable, Sendable {
      /// From the kernel's pulse device of the receiver's port, where there is one.
      case automatic
      case none
      /// From this pulse device.
      case path(String)
      /// From the carrier detect line of the receiver's port, which is made a pulse device.
      case carrierDetect
    }

    /// chronyd's socket for the arrival of epochs; automatic is `/run/chrony.clk.ttyACM0.sock`.
    package var chrony = Target.automatic
    /// Its socket for pulses; automatic is `/run/chrony.ttyACM0.sock`.
    package var chronyPulse = Target.automatic
    /// The unit of NTP's shared memory for epochs; pulses get the next one.
    package var sharedMemory: Int?
    package var pulseLine = PulseLine.automatic
    package var edge = PulseSource.Edge.assert
    /// Whether a system clock that nothing keeps is set once.
    package var setsClock = false
    package var acceptsSimulated = false
  }

  static let timeKeys = [
    ConfigurationKey(
      name: "chrony", valid: "auto, none or the path of a socket", fallback: "auto",
      help: "chronyd's SOCK reference clock for the time of epochs"
    ) { value, configuration in
      guard let target = target(value) else { return false }
      configuration.time.chrony = target
      return true
    },
    ConfigurationKey(
      name: "chrony-pulse", valid: "auto, none or the path of a socket", fallback: "auto",
      help: "chronyd's SOCK reference clock for pulses"
    ) { value, configuration in
      guard let target = target(value) else { return false }
      configuration.time.chronyPulse = target
      return true
    },
    ConfigurationKey(
      name: "shared-memory", valid: "none or a unit from 0 to 254", fallback: "none",
      help: "The unit of NTP shared memory for epochs; pulses get the next one"
    ) { value, configuration in
      let unit = Int(value).flatMap { (0..<NTPSharedMemory.unitMax).contains($0) ? $0 : nil }
      configuration.time.sharedMemory = unit
      return unit != nil || value == "none"
    },
    ConfigurationKey(
      name: "pulse", valid: "auto, none, carrier-detect or a device such as /dev/pps0",
      fallback: "auto",
      help: "Where the receiver's pulse per second is seen"
    ) { value, configuration in
      if value == "carrier-detect" {
        configuration.time.pulseLine = .carrierDetect
        return true
      }
      switch target(value) {
      case .automatic?: configuration.time.pulseLine = .automatic
      case Target.none?: configuration.time.pulseLine = .none
      case .path(let path)?: configuration.time.pulseLine = .path(path)
      case nil: return false
      }
      return true
    },
    ConfigurationKey(
      name: "pulse-edge", valid: "assert or clear", fallback: "assert",
      help: "Which edge of the pulse is the second"
    ) { value, configuration in
      guard value == "assert" || value == "clear" else { return false }
      configuration.time.edge = value == "assert" ? .assert : .clear
      return true
    },
    ConfigurationKey(
      name: "set-clock", valid: "never or once", fallback: "never",
      help: "Whether a system clock that nothing keeps is set when the time is known. The service "
        + "may only with /usr/share/doc/binnacle/examples/clock.conf, which says how"
    ) { value, configuration in
      guard value == "never" || value == "once" else { return false }
      configuration.time.setsClock = value == "once"
      return true
    },
    ConfigurationKey(
      name: "simulated", valid: "yes or no", fallback: "no",
      help: "Whether simulated receivers set clocks, too"
    ) { value, configuration in
      guard let isOn = flag(value) else { return false }
      configuration.time.acceptsSimulated = isOn
      return true
    },
  ]

  private typealias Target = Time.Target

  private static func target(_ value: String) -> Time.Target? {
    switch value {
    case "auto": .automatic
    case "none": Time.Target.none
    default: value.hasPrefix("/") && SocketAddress(path: value) != nil ? .path(value) : nil
    }
  }
}
