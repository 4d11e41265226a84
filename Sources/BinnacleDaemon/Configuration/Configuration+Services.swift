import ControlProtocol
import GNSS
import LinuxIO
import LocationServices

extension Configuration {
  /// A session that stands while the daemon runs, as `[session NAME]` says.
  package struct Session: Equatable, Sendable {
    package var options: SessionOptions

    package init(name: String) {
      options = SessionOptions()
      (options.name, options.purpose) = (name, "binnacle.conf")
      (options.tier, options.filter) = (.bestForNavigation, .everyEpoch)
      options.pausesAutomatically = false
    }

    /// The logger's, where the configuration has no session: every epoch of a receiver that never
    /// sleeps.
    static let logger: Session = {
      var session = Session(name: "logger")
      session.options.purpose = "the log"
      return session
    }()
  }

  /// The sessions that stand.
  package var standingSessions: [Session] { sessions.isEmpty ? [.logger] : sessions }

  /// Where it is written who may know the location.
  package struct PolicyFile: Equatable, Sendable {
    package static let defaultPath = "/etc/binnacle/policy"
    /// Bytes; a longer file is no policy of ours.
    private static let byteCountMax = 1 << 20

    /// `nil` for the default, which may be missing.
    package var path: String?

    /// Reads it.
    package func read() throws(PolicyError) -> Policy {
      guard path != nil || fileExists(Self.defaultPath) else { return .standard }
      let path = path ?? Self.defaultPath
      guard let text = smallFile(path, byteLimit: Self.byteCountMax) else {
        throw PolicyError(
          path: path, line: 0, problem: "cannot be read; check that it exists and who may read it")
      }
      return try Policy(text, path: path)
    }
  }

  /// Where the state of the services is kept: beside the log, or where the log is a device in the
  /// service's own directory.
  package var statePath: String {
    let path = log.path
    guard let slash = path.lastIndex(of: "/") else { return "services.state" }
    let folder = path.hasPrefix("/dev/") ? "/var/lib/binnacle" : String(path[..<slash])
    return "\(folder)/services.state"
  }

  static let policyKeys = [
    ConfigurationKey(
      name: "file", valid: "an absolute path", fallback: "/etc/binnacle/policy",
      help: "Who may know the location; read again on SIGHUP"
    ) { value, configuration in
      configuration.policy.path = value
      return value.hasPrefix("/")
    }
  ]

  static let tierNames = Tier.allCases.map { "\($0.name)" }.joined(separator: ", ")

  static let sessionKeys = [
    ConfigurationKey(
      name: "tier", valid: tierNames, fallback: "bestForNavigation",
      help: "How accurate, and so how often the receiver wakes"
    ) { value, configuration in
      guard let tier = Tier(named: value) else { return false }
      return configuration.changeSession { $0.tier = tier }
    },
    ConfigurationKey(
      name: "filter", valid: "none, tier or a distance such as 10 m", fallback: "none",
      help: "How far apart the fixes are wanted"
    ) { value, configuration in
      guard let filter = filter(value) else { return false }
      return configuration.changeSession { $0.filter = filter }
    },
    ConfigurationKey(
      name: "activity", valid: Activity.allCases.map { "\($0.name)" }.joined(separator: ", "),
      fallback: "other",
      help: "How the board moves: what counts as standing still"
    ) { value, configuration in
      guard let activity = Activity(named: value) else { return false }
      return configuration.changeSession { $0.activity = activity }
    },
    ConfigurationKey(
      name: "pause", valid: "yes or no", fallback: "no",
      help: "Whether the receiver rests while nothing moves"
    ) { value, configuration in
      guard let isOn = flag(value) else { return false }
      return configuration.changeSession { $0.pausesAutomatically = isOn }
    },
    ConfigurationKey(
      name: "services", valid: "some of updates, significantChanges, visits and heading",
      fallback: "updates",
      help: "What is wanted, separated by spaces"
    ) { value, configuration in
      let names = value.split { $0 == " " || $0 == "," }.map(String.init)
      guard let services = SessionOptions.Services(names: names), !services.isEmpty else {
        return false
      }
      return configuration.changeSession { $0.services = services }
    },
  ]

  private mutating func changeSession(_ change: (inout SessionOptions) -> Void) -> Bool {
    change(&sessions[sessions.count - 1].options)
    return true
  }

  /// `none`, `tier`, `10 m`, `10`
  private static func filter(_ text: String) -> SessionOptions.Filter? {
    switch text {
    case "none": return .everyEpoch
    case "tier": return .tierDefault
    default: return metres(text).map { .distance($0) }
    }
  }

  /// `10 m`, `0.5 km`, `10`: in metres.
  package static func metres(_ text: String) -> Double? {
    let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
    guard let number = Double(digits), number <= 1e7 else { return nil }
    switch text.dropFirst(digits.count).drop(while: { $0 == " " }) {
    case "", "m": return number
    case "km": return number * 1000
    default: return nil
    }
  }
}
