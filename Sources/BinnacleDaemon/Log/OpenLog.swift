import FixLog
import GNSS
import LinuxIO

/// A ring that is being written to: its files, what is written next, and the thread that may wait
/// for the medium.
final class OpenLog {
  /// What opening a ring gives.
  struct Found: Sendable {
    let files: LogFiles
    let recovered: RecoveredLog
  }

  var writer: LogWriter
  private let files: LogFiles
  private let thread: CommitThread<StorageOrder, Result<Void, StorageError>>
  private var isMirrorBehind = false
  private var isMirrorBroken = false
  private var lastFailures = 0

  var path: String { files.ring.path }
  var hasMirror: Bool { files.mirror != nil }

  init(_ found: Found, bootTag: UInt64, interval: Duration, wakeUp: WakeUp) throws(Errno) {
    files = found.files
    writer = LogWriter(found.recovered, bootTag: bootTag)
    writer.policy.interval = interval
    let ring = files.ring
    thread = try CommitThread(
      queueMax: 2, notify: { wakeUp.signal() }, work: { $0.execute(on: ring) })
  }

  func append(_ content: LogRecord.Content, boottime: Monotonic, at now: Monotonic) {
    writer.append(content, boottime: boottime, at: now)
    isMirrorBehind = true
  }

  /// The highest number of an event of regions and visits that the log holds; 0 where there is
  /// none. To be called before anything is appended.
  /// - Parameter since: How far back to look; `nil` reads all of it.
  func lastServiceEvent(since: UTCTime?) -> UInt64 {
    var query = LogQuery()
    (query.kinds, query.since) = (.events, since)
    guard
      let reader = try? LogReader(
        files.ring, mirror: files.mirror, query: query, pause: { Clocks.sleep(.milliseconds(2)) })
    else { return 0 }
    var last: UInt64 = 0
    while let item = reader.next() {
      guard case .record(let record, _) = item, case .event(let event) = record.content,
        case .number(let number)? = event[.serviceSequence]
      else { continue }
      last = max(last, UInt64(clamping: number))
    }
    return last
  }

  /// Takes the outcomes of what was written, and hands over what to write next.
  /// - Returns: What happened to the file, where it cannot be written to any more. No order is out
  ///   then.
  func pump(at now: Monotonic) -> String? {
    mirror()
    for outcome in thread.takeOutcomes() { finished(outcome, at: now) }
    guard let order = writer.nextOrder(at: now) else { return nil }
    if let harm { return harm }
    if !thread.submit(order) {
      writer.orderFinished(.failure(.other(code: 0, text: "the queue is full")), at: now)
    }
    return nil
  }

  /// Waits for the order that is out.
  func wait() {
    for outcome in thread.waitForOutcomes() { finished(outcome, at: Clocks.monotonic()) }
  }

  /// What was done to the file behind the daemon's back. Writing on would put fixes where nobody
  /// finds them.
  private var harm: String? {
    guard files.ring.isInPlace else { return "the file was removed or replaced" }
    let (now, expected) = (files.ring.byteCount, writer.superblock.geometry.byteCount)
    return now < expected ? "the file was cut to \(now) of \(expected) bytes" : nil
  }

  private func mirror() {
    guard isMirrorBehind, let mirror = files.mirror else { return }
    isMirrorBehind = false
    do throws(StorageError) {
      try writer.mirror(to: mirror)
      isMirrorBroken = false
    } catch {
      guard !isMirrorBroken else { return }
      isMirrorBroken = true
      Journal.line(
        "\(mirror.path): \(error.message); a killed daemon would lose a few seconds", .warning)
    }
  }

  private func finished(_ outcome: Result<Void, StorageError>, at now: Monotonic) {
    writer.orderFinished(outcome, at: now)
    let status = writer.status
    if status.failuresInRow == 1, lastFailures == 0, let error = status.lastError {
      Journal.line(
        "\(path): \(error.message); going on in memory and trying again", .error)
    } else if status.failuresInRow == 0, lastFailures > 0 {
      Journal.line("\(path): writing works again; \(status.lostCount) records lost")
    }
    lastFailures = status.failuresInRow
  }
}
