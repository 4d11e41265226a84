import FixLog
import GNSS

/// A time without a ring to write to: what is kept for the next one, and when to try again.
struct LogOutage {
  /// Why, for people.
  private(set) var reason: String
  private(set) var retryAt: Monotonic
  /// Records that found no room in memory, or were lost with the ring.
  private(set) var lostCount = 0
  /// A thread is opening the ring.
  var isOpening = false
  private var records: [(content: LogRecord.Content, boottime: Monotonic)] = []
  private var tryCount = 0

  /// Records kept in memory; the oldest go first. More than an hour at 1 Hz, some 2 MB.
  private static let recordCountMax = 4096
  private static let pauses: [Duration] = [1, 2, 5, 10, 30, 60].map { .seconds($0) }

  init(_ reason: String, at now: Monotonic) { (self.reason, retryAt) = (reason, now) }

  mutating func keep(_ content: LogRecord.Content, boottime: Monotonic) {
    records.append((content, boottime))
    guard records.count > Self.recordCountMax else { return }
    // In batches, as removing the first of an array moves all others.
    let count = Self.recordCountMax / 8
    records.removeFirst(count)
    lostCount += count
  }

  mutating func lose(_ count: Int) { lostCount += count }

  /// The ring could not be opened.
  /// - Returns: Whether the reason is another one than before, so that people should hear of it.
  mutating func failed(_ reason: String, at now: Monotonic) -> Bool {
    isOpening = false
    retryAt = now + Self.pauses[min(tryCount, Self.pauses.count - 1)]
    tryCount += 1
    defer { self.reason = reason }
    return reason != self.reason
  }

  /// Puts what was kept into a ring, behind an event that tells of the outage.
  func end(into log: OpenLog, recovery: RecoveryReport, at now: Monotonic) {
    let event = LogEvent(
      .recordsLost, time: nil, boottime: now,
      fields: [
        LogEvent.Field(.count, .number(Int64(lostCount))), LogEvent.Field(.reason, .text(reason)),
      ])
    log.append(
      .event(recovery.event(time: nil, boottime: now)), boottime: now, at: now)
    log.append(.event(event), boottime: now, at: now)
    for (content, boottime) in records { log.append(content, boottime: boottime, at: now) }
  }
}
