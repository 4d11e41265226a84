import GNSS

/// An event that the log must hold exactly once.
package struct ServiceEvent: Equatable, Sendable {
  package enum Content: Equatable, Sendable {
    case region(monitor: String, identifier: String, state: RegionState, Place)
    case arrival(Visit)
    case departure(Visit)
  }

  /// Counts on by one, also over restarts. The log's record carries it, so that after a crash it
  /// can be told which events are in the log.
  package var sequence: UInt64
  package var time: UTCTime?
  package var content: Content

  package init(sequence: UInt64, time: UTCTime?, content: Content) {
    (self.sequence, self.time, self.content) = (sequence, time, content)
  }
}

/// One change of what outlives a restart. The state is what all entries together leave.
package enum StateEntry: Equatable, Sendable {
  case monitor(MonitorNumber, name: String, Credentials)
  case monitorRemoved(MonitorNumber)
  case region(MonitorNumber, RegionRecord)
  case regionRemoved(MonitorNumber, identifier: String)
  /// Something happened that the log is to be told of. A region's event also sets its state, and a
  /// visit's the visit.
  case event(ServiceEvent, monitor: MonitorNumber)
  /// The log holds all events up to this one.
  case logged(through: UInt64)
  /// A stay that may become a visit; `nil`: it came to nothing.
  case stay(Visit?)
  /// The visit that lasts, where entries are written anew.
  case visiting(Visit)
  case session(SessionOptions, Credentials)
  case sessionRemoved(Owner, name: String)
  case grant(Subject, Verdict?)
  case enabled(Bool?)
}

/// Why a state file cannot be used.
package enum StateError: Error, Equatable, Sendable {
  case notAState
  case unknownVersion(UInt8)
  /// The checksum is right, but the entry at this offset makes no sense: another version wrote it.
  case unknownEntry(offset: Int)

  package var message: String {
    switch self {
    case .notAState: "is no state file of binnacle; move it away to start anew"
    case .unknownVersion(let version):
      "has version \(version); this binnacle reads version \(StateJournal.version): update it, or "
        + "move the file away to start anew"
    case .unknownEntry(let offset):
      "has an entry at byte \(offset) that this binnacle does not know: update it, or move the "
        + "file away to start anew"
    }
  }
}
