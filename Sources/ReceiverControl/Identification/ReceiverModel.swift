import GNSSWire

/// What a receiver was found to be.
package struct ReceiverModel: Equatable, Sendable {
  package var family: ChipFamily
  /// The model or chip by its own words; empty where it does not say.
  package var name = ""
  package var firmware = ""
  /// The unique chip id in hexadecimal; empty where there is none.
  package var uniqueID = ""
  /// u-blox only.
  package var ublox: UBXVersion?
  package var traits: Set<Trait> = []

  package init(family: ChipFamily) { self.family = family }

  /// How a receiver differs from what it claims to be. Raw values go into files and JSON.
  package enum Trait: String, CaseIterable, Sendable {
    /// It answers nothing: its input is not connected, or ignored.
    case readOnly
    /// The label says a later generation than the chip is of.
    case relabelled
    /// A settings write is acknowledged and has no effect.
    case acknowledgesWithoutEffect
    /// It answered a u-blox question in a way no u-blox receiver does.
    case imitatesUBlox
  }

  /// What a saved navigation database belongs to.
  package var databaseOwner: String? {
    uniqueID.isEmpty || firmware.isEmpty ? nil : "\(uniqueID) \(firmware)"
  }
}
