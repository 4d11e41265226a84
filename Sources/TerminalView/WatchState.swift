import GNSS

/// All that the live view shows. Whatever is not known is left out of the page.
package struct WatchState: Sendable {
  package struct Receiver: Sendable {
    package var name = ""
    package var model: String?
    package var firmware: String?
    package var node: String?
    /// Baud.
    package var baud: Int?
    package var power = Power.unknown
    /// Why it is in this state, in words.
    package var powerReason: String?
    /// When it wakes by itself.
    package var wakesAt: UTCTime?
    package init() {}
  }

  /// What the receiver draws current for.
  package enum Power: Sendable {
    case unknown
    case off
    case asleep
    case acquiring
    case tracking
  }

  package struct Log: Sendable {
    package var path = ""
    package var recordCount: Int?
    /// Of the ring that is filled, 0…1.
    package var filled: Double?
    /// Set while records cannot be written.
    package var problem: String?
    package init() {}
  }

  package var version = ""
  package var fix: Fix?
  /// The best position that was known before it was lost.
  package var lastPosition: Coordinate?
  package var satellites: [Satellite] = []
  /// Epochs in a second, over the last ones.
  package var epochRate: Double?
  package var receiver: Receiver?
  package var log: Log?
  package var tier: Tier?
  package var clientCount: Int?
  /// The power states of the last stretch of time, oldest first, equally long each.
  package var timeline: [Power] = []
  /// Seconds that one of `timeline` lasts.
  package var timelineStep = 10
  /// Why nothing can be shown, with the next step.
  package var problem: String?
  /// The time to show, by the clock of the machine that shows it.
  package var now: UTCTime?
  package var showsHelp = false

  package init() {}
}

extension WatchState.Power {
  var name: String {
    switch self {
    case .unknown: "unknown"
    case .off: "off"
    case .asleep: "asleep"
    case .acquiring: "acquiring"
    case .tracking: "tracking"
    }
  }

  var colour: Colour {
    switch self {
    case .unknown, .off: .grey
    case .asleep: .blue
    case .acquiring: .yellow
    case .tracking: .green
    }
  }
}
