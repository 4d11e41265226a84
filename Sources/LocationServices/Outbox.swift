import GNSS

/// What waits to be on disk: entries for the state file, commands that must not go out before them,
/// and events that the log does not hold yet.
struct Outbox: Sendable {
  /// The number of the last write.
  private(set) var ticket: UInt64 = 0
  /// Of this call: to be written.
  private var entries: [StateEntry] = []
  /// Of this call: to go out when that is on disk.
  private var effects: [LocationService.Command] = []
  private var waiting: [(ticket: UInt64, effects: [LocationService.Command])] = []
  /// In the state file, but not in the log for certain.
  private(set) var unlogged: [(event: ServiceEvent, monitor: MonitorNumber)] = []
  /// While the log takes nothing, the oldest events give way at this number.
  static let unloggedCountMax = 10_000
  private(set) var loggedThrough: UInt64 = 0
  private var nextSequence: UInt64 = 1

  private var byteCount = 0
  private var snapshotByteCount = 0
  private var mustReplace = true
  private(set) var retryAt = Monotonic.never

  init() {}

  mutating func add(_ entry: StateEntry) { entries.append(entry) }

  mutating func hold(_ effect: LocationService.Command) { effects.append(effect) }

  /// Takes an event in: it is written, and then told to the log.
  mutating func add(
    _ content: ServiceEvent.Content, time: UTCTime?, monitor: MonitorNumber = 0
  ) {
    let event = ServiceEvent(sequence: nextSequence, time: time, content: content)
    nextSequence += 1
    if unlogged.count >= Self.unloggedCountMax { unlogged.removeFirst() }
    unlogged.append((event, monitor))
    add(.event(event, monitor: monitor))
    hold(.log(event))
  }

  /// Takes an event in that was read from the state file.
  mutating func restore(_ event: ServiceEvent, monitor: MonitorNumber) {
    nextSequence = max(nextSequence, event.sequence &+ 1)
    if event.sequence > loggedThrough { unlogged.append((event, monitor)) }
  }

  mutating func restore(loggedThrough sequence: UInt64) {
    loggedThrough = max(loggedThrough, sequence)
    nextSequence = max(nextSequence, sequence &+ 1)
    unlogged.removeAll { $0.event.sequence <= sequence }
  }

  /// Notes that the log has the events on disk.
  mutating func logged(through sequence: UInt64) {
    guard sequence > loggedThrough, sequence < nextSequence else { return }
    restore(loggedThrough: sequence)
    add(.logged(through: sequence))
  }

  func isWriteDue(at now: Monotonic) -> Bool { !entries.isEmpty || now >= retryAt }

  /// Whether the file is to be written anew, as it has grown too much or a write failed.
  var isReplacementDue: Bool {
    mustReplace
      || byteCount > 2 * snapshotByteCount + LocationService.journalSlackByteCount
  }

  /// Makes of what was added one write, with a number of its own.
  /// - Parameter snapshot: The whole state, to write the file anew.
  mutating func write(_ snapshot: [StateEntry]?) -> LocationService.StateWrite {
    defer {
      entries.removeAll()
      effects.removeAll()
    }
    ticket += 1
    waiting.append((ticket, effects))
    guard let snapshot else {
      let frame = StateJournal.frame(entries)
      byteCount += frame.count
      return .append(frame)
    }
    let file = StateJournal.header() + StateJournal.frame(snapshot)
    (mustReplace, retryAt) = (false, .never)
    (byteCount, snapshotByteCount) = (file.count, file.count)
    return .replace(file)
  }

  /// - Returns: What may go out now.
  mutating func persisted(through ticket: UInt64) -> [LocationService.Command] {
    let count = waiting.prefix { $0.ticket <= ticket }.count
    defer { waiting.removeFirst(count) }
    return waiting.prefix(count).flatMap(\.effects)
  }

  /// A disk that does not take the state must not silence the service: what waited goes out, at the
  /// price that a crash may now double it.
  mutating func persistFailed(at now: Monotonic) -> [LocationService.Command] {
    mustReplace = true
    retryAt = now + LocationService.persistRetryInterval
    return persisted(through: ticket)
  }
}
