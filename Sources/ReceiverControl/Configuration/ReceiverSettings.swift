import GNSS
import GNSSWire

/// What a receiver is wanted to do, whatever its family.
package struct ReceiverSettings: Equatable, Sendable {
  /// Between fixes.
  package var interval: Duration
  package var activity: Activity
  /// The systems to use; `nil` leaves them as they are.
  package var constellations: Set<Constellation>?
  /// Whether the receiver tracks in its cyclic low-power mode between fixes, where it has one.
  package var isCyclic: Bool
  /// The rate to raise the port to; `nil` leaves it.
  package var baud: Int?
  /// The satellites are listed every so many epochs.
  package static let satelliteEpochs: UInt8 = 5

  package init(
    interval: Duration = .seconds(1), activity: Activity = .other,
    constellations: Set<Constellation>? = nil, isCyclic: Bool = false, baud: Int? = nil
  ) {
    self.interval = interval
    self.activity = activity
    self.constellations = constellations
    self.isCyclic = isCyclic
    self.baud = baud
  }

  /// The dynamic model of u-blox receivers. Airborne models give no 2D fixes; sea needs the user's
  /// word, as it lets no height through.
  package var dynamicModel: DynamicModel {
    switch activity {
    case .other, .otherNavigation: .portable
    case .automotiveNavigation: .automotive
    case .fitness: .pedestrian
    case .airborne: .airborne1G
    }
  }

  var intervalMilliseconds: UInt16 {
    UInt16(min(max(interval.wholeMilliseconds, 50), Int64(UInt16.max)))
  }
}

/// One thing to set, with how its effect is read back.
package struct ConfigurationStep: Equatable, Sendable {
  /// What it is for, in reports.
  package let name: String
  package let action: Action
  /// How long the receiver works on it before it listens again.
  package var settling = Duration.zero

  package enum Action: Equatable, Sendable {
    /// Keys of u-blox 9 and later.
    case settings([UBXSetting], layers: UBXLayers)
    /// A message of u-blox 5 to 8; `checked` are the payload's bytes that its poll must show.
    case message(UBXMessageType, payload: [UInt8], poll: [UInt8], checked: [CheckedByte])
    /// The systems of u-blox 5 to 8, whose message also holds channel counts that are left alone.
    case constellations(Set<Constellation>)
    /// Waits until the navigation message comes that the steps before switched on. Without it the
    /// steps marked to need it are left out.
    case awaitUBX
    /// A sentence, or a frame with an answer of its own.
    case command(ReceiverCommand)
    /// The port's rate: changed at both ends, verified, taken back where it fails. `keep` makes it
    /// last where it works.
    case baud(Int, change: ReceiverCommand, verify: ReceiverCommand, keep: ReceiverCommand?)
    /// Measures the time between epochs.
    case observe(Duration)
  }

  /// A byte of a polled payload, and what it must be.
  package struct CheckedByte: Equatable, Sendable {
    package var offset: Int
    package var value: UInt8
  }

  /// Whether it is left out where no UBX message was seen: silencing NMEA then would silence all.
  package var needsUBX = false
}
