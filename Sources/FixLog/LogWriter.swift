import Bytes
import GNSS

/// When what was appended is made durable.
package struct CommitPolicy: Equatable, Sendable {
  package enum Moment: Equatable, Sendable {
    /// At each fix.
    case everyFix
    /// At most `interval` after a fix was appended; at once where the last one is older than that,
    /// or an event came since.
    case interval
    /// Only when a block is full.
    case fullBlock
  }

  package var moment = Moment.interval
  package var interval = Duration.seconds(10)

  package init() {}
}

/// What the writer has done so far, for `status` and the records it keeps of its own troubles.
package struct LogWriterStatus: Equatable, Sendable {
  /// Records taken since the log was opened, and how many of these are on the medium.
  package internal(set) var appendedCount = 0
  package internal(set) var durableCount = 0
  /// Records refused because the medium did not take any for too long.
  package internal(set) var lostCount = 0
  /// Orders that failed, altogether and since the last success.
  package internal(set) var failureCount = 0
  package internal(set) var failuresInRow = 0
  package internal(set) var lastError: StorageError?
  package internal(set) var commitCount = 0
  package internal(set) var sealCount = 0

  package init() {}
}

/// Puts records into a ring. Decides what is written where and when; does no I/O and never waits.
///
/// The owner appends records as they come and, whenever `nextOrder` gives one, carries it out on a
/// thread that may wait, then reports with `orderFinished`. Only one order is out at a time, so at
/// any moment at most one write is unsynced, and what a power cut leaves is old, new or torn in
/// just that place: an unfinished block goes to the tail slot that does not hold the last good
/// image, a full one to its place in the ring.
///
/// ```
/// writer.append(.fix(fix, descriptor), boottime: received, at: now)
/// if let order = writer.nextOrder(at: now) { thread.submit(order) }
/// // arm a timer for writer.deadline; when the thread is done:
/// writer.orderFinished(result, at: now)
/// ```
package struct LogWriter {
  package internal(set) var superblock: Superblock
  /// This incarnation's number.
  package let epoch: UInt32
  /// Tells this boot from others in the records.
  package let bootTag: UInt64
  package var policy = CommitPolicy()
  package internal(set) var status = LogWriterStatus()

  var open: OpenBlock
  /// Full blocks that are not in the ring yet, oldest first.
  var sealed: [SealedBlock]
  var orders: OrderState
  var mirroring: MirrorState
  /// What the records of this boot are dated by: its first trusted clock record.
  private var relation: ClockRecord?
  private var unreportedLosses = 0
  /// When the last fix was appended; `nil` where an event came since.
  private var lastFix: Monotonic?

  /// Full blocks that wait for the medium. At the limit further records are refused and counted,
  /// and event 13 tells once there is room again. 64 blocks of 4 KiB: about four hours at 1 Hz.
  package static let sealedCountMax = 64

  struct SealedBlock {
    var header: BlockHeader
    var image: [UInt8]
    /// `status.appendedCount` once it is durable.
    let appendedCount: Int
  }

  /// Goes on where `recovered` ends, as a new incarnation.
  package init(_ recovered: RecoveredLog, bootTag: UInt64) {
    superblock = recovered.superblock
    self.bootTag = bootTag
    epoch = recovered.epoch &+ 1
    sealed = recovered.pending.map {
      SealedBlock(header: $0.header, image: $0.bytes, appendedCount: 0)
    }
    orders = OrderState(recovered)
    mirroring = MirrorState(slot: recovered.mirrorSlot.map { 1 - $0 } ?? 0)
    if let block = recovered.open {
      open = OpenBlock(resuming: block, epoch: epoch, eraTimeMax: recovered.eraTimeMax)
    } else {
      var header = BlockHeader()
      header.sequence = recovered.openSequence
      header.epoch = epoch
      header.previousChecksum = recovered.previousChecksum
      header.era = recovered.era
      header.ringIDLow = superblock.ringID.low
      header.codec = superblock.codec
      open = OpenBlock(
        header, blockSize: superblock.geometry.blockSize, eraTimeMax: recovered.eraTimeMax)
    }
    if let clock = recovered.clock, clock.bootTag == bootTag, clock.isTrusted { relation = clock }
  }

  /// Takes a record. Never waits for the medium.
  ///
  /// - Parameter boottime: When a fix was received; events and clock records carry their own.
  /// - Returns: Whether it was taken; `false` if the medium has been failing for so long that the
  ///   memory set aside is full. It is then counted in `status.lostCount`.
  @discardableResult
  package mutating func append(
    _ content: LogRecord.Content, boottime: Monotonic, at now: Monotonic
  ) -> Bool {
    guard reportTroubles(at: now), put(content, boottime: boottime) else {
      status.lostCount += 1
      unreportedLosses += 1
      return false
    }
    switch content {
    case .event:
      commit()
      lastFix = nil
    case .fix:
      let isOften = lastFix.map { now - $0 < policy.interval } ?? false
      lastFix = now
      switch policy.moment {
      case .everyFix: commit()
      // The first fix proves that all works, and of rare ones each costs a commit anyway.
      case .interval where !isOften: commit()
      case .interval, .fullBlock: scheduleCommit(at: now)
      }
    case .clock: scheduleCommit(at: now)
    }
    return true
  }

  private mutating func scheduleCommit(at now: Monotonic) {
    guard policy.moment == .interval else { return }
    orders.commitDue = orders.commitDue ?? now + policy.interval
  }

  /// Asks for all that was appended to be made durable as soon as possible.
  package mutating func commit() { orders.isCommitWanted = true }

  /// What the receivers say of GPS time minus UTC, seconds; goes into the blocks to come.
  package mutating func setLeapSeconds(_ seconds: Int8?, status: UInt8 = 0) {
    open.setLeapSeconds(seconds, status: status)
  }

  private mutating func put(_ content: LogRecord.Content, boottime: Monotonic) -> Bool {
    guard beginEraIfNeeded(content) else { return false }
    guard
      appendToOpen(content, boottime: boottime)
        || (sealOpen() && appendToOpen(content, boottime: boottime))
    else { return false }
    status.appendedCount += 1
    return true
  }

  private mutating func appendToOpen(_ content: LogRecord.Content, boottime: Monotonic) -> Bool {
    if open.clock?.bootTag != bootTag {
      let anchor = relation ?? unknownRelation(at: boottime)
      guard open.append(anchor, isRepeated: true) else { return false }
    }
    switch content {
    case .fix(let fix, let descriptor):
      return open.append(fix, of: descriptor, boottime: boottime)
    case .event(let event):
      return open.append(event)
    case .clock(let record):
      guard open.append(record, isRepeated: false) else { return false }
      if relation == nil, record.isTrusted, record.bootTag == bootTag { relation = record }
      return true
    }
  }

  /// Says which boot the records belong to, before anything is known of its time.
  private func unknownRelation(at boottime: Monotonic) -> ClockRecord {
    ClockRecord(
      bootTag: bootTag, boottime: boottime, time: UTCTime(microseconds: 0), source: .none,
      uncertaintyMicroseconds: 0)
  }

  /// A time that lies before the latest of the era by more than the tolerance begins another era,
  /// in a block of its own.
  private mutating func beginEraIfNeeded(_ content: LogRecord.Content) -> Bool {
    let time: UTCTime? =
      switch content {
      case .fix(let fix, _): fix.time
      case .event(let event): event.time
      case .clock(let record): record.isTrusted ? record.time : nil
      }
    let tolerance = Int64(superblock.skewToleranceMilliseconds) * 1000
    let (limit, overflow) = open.eraTimeMax.subtractingReportingOverflow(tolerance)
    guard let time, !overflow, time.microseconds < limit else { return true }
    guard open.isEmpty || sealOpen() else { return false }
    open.beginEra()
    return true
  }

  /// Tells in the log what went wrong with it, as soon as it can be told there. `false` while it
  /// cannot and records are being refused.
  private mutating func reportTroubles(at now: Monotonic) -> Bool {
    guard unreportedLosses > 0 || orders.isOutageOver else { return true }
    let event = LogEvent(
      .recordsLost, time: nil, boottime: now,
      fields: [
        LogEvent.Field(.count, .number(Int64(unreportedLosses))),
        LogEvent.Field(.reason, .text(status.lastError?.message ?? "the medium is too slow")),
      ])
    guard put(.event(event), boottime: now) else { return false }
    unreportedLosses = 0
    orders.isOutageOver = false
    commit()
    return true
  }

  /// Closes the open block and begins the next one. `false` where there is nothing to close or no
  /// room to keep it.
  mutating func sealOpen() -> Bool {
    guard !open.isEmpty, sealed.count < Self.sealedCountMax else { return false }
    var header = open.header
    header.flags.insert(.sealed)
    let image = open.image(flags: .sealed)
    sealed.append(
      SealedBlock(header: header, image: image, appendedCount: status.appendedCount))
    open = open.next(previousChecksum: image.checksumField)
    orders.durableInOpen = 0
    orders.commitDue = nil
    return true
  }
}

extension LogWriter {
  /// The records of every block that is not full and in the ring, oldest first: what another ring
  /// must get where this one is gone.
  package mutating func unwritten() -> [LogRecord] {
    var images = sealed.map(\.image)
    if !open.isEmpty { images.append(open.image(flags: .tailImage)) }
    var records: [LogRecord] = []
    for image in images {
      guard let block = LogBlock(checking: image, ringID: superblock.ringID) else { continue }
      var entries = BlockRecords(block)
      while let entry = entries.next() { records.append(entry.record) }
    }
    return records
  }
}

extension Array where Element == UInt8 {
  /// The checksum in a block's header.
  var checksumField: UInt32 { withByteView { $0.littleEndian(at: 4, as: UInt32.self) } }
}
