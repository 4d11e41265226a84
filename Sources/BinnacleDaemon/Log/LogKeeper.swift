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
///
/// Where there is no ring to write to - the medium is full, the file is another program's, or it
/// was removed, replaced or cut under the daemon - records stay in memory, and the ring is opened
/// or made again after a second, and then less and less often.
final class LogKeeper {
  private let settings: Configuration.Log
  private let bootTag: UInt64
  private let creator: String
  private let wakeUp: WakeUp
  private let opener: CommitThread<UTCTime, Result<OpenLog.Found, LogFilesError>>
  private var open: OpenLog?
  private var outage: LogOutage?
  /// Of the ring that was written to last.
  private var lastRing: (id: RingID, unwritten: [LogRecord])?
  private var lastStatus = LogWriterStatus()
  private var leapSeconds: Int8?

  /// What was found when the log was opened; `nil` where it could not be.
  let recovery: RecoveryReport?
  /// The latest trusted time in the log.
  let newestTime: UTCTime?

  /// How long the end of the program waits for the medium.
  private static let patience = Duration.milliseconds(800)

  /// - Throws: Where the log is named by hand and cannot be opened, or another process has it.
  init(
    _ settings: Configuration.Log, bootTag: UInt64, created: UTCTime, creator: String,
    wakeUp: WakeUp
  ) throws(DaemonError) {
    (self.settings, self.bootTag, self.creator, self.wakeUp) = (settings, bootTag, creator, wakeUp)
    do throws(Errno) {
      opener = try CommitThread(
        queueMax: 1, notify: { wakeUp.signal() },
        work: { Self.find(settings, creator: creator, created: $0) })
    } catch {
      throw .kernel("log thread", error)
    }
    switch Self.find(settings, creator: creator, created: created) {
    case .success(let found):
      (recovery, newestTime) = (found.recovered.report, found.recovered.newestTime)
      open = try openLog(found)
    case .failure(let error):
      guard !settings.isNamedByHand, !error.isFinal else { throw .log(error.message) }
      (recovery, newestTime) = (nil, nil)
      Journal.line("\(error.message); going on in memory and trying again", .error)
      let now = Clocks.monotonic()
      var outage = LogOutage(error.message, at: now)
      _ = outage.failed(error.message, at: now)
      self.outage = outage
    }
  }

  var path: String { settings.path }
  var status: LogWriterStatus { open?.writer.status ?? lastStatus }
  /// Why there is no log to write to; `nil` while there is one.
  var trouble: String? { outage?.reason }

  /// As `OpenLog` says; 0 without a ring, too.
  func lastServiceEvent(since: UTCTime?) -> UInt64 { open?.lastServiceEvent(since: since) ?? 0 }

  /// When `pump` must be called though nothing happened.
  private(set) var deadline: Monotonic? = .zero

  /// Whether there is something for `pump` to do, beside the outcomes that the loop is woken for.
  func isDue(at now: Monotonic) -> Bool { deadline.map { $0 <= now } ?? false }

  func append(_ content: LogRecord.Content, boottime: Monotonic, at now: Monotonic) {
    deadline = .zero
    outage?.keep(content, boottime: boottime)
    open?.append(content, boottime: boottime, at: now)
  }

  /// What a receiver says of GPS time minus UTC; goes into the blocks to come.
  func setLeapSeconds(_ seconds: Int8?) {
    guard let seconds, seconds != leapSeconds else { return }
    leapSeconds = seconds
    open?.writer.setLeapSeconds(seconds)
  }

  /// Takes the outcomes of what was written, and hands over what to write next. To be called
  /// after a round of the loop that was woken by a thread, or in which it became due.
  func pump(at now: Monotonic) {
    if let harm = open?.pump(at: now) { lose(harm, at: now) }
    if outage != nil { reopen(at: now) }
    if let outage {
      deadline = outage.isOpening ? nil : outage.retryAt
    } else {
      deadline = open?.writer.deadline.flatMap { $0 == .never ? nil : $0 }
    }
  }

  /// Makes all of it durable before the program ends, if the medium takes it in time.
  func finish() {
    guard let open else { return }
    let end = Clocks.monotonic() + Self.patience
    open.writer.commit()
    while !open.writer.isDurable, Clocks.monotonic() < end {
      guard open.pump(at: Clocks.monotonic()) == nil else { break }
      open.wait()
      if open.writer.status.failuresInRow > 0 { break }
    }
  }

  // MARK: Without a ring

  private static func find(
    _ settings: Configuration.Log, creator: String, created: UTCTime
  ) -> Result<OpenLog.Found, LogFilesError> {
    do throws(LogFilesError) {
      let files = try LogFiles(
        path: settings.path, mirrorPath: MirrorPath.forWriting(ring: settings.path),
        new: newRing(settings, creator: creator, created: created))
      return .success(OpenLog.Found(files: files, recovered: try files.recover()))
    } catch {
      return .failure(error)
    }
  }

  private static func newRing(
    _ settings: Configuration.Log, creator: String, created: UTCTime
  ) -> LogFiles.NewRing {
    var new = LogFiles.NewRing(ringID: RingID.random(), created: created, creator: creator)
    new.byteCount = settings.byteCount
    return new
  }

  private func openLog(_ found: OpenLog.Found) throws(DaemonError) -> OpenLog {
    do throws(Errno) {
      let log = try OpenLog(
        found, bootTag: bootTag, interval: settings.commitInterval, wakeUp: wakeUp)
      log.writer.setLeapSeconds(leapSeconds)
      return log
    } catch {
      throw .kernel("log thread", error)
    }
  }

  /// Gives the ring up. What is not in it yet waits for the next one.
  private func lose(_ harm: String, at now: Monotonic) {
    guard let open else { return }
    Journal.line(
      "\(path): \(harm) under the daemon; going on in memory and trying again", .error)
    lastRing = (open.writer.superblock.ringID, open.writer.unwritten())
    lastStatus = open.writer.status
    self.open = nil
    outage = LogOutage("\(path): \(harm)", at: now)
  }

  private func reopen(at now: Monotonic) {
    for result in opener.takeOutcomes() {
      switch result {
      case .success(let found): resume(found, at: now)
      case .failure(let error):
        if outage?.failed(error.message, at: now) == true { Journal.line(error.message, .error) }
      }
    }
    guard let outage, !outage.isOpening, now >= outage.retryAt else { return }
    self.outage?.isOpening = opener.submit(Clocks.utc())
  }

  private func resume(_ found: OpenLog.Found, at now: Monotonic) {
    guard var outage else { return }
    do throws(DaemonError) {
      let log = try openLog(found)
      if let lastRing, lastRing.id != found.recovered.superblock.ringID {
        for record in lastRing.unwritten {
          log.append(record.content, boottime: record.boottime, at: now)
        }
      } else if let lastRing, !log.hasMirror {
        outage.lose(lastRing.unwritten.count)
      }
      outage.end(into: log, recovery: found.recovered.report, at: now)
      (open, self.outage, lastRing) = (log, nil, nil)
      Journal.line("\(path): writing works again; \(outage.lostCount) records lost")
    } catch {
      _ = self.outage?.failed(error.message, at: now)
    }
  }
}

extension LogFilesError {
  /// Whether waiting cannot help: another process has the log, or its size is impossible.
  fileprivate var isFinal: Bool {
    switch self {
    case .file(.inUse), .log(_, .tooSmall): true
    case .file, .log: false
    }
  }
}
