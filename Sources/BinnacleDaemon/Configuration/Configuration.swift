import GNSS

/// What `/etc/binnacle/binnacle.conf` says. Without a file the defaults hold, and they work.
package struct Configuration: Equatable, Sendable {
  package var log = Log()
  package var receivers: [Receiver] = []
  package var gpsd = GPSD()
  package var nmea = NMEA()
  package var time = Time()
  package var control = Control()
  package var policy = PolicyFile()
  package var sessions: [Session] = []
  package var power = Power()

  package struct Log: Equatable, Sendable {
    package var path = "/var/lib/binnacle/fixes.ring"
    /// Of a ring yet to be created, in bytes.
    package var byteCount = 64 << 20
    /// What a power cut may cost at most.
    package var commitInterval = Duration.seconds(10)
    /// Metres, 68 %: coarser fixes are left out; `nil` keeps all.
    package var accuracyMax: Double?
    /// Metres from the last fix that was kept; `nil` keeps all.
    package var distance: Double?
    /// Whether somebody typed the path: then it must be good at once.
    package var isNamedByHand = false
  }

  /// What holds for one receiver, known by its device node or its stable identity.
  package struct Receiver: Equatable, Sendable {
    package var name: String
    /// Whether the port is used although nothing tells that a receiver is behind it; `nil` leaves
    /// that to the claim policy.
    package var claim: Bool?
    /// The rate to open the port with, in baud; `nil` finds it out.
    package var baud: Int?
    /// Whether anything may be written to the receiver.
    package var mayConfigure = true
    /// The line that switches its supply, and the one that wakes it.
    package var enableGPIO: GPIOName?
    package var wakeGPIO: GPIOName?
    /// Whether a backup supply keeps its clock and ephemerides while its supply is cut; `nil`: that
    /// is tried.
    package var hasBackup: Bool?
    /// Whether the port is read once for each fix, some milliseconds after it could be, and the
    /// machine not woken before.
    package var savesPower = false

    package init(name: String, claim: Bool? = nil, baud: Int? = nil) {
      (self.name, self.claim, self.baud) = (name, claim, baud)
    }
  }

  package init() {}

  package static let defaultPath = "/etc/binnacle/binnacle.conf"

  /// Reads a file's text. Unknown sections and keys are errors: a misspelt key must not be silent.
  package init(_ text: String, path: String) throws(ConfigurationError) {
    self.init()
    for section in try INIFile(text, path: path).sections {
      guard let table = Self.sections[section.kind] else {
        throw ConfigurationError(
          path: path, line: section.line,
          problem: "[\(section.kind)]: unknown section; there are "
            + Self.sections.keys.sorted().map { "[\($0)]" }.joined(separator: " "))
      }
      guard table.takesName != section.name.isEmpty else {
        throw ConfigurationError(
          path: path, line: section.line,
          problem: table.takesName
            ? "[\(section.kind)]: needs a name, as [\(section.kind) \(table.nameExample)]"
            : "[\(section.kind) \(section.name)]: takes no name")
      }
      if section.kind == "session" { sessions.append(Session(name: section.name)) }
      if section.kind == "receiver" { receivers.append(Receiver(name: section.name)) }
      for entry in section.entries {
        guard let key = table.keys.first(where: { $0.name == entry.key }) else {
          throw ConfigurationError(
            path: path, line: entry.line,
            problem: "[\(section.kind)] \(entry.key): unknown key; there are "
              + table.keys.map(\.name).joined(separator: ", "))
        }
        guard key.apply(entry.value, &self) else {
          throw ConfigurationError(
            path: path, line: entry.line,
            problem: "[\(section.kind)] \(entry.key): '\(entry.value)' is not \(key.valid)")
        }
      }
    }
  }
}

/// A key of a section: its name, what it takes, and how it is set. Errors, `run --check` and the
/// manual read the same table.
package struct ConfigurationKey: Sendable {
  package let name: String
  /// What the value must be, as it stands behind "is not".
  package let valid: String
  /// The value that holds where none is given; `nil` where no value says the same.
  package var fallback: String? = nil
  package let help: String
  /// Sets the value; false where it is not valid. A receiver's keys go to the last receiver.
  package let apply: @Sendable (String, inout Configuration) -> Bool
}

extension Configuration {
  package struct SectionTable: Sendable {
    package let takesName: Bool
    /// A name that there may be; for errors.
    package var nameExample = "/dev/ttyAMA0"
    package let keys: [ConfigurationKey]
  }

