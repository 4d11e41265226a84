import GNSS

/// A named set of regions of one user. It outlives its client, the daemon and a reboot; only one
/// client at a time may have it open.
package struct Monitor: Sendable {
  /// Where its regions are watched.
  enum Placement: Sendable {
    case exact
    /// By the rough position, which also other clients with reduced accuracy get.
    case reduced
    /// Not at all, as its owner may not know the location now.
    case parked
  }

  package let number: MonitorNumber
  package let name: String
  package internal(set) var credentials: Credentials
  /// Who has it open.
  package internal(set) var client: ClientID?
  var placement = Placement.exact
  /// Regions that are not watched: all, or those too small for reduced accuracy.
  var parked: [RegionRecord] = []
  /// Regions with an event that no client was told of yet.
  var unseen: [String] = []

  package static let countMax = 1000
  /// Bytes of UTF-8.
  package static let nameByteCountMax = 255
}

/// What `regions list` shows of a monitor.
package struct MonitorDescription: Equatable, Sendable {
  package var name: String
  package var owner: Credentials
  package var isOpen: Bool
  package var regions: [RegionRecord]
}
