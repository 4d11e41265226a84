import ControlProtocol
import GNSS
import Glibc
import LinuxIO

extension Configuration {
  /// Where clients of the gpsd protocol are served.
  package struct GPSD: Equatable, Sendable {
    package var isEnabled = true
    /// Addresses that give no port of their own get this one.
    package var port: UInt16 = 2947
    /// One of them is enough, as one family may be switched off.
    package var listen = ["127.0.0.1", "[::1]"]
    /// The release in the VERSION report; `nil` is our own. Some clients warn when it differs from
    /// theirs.
    package var release: String?
    /// What a watching client wants of the receiver.
    package var tier = Tier.bestForNavigation

    package var addresses: [SocketAddress] {
      listen.compactMap { SocketAddress($0, defaultPort: port) }
    }
  }

  /// Where clients get NMEA 0183 sentences.
  package struct NMEA: Equatable, Sendable {
    /// The port that IANA gave to NMEA 0183 over TCP, which other programs like to have, too: it is
    /// not listened at unless asked for.
    package static let defaultPort: UInt16 = 10110
    package var listen: [String] = []
    /// The Unix socket that GeoClue reads; `nil` for none.
    package var socket: String? = "/run/binnacle/nmea.sock"

    package var addresses: [SocketAddress] {
      listen.compactMap { SocketAddress($0, defaultPort: Self.defaultPort) }
        + (socket.flatMap { SocketAddress(path: $0) }.map { [$0] } ?? [])
    }
  }

  /// Where clients of the control protocol are served.
  package struct Control: Equatable, Sendable {
    /// `nil` for nowhere. In the directory that the service manager made for the daemon, else in
    /// the one that it would make.
    package var socket: String? = defaultSocket

    private static var defaultSocket: String {
      getenv("RUNTIME_DIRECTORY").map { "\(String(cString: $0))/control.sock" }
        ?? ControlProtocol.Control.defaultPath
    }
  }

  static let controlKeys = [
    ConfigurationKey(
      name: "socket", valid: "none or an absolute path of at most 107 characters",
      fallback: "/run/binnacle/control.sock",
      help: "The Unix socket where binnacle's own commands and other clients are served"
    ) { value, configuration in
      configuration.control.socket = value == "none" ? nil : value
      return value == "none" || (value.hasPrefix("/") && SocketAddress(path: value) != nil)
    }
  ]

  static let gpsdKeys = [
    ConfigurationKey(
      name: "enable", valid: "yes or no", fallback: "yes",
      help: "Whether clients of gpsd are served"
    ) { value, configuration in
      guard let isOn = flag(value) else { return false }
      configuration.gpsd.isEnabled = isOn
      return true
    },
    ConfigurationKey(
      name: "port", valid: "a port from 1 to 65535", fallback: "2947",
      help: "The port where listen gives none"
    ) { value, configuration in
      guard let port = UInt16(value), port > 0 else { return false }
      configuration.gpsd.port = port
      return true
    },
    ConfigurationKey(
      name: "listen", valid: "addresses such as 127.0.0.1 [::1]:2947", fallback: "127.0.0.1 [::1]",
      help: "Addresses to listen at, separated by spaces"
    ) { value, configuration in
      guard let addresses = addresses(value), !addresses.isEmpty else { return false }
      configuration.gpsd.listen = addresses
      return true
    },
    ConfigurationKey(
      name: "release", valid: "a release of at most 40 characters",
      help: "The release that clients are told, for those that insist on theirs"
    ) { value, configuration in
      guard !value.isEmpty, value.utf8.count <= 40 else { return false }
      configuration.gpsd.release = value
      return true
    },
    ConfigurationKey(
      name: "tier", valid: tierNames, fallback: "bestForNavigation",
      help: "How accurate clients want it; between fixes the receiver sleeps while they watch, and "
        + "they are told the last one again"
    ) { value, configuration in
      guard let tier = Tier(named: value) else { return false }
      configuration.gpsd.tier = tier
      return true
    },
  ]

  static let nmeaKeys = [
    ConfigurationKey(
      name: "listen", valid: "none or addresses such as 127.0.0.1:10110", fallback: "none",
      help: "Addresses to serve NMEA sentences at, separated by spaces"
    ) { value, configuration in
      guard let addresses = value == "none" ? [] : addresses(value) else { return false }
      configuration.nmea.listen = addresses
      return true
    },
    ConfigurationKey(
      name: "socket", valid: "none or an absolute path of at most 107 characters",
      fallback: "/run/binnacle/nmea.sock",
      help: "A Unix socket to serve NMEA sentences at"
    ) { value, configuration in
      configuration.nmea.socket = value == "none" ? nil : value
      return value == "none" || (value.hasPrefix("/") && SocketAddress(path: value) != nil)
    },
  ]

  /// `nil` where one of them is none.
  private static func addresses(_ text: String) -> [String]? {
    let addresses = text.split { $0 == " " || $0 == "," }.map(String.init)
    return addresses.allSatisfy { SocketAddress($0, defaultPort: 1) != nil } ? addresses : nil
  }
}
