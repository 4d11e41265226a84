import GNSS

/// A log as it was found when it was opened for writing: where it ends, and what is to be done
/// first.
package struct RecoveredLog: Sendable {
  package let superblock: Superblock
  package let report: RecoveryReport
  let superblockCopy: Int
  /// The highest incarnation seen.
  let epoch: UInt32
  let goodSlot: Int?
  let goodSequence: UInt64
  let openSequence: UInt64
  /// Of the block before the open one.
  let previousChecksum: UInt32
  let era: UInt32
  /// The latest time of the era. Microseconds of UTC; `Int64.min` where there is none.
  let eraTimeMax: Int64
  /// The latest trusted time of the log's newest era.
  package var newestTime: UTCTime? {
    eraTimeMax == Int64.min ? nil : UTCTime(microseconds: eraTimeMax)
  }
  /// What is known of the time of the boot that wrote last.
  let clock: ClockRecord?
  /// Full blocks that only the mirror holds.
  let pending: [LogBlock]
  /// The open block, unless it is empty.
  let open: LogBlock?
  /// Whether a tail slot on the medium holds the open block as it is here.
  let isOpenDurable: Bool
  /// The mirror's slot with the newest image.
  let mirrorSlot: Int?

  /// Opens a ring for writing. Reads seven blocks where no more than one tail slot was torn, and
  /// changes nothing.
  ///
  /// - Parameter mirror: What a process that was killed left in memory (see `TailMirror`), if it is
  ///   of
  ///   this boot.
  package init(
    opening storage: any Storage, mirror: (any Storage)? = nil
  ) throws(LogError) {
    // What a killed process wrote last may be readable and yet not on the medium.
    do throws(StorageError) { try storage.sync() } catch { throw .storage(error) }
    let blocks = try RingBlocks(storage)
    superblock = blocks.superblock
    superblockCopy = blocks.superblockCopy
    guard superblock.readOnlyCompatible == 0 else {
      throw .readOnlyFeatures(superblock.readOnlyCompatible)
    }
    guard storage.byteCount >= superblock.geometry.byteCount else {
      throw .truncated(byteCount: storage.byteCount, expected: superblock.geometry.byteCount)
    }
    let head = RingHead(blocks)
    let found = MirroredBlocks(mirror, blocks, head)
    (goodSlot, goodSequence) = (head.goodSlot, head.goodSequence)
    (pending, open, isOpenDurable) = (found.pending, found.open, found.isOpenDurable)
    (openSequence, previousChecksum) = (found.openSequence, found.previousChecksum)
    (epoch, mirrorSlot) = (found.epoch, found.slot)
    let last = [open, pending.last, head.newest].compactMap { $0 }
    era = last.first?.header.era ?? 0
    let eraNow = era
    eraTimeMax =
      last.filter { $0.header.era == eraNow }.map(\.header.timeLast).max() ?? Int64.min
    let clocks = last.first.map(BlockRecords.clocks)
    clock = clocks?.relation ?? clocks?.latest
    report = RecoveryReport(
      sequence: openSequence, recordCount: Int(open?.header.recordCount ?? 0),
      tornSlotCount: head.tornSlotCount, wasSearched: head.wasSearched,
      savedBlockCount: pending.count + (open != nil && !isOpenDurable ? 1 : 0),
      readCount: blocks.readCount)
  }
}

/// What was found and done when a log was opened, for the log itself.
package struct RecoveryReport: Equatable, Sendable {
  /// The block that is being filled, and the records that it holds already.
  package let sequence: UInt64
  package let recordCount: Int
  /// Tail slots torn by a power cut.
  package let tornSlotCount: Int
  /// Whether the end had to be searched for, as no tail slot was whole.
  package let wasSearched: Bool
  /// Blocks, or parts of one, that only the mirror in memory held.
  package let savedBlockCount: Int
  package let readCount: Int

  package func event(time: UTCTime?, boottime: Monotonic) -> LogEvent {
    var reason = tornSlotCount == 0 ? "closed well" : "a tail slot was torn"
    if wasSearched { reason = "no tail slot was whole: searched for the end" }
    if wasSearched, sequence == 0, recordCount == 0 { reason = "new" }
    if savedBlockCount > 0 { reason += ", restored from memory" }
    return LogEvent(
      .recovery, time: time, boottime: boottime,
      fields: [
        LogEvent.Field(.sequence, .number(Int64(clamping: sequence))),
        LogEvent.Field(.count, .number(Int64(recordCount))),
        LogEvent.Field(.reason, .text(reason)),
      ])
  }
}

/// Joins what a killed process left in memory to the end of the ring.
struct MirroredBlocks {
  private(set) var pending: [LogBlock] = []
  private(set) var open: LogBlock?
  private(set) var openSequence: UInt64
  private(set) var previousChecksum: UInt32
  private(set) var isOpenDurable = true
  private(set) var epoch: UInt32
  private(set) var slot: Int?

  init(_ mirror: (any Storage)?, _ blocks: RingBlocks, _ head: RingHead) {
    (open, openSequence) = (head.open, head.openSequence)
    (previousChecksum, epoch) = (head.previousChecksum, head.epoch)
    guard let mirror, mirror.byteCount >= TailMirror.byteCount(of: blocks.geometry) else { return }
    takeSealed(mirror, blocks)
    takeOpen(mirror, blocks)
  }

  private mutating func takeSealed(_ mirror: any Storage, _ blocks: RingBlocks) {
    for _ in 0..<LogWriter.sealedCountMax {
      let offset = TailMirror.offset(ofSealed: openSequence, blocks.geometry)
      guard let block = blocks.image(in: mirror, at: offset), fits(block),
        block.header.flags.contains(.sealed)
      else { return }
      pending.append(block)
      open = nil
      openSequence &+= 1
      previousChecksum = block.checksum
      epoch = max(epoch, block.header.epoch)
    }
  }

  private mutating func takeOpen(_ mirror: any Storage, _ blocks: RingBlocks) {
    for slot in 0...1 {
      let offset = TailMirror.offset(ofSlot: slot, blocks.geometry)
      guard let block = blocks.image(in: mirror, at: offset), fits(block) else { continue }
      self.slot = slot
      let isNewer = open.map { $0.header.isOlder(than: block.header) } ?? true
      guard isNewer, block.header.recordCount > open?.header.recordCount ?? 0 else { continue }
      open = block
      isOpenDurable = false
      epoch = max(epoch, block.header.epoch)
    }
  }

  /// Whether it continues the log: the next block, linked to the one before, at least as complete.
  private func fits(_ block: LogBlock) -> Bool {
    block.header.sequence == openSequence && block.header.epoch >= epoch
      && block.header.previousChecksum == previousChecksum
      && block.header.recordCount >= open?.header.recordCount ?? 0
  }
}
