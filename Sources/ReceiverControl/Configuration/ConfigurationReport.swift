import GNSSWire

/// What a receiver's settings were before a plan ran: enough to put them back.
package struct FoundConfiguration: Equatable, Sendable {
  package var settings: [UBXSetting] = []
  package var messages: [(UBXMessageType, [UInt8])] = []
  /// The port's rate where the plan changed it.
  package var baud: Int?

  package init() {}

  package static func == (left: FoundConfiguration, right: FoundConfiguration) -> Bool {
    left.settings == right.settings && left.baud == right.baud
      && left.messages.elementsEqual(right.messages) { $0.0 == $1.0 && $0.1 == $1.1 }
  }
}

/// What became of a plan.
package struct ConfigurationReport: Equatable, Sendable {
  /// How a step went.
  package enum Outcome: Equatable, Sendable {
    /// Read back, and it holds.
    case verified
    /// Acknowledged; the family has no way to read it back.
    case acknowledged
    /// Sent; the family answers nothing.
    case sent
    /// The receiver does not know it.
    case refused
    /// Acknowledged and without effect.
    case withoutEffect
    /// No answer to three tries.
    case unanswered
    /// Left out, as no UBX message came.
    case leftOut

    /// Whether the setting holds, as far as the family lets one know.
    package var isGood: Bool { [.verified, .acknowledged, .sent].contains(self) }
  }

  package struct Line: Equatable, Sendable {
    package var name: String
    package var outcome: Outcome
  }

  package var lines: [Line] = []
  package var found = FoundConfiguration()
  /// Keys that the receiver refused alone: not to be tried again with this firmware.
  package var unsupported: Set<UBXKey> = []
  /// The rate that the port has now.
  package var baud: Int
  /// A rate that did not work on this wiring.
  package var badBaud: Int?
  /// The measured time between epochs.
  package var interval: Duration?
  /// Whether the receiver answers; if not, its speed must be hunted again.
  package var isReachable = true

  package init(baud: Int) { self.baud = baud }

  /// Whether nothing of what was wanted is missing.
  package var isComplete: Bool {
    isReachable && lines.allSatisfy(\.outcome.isGood)
  }
}
