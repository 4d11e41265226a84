import GNSS
import LinuxIO
import ReceiverControl

/// What feeds the board, by the configuration or by the kernel's word.
struct PowerWatch {
  private let configuration: Configuration.Power
  private let directory: String
  private(set) var supply: PowerSupply
  private(set) var deadline = Monotonic.never

  /// How often a battery is looked at. Without one nothing is.
  static let interval = Duration.seconds(60)

  init(_ configuration: Configuration.Power, directory: String = "/sys/class/power_supply") {
    (self.configuration, self.directory) = (configuration, directory)
    supply = .battery
    if case .fixed(let fixed) = configuration.source { supply = fixed }
    if let seen = seen {
      supply = seen
      deadline = Clocks.monotonic() + Self.interval
    }
  }

  /// What feeds it now, where that changed.
  mutating func look(at now: Monotonic) -> PowerSupply? {
    guard deadline <= now else { return nil }
    deadline = now + Self.interval
    guard let seen, seen != supply else { return nil }
    supply = seen
    return seen
  }

  /// `nil` where the configuration says it, or the kernel does not know. Source: Linux
  /// Documentation/ABI/testing/sysfs-class-power.
  private var seen: PowerSupply? {
    guard configuration.source == .automatic else { return nil }
    var (hasBattery, isOnline, percent) = (false, false, 100)
    for name in directoryEntries(directory) {
      func value(_ key: String) -> String {
        smallFile("\(directory)/\(name)/\(key)")?.firstWord ?? ""
      }
      switch value("type") {
      case "Battery" where value("scope") != "Device":
        hasBattery = true
        percent = min(percent, Int(value("capacity")) ?? 100)
        if ["Charging", "Full"].contains(value("status")) { isOnline = true }
      case "Mains", "USB", "UPS": if value("online") == "1" { isOnline = true }
      default: break
      }
    }
    guard hasBattery else { return nil }
    if isOnline { return .external }
    return percent <= configuration.lowPercent ? .low : .battery
  }
}

extension String {
  fileprivate var firstWord: String { String(split(whereSeparator: \.isWhitespace).first ?? "") }
}