  package static let sections: [String: SectionTable] = [
    "control": SectionTable(takesName: false, keys: controlKeys),
    "gpsd": SectionTable(takesName: false, keys: gpsdKeys),
    "log": SectionTable(takesName: false, keys: logKeys),
    "nmea": SectionTable(takesName: false, keys: nmeaKeys),
    "policy": SectionTable(takesName: false, keys: policyKeys),
    "power": SectionTable(takesName: false, keys: powerKeys),
    "receiver": SectionTable(
      takesName: true, keys: receiverKeys + receiverControlKeys + [powerSavingKey]),
    "session": SectionTable(takesName: true, nameExample: "track", keys: sessionKeys),
    "time": SectionTable(takesName: false, keys: timeKeys),
  ]

  /// What keys with `yes or no` share; `nil` for neither.
  static func flag(_ value: String) -> Bool? {
    switch value {
    case "yes": true
    case "no": false
    default: nil
    }
  }

  private static let logKeys = [
    ConfigurationKey(
      name: "file", valid: "an absolute path", fallback: "/var/lib/binnacle/fixes.ring",
      help: "The ring file"
    ) { value, configuration in
      configuration.log.path = value
      return value.hasPrefix("/")
    },
    ConfigurationKey(
      name: "size", valid: "a size from 1 MiB to 1 TiB, such as 64 MiB", fallback: "64 MiB",
      help: "How large the ring file is made"
    ) { value, configuration in
      guard let size = byteCount(value), size >= 1 << 20, size <= 1 << 40 else { return false }
      configuration.log.byteCount = size
      return true
    },
    ConfigurationKey(
      name: "commit-interval", valid: "a time from 1 s to 300 s, such as 10 s", fallback: "10 s",
      help: "What a power cut may cost at most"
    ) { value, configuration in
      guard let span = seconds(value), (1...300).contains(span) else { return false }
      configuration.log.commitInterval = .seconds(span)
      return true
    },
    ConfigurationKey(
      name: "accuracy", valid: "all or a distance such as 50 m", fallback: "all",
      help: "Coarser fixes are left out (68 %)"
    ) { value, configuration in
      configuration.log.accuracyMax = metres(value)
      return value == "all" || configuration.log.accuracyMax != nil
    },
    ConfigurationKey(
      name: "distance", valid: "all or a distance such as 10 m", fallback: "all",
      help: "How far apart the fixes are kept"
    ) { value, configuration in
      configuration.log.distance = metres(value)
      return value == "all" || configuration.log.distance != nil
    },
  ]

  private static let receiverKeys = [
    ConfigurationKey(
      name: "claim", valid: "yes or no",
      help: "Whether to use the port although it is not known to be a receiver's"
    ) { value, configuration in
      guard let isOn = flag(value) else { return false }
      configuration.receivers[configuration.receivers.count - 1].claim = isOn
      return true
    },
    ConfigurationKey(
      name: "baud", valid: "auto or a rate from 1200 to 4000000", fallback: "auto",
      help: "The speed of the port; auto finds it out"
    ) { value, configuration in
      let last = configuration.receivers.count - 1
      if value == "auto" {
        configuration.receivers[last].baud = nil
        return true
      }
      guard let rate = Int(value), (1200...4_000_000).contains(rate) else { return false }
      configuration.receivers[last].baud = rate
      return true
    },
  ]

  private static let powerSavingKey = ConfigurationKey(
    name: "power-saving", valid: "yes or no", fallback: "no",
    help: "Whether to read the port once a fix, a little late: the processor wakes up less"
  ) { value, configuration in
    guard let isOn = flag(value) else { return false }
    configuration.receivers[configuration.receivers.count - 1].savesPower = isOn
    return true
  }

  /// `64 MiB`, `64M`, `1073741824`: in bytes, the prefixes being powers of 1024.
  package static func byteCount(_ text: String) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits) else { return nil }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }.lowercased()
    let shifts = ["": 0, "b": 0, "k": 10, "kib": 10, "m": 20, "mib": 20, "g": 30, "gib": 30]
    guard let shift = shifts[unit], number <= Int.max >> shift else { return nil }
    return number << shift
  }

  /// `10 s`, `10s`, `10`, `5 min`: in whole seconds.
  package static func seconds(_ text: String) -> Int64? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int64(digits), number <= 1_000_000 else { return nil }
    switch text.dropFirst(digits.count).drop(while: { $0 == " " }).lowercased() {
    case "", "s", "sec": return number
    case "min", "m": return number * 60
    case "h": return number * 3600
    default: return nil
    }
  }
}
