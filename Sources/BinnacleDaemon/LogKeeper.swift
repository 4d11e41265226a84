import FixLog
import GNSS
import Glibc
import LinuxIO

extension RingID {
  /// 16 bytes of the kernel's random source.
  package static func random() -> RingID {
    var generator = SystemRandomNumberGenerator()
    return RingID(high: generator.next(), low: generator.next())
  }
}

/// Keeps the log: takes records at once, and has them written by a thread that may wait.
final class LogKeeper {
  private let files: LogFiles
  private let thread: CommitThread<StorageOrder, Result<Void, StorageError>>
  private var writer: LogWriter
  private var isMirrorBehind = false
  private var isMirrorBroken = false
  private var lastFailures = 0

  /// What was found when the log was opened.
  let recovery: RecoveryReport
  /// The latest trusted time in the log.
  let newestTime: UTCTime?

  /// How long the end of the program waits for the medium.
  private static let patience = Duration.milliseconds(800)

  init(
    _ settings: Configuration.Log, bootTag: UInt64, created: UTCTime, creator: String,
    wakeUp: WakeUp
  ) throws(DaemonError) {
    var new = LogFiles.NewRing(ringID: RingID.random(), created: created, creator: creator)
    new.byteCount = settings.byteCount
    do throws(LogFilesError) {
      files = try LogFiles(
        path: settings.path, mirrorPath: MirrorPath.forWriting(ring: settings.path), new: new)
      let recovered = try files.recover()
      (recovery, newestTime) = (recovered.report, recovered.newestTime)
      writer = LogWriter(recovered, bootTag: bootTag)
    } catch {
      throw .log(error.message)
    }
    writer.policy.interval = settings.commitInterval
    let ring = files.ring
    do throws(Errno) {
      thread = try CommitThread(
        queueMax: 2, notify: { wakeUp.signal() }, work: { $0.execute(on: ring) })
    } catch {
      throw .kernel("log thread", error)
    }
  }

  var path: String { files.ring.path }
  var status: LogWriterStatus { writer.status }

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

  /// When `pump` must be called though nothing happened.
  var deadline: Monotonic? { writer.deadline.flatMap { $0 == .never ? nil : $0 } }

  func append(_ content: LogRecord.Content, boottime: Monotonic, at now: Monotonic) {
    writer.append(content, boottime: boottime, at: now)
    isMirrorBehind = true
  }

  /// Takes the outcomes of what was written, and hands over what to write next. To be called
  /// after every round of the loop.
  func pump(at now: Monotonic) {
    mirror()
    for outcome in thread.takeOutcomes() { finished(outcome, at: now) }
    if let order = writer.nextOrder(at: now), !thread.submit(order) {
      writer.orderFinished(.failure(.other(code: 0, text: "the queue is full")), at: now)
    }
  }

  /// Makes all of it durable before the program ends, if the medium takes it in time.
  func finish() {
    let end = Clocks.monotonic() + Self.patience
    writer.commit()
    while !writer.isDurable, Clocks.monotonic() < end {
      pump(at: Clocks.monotonic())
      for outcome in thread.waitForOutcomes() { finished(outcome, at: Clocks.monotonic()) }
      if writer.status.failuresInRow > 0 { break }
    }
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
        "\(files.ring.path): \(error.message); going on in memory and trying again", .error)
    } else if status.failuresInRow == 0, lastFailures > 0 {
      Journal.line("\(files.ring.path): writing works again; \(status.lostCount) records lost")
    }
    lastFailures = status.failuresInRow
  }
}
