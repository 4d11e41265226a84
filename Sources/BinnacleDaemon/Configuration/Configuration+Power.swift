import ReceiverControl

/// A line of a GPIO chip: `gpiochip0:17`, or `gpiochip0:-17` where low means on.
package struct GPIOName: Equatable, Sendable {
  package var chip: String
  package var line: UInt32
  package var isActiveLow = false

  package static let lineMax: UInt32 = 1023

  /// `nil` for anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].hasPrefix("gpiochip"), Int(parts[0].dropFirst(8)) != nil else {
      return nil
    }
    isActiveLow = parts[1].hasPrefix("-")
    guard let number = UInt32(isActiveLow ? parts[1].dropFirst() : parts[1]),
      number <= Self.lineMax
    else { return nil }
    (chip, line) = (String(parts[0]), number)
  }

  package var text: String { "\(chip):\(isActiveLow ? "-" : "")\(line)" }
}

extension Configuration {
  /// What feeds the board: it decides whether the receiver's sleep saves anything.
  package struct Power: Equatable, Sendable {
    package enum Source: Equatable, Sendable {
      /// As `/sys/class/power_supply` says; without batteries there, one that nobody measures.
      case automatic
      case fixed(PowerSupply)
    }

    package var source = Source.automatic
    /// Percent at and below which a battery counts as nearly empty.
    package var lowPercent = 20
  }

  static let powerKeys = [
    ConfigurationKey(
      name: "source", valid: "auto, battery, external or low", fallback: "auto",
      help: "What feeds the board; auto asks the kernel"
    ) { value, configuration in
      if value == "auto" {
        configuration.power.source = .automatic
        return true
      }
      guard let supply = PowerSupply(rawValue: value) else { return false }
      configuration.power.source = .fixed(supply)
      return true
    },
    ConfigurationKey(
      name: "low", valid: "a percentage from 1 % to 90 %", fallback: "20 %",
      help: "A battery with no more than this counts as nearly empty"
    ) { value, configuration in
      let digits = value.prefix { $0.isASCII && $0.isNumber }
      guard let percent = Int(digits), (1...90).contains(percent),
        ["", "%", " %"].contains(String(value.dropFirst(digits.count)))
      else { return false }
      configuration.power.lowPercent = percent
      return true
    },
  ]

  static let receiverControlKeys = [
    yesOrNo("configure", true, "Whether anything may be written to the receiver") {
      $0.mayConfigure = $1
    },
    line("enable-gpio", "The GPIO line that switches the receiver's supply") { $0.enableGPIO = $1 },
    line("wake-gpio", "The GPIO line that wakes the receiver") { $0.wakeGPIO = $1 },
    yesOrNo(
      "backup", nil,
      "Whether a backup supply keeps the receiver's clock while enable-gpio cuts its own; tried if "
        + "not said"
    ) { $0.hasBackup = $1 },
  ]

  private static func yesOrNo(
    _ name: String, _ fallback: Bool?, _ help: String,
    set: @escaping @Sendable (inout Receiver, Bool) -> Void
  ) -> ConfigurationKey {
    ConfigurationKey(
      name: name, valid: "yes or no", fallback: fallback.map { $0 ? "yes" : "no" }, help: help
    ) { value, configuration in
      guard let isOn = flag(value) else { return false }
      set(&configuration.receivers[configuration.receivers.count - 1], isOn)
      return true
    }
  }

  private static func line(
    _ name: String, _ help: String, set: @escaping @Sendable (inout Receiver, GPIOName) -> Void
  ) -> ConfigurationKey {
    ConfigurationKey(
      name: name, valid: "a line such as gpiochip0:17, or gpiochip0:-17 where low means on",
      help: help
    ) { value, configuration in
      guard let line = GPIOName(value) else { return false }
      set(&configuration.receivers[configuration.receivers.count - 1], line)
      return true
    }
  }
}
