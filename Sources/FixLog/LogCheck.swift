import GNSS

/// What a check of every byte of a ring found.
package struct LogCheck: Sendable {
  /// A stream of fixes.
  package struct Receiver: Sendable {
    package let descriptor: StreamDescriptor
    package fileprivate(set) var fixCount = 0
  }

  package let superblock: Superblock
  /// As it is, in bytes; the superblock says what it should be.
  package let byteCount: Int
  /// Valid copies of the superblock, of two.
  package let superblockCount: Int
  /// Tail slots that hold an image, and that hold something broken.
  package let slotCount: Int
  package let tornSlotCount: Int
  /// Openings for writing, ever.
  package let incarnationCount: UInt32

  /// Full blocks.
  package private(set) var blockCount = 0
  package private(set) var fixCount = 0
  package private(set) var eventCount = 0
  package private(set) var clockCount = 0
  /// Fixes and events without a time of their own.
  package private(set) var untimedCount = 0
  package private(set) var omittedCount = 0
  package private(set) var eraCount = 0
  package private(set) var earliest: UTCTime?
  package private(set) var latest: UTCTime?
  package private(set) var receivers: [Receiver] = []
  /// Blocks that should be there and are not, or do not fit.
  package private(set) var gaps: [LogGap] = []
  /// Blocks whose records break off in spite of a right checksum.
  package private(set) var malformedSequences: [UInt64] = []
  /// Records that the log says were lost (event 13).
  package private(set) var reportedLossCount: Int64 = 0
  /// The time that full blocks cover; spans of more than `pauseMin` between them left out.
  package private(set) var activeSpan = Duration.zero

  private var fixesInFullBlocks = 0
  private var lastTime: UTCTime?
  private var lastEra: UInt32?

  /// Longer spans without a record are taken for no logging.
  private static let pauseMin = Duration.seconds(600)
  /// More receivers than this are counted together under the last one.
  private static let receiverCountMax = 64
  /// Blocks between two calls of `progress`.
  private static let progressPeriod: UInt64 = 256

  /// Reads everything once.
  ///
  /// - Parameter progress: Told the blocks done and all blocks, now and then.
  package init(
    _ storage: any Storage, mirror: (any Storage)? = nil, progress: (Int, Int) -> Void = { _, _ in }
  ) throws(LogError) {
    let view = try RingView(storage, mirror: mirror, pause: {})
    superblock = view.blocks.superblock
    byteCount = storage.byteCount
    superblockCount = RingBlocks.validCopies(of: storage).count
    let head = RingHead(view.blocks)
    tornSlotCount = head.tornSlotCount
    slotCount = (0...1).filter { view.blocks.slot($0).block != nil }.count
    incarnationCount = head.epoch
    let sequences = view.oldestSequence..<view.openSequence + 1
    for sequence in sequences {
      let done = sequence - sequences.lowerBound
      if done % Self.progressPeriod == 0 { progress(Int(done), sequences.count) }
      switch view.block(sequence) {
      case .block(let block): take(block, isFull: sequence < view.openSequence)
      case .gap(let cause): addGap(cause, sequence)
      case .nothing, .overtaken: break
      }
    }
  }

  /// Whether anything is not as it was written.
  package var isDamaged: Bool {
    superblockCount < 2 || tornSlotCount == 2 || !gaps.isEmpty || !malformedSequences.isEmpty
      || byteCount < superblock.geometry.byteCount
  }

  /// Bytes of full blocks for each fix in them, everything else that they hold included.
  package var bytesPerFix: Double? {
    guard fixesInFullBlocks > 0 else { return nil }
    return Double(blockCount * superblock.geometry.blockSize) / Double(fixesInFullBlocks)
  }

  /// How much logging the ring remembers, at the rate of what it holds.
  package var retention: Duration? {
    guard let secondsPerBlock else { return nil }
    return .seconds(secondsPerBlock * Double(superblock.geometry.blockCount))
  }

  /// What the log itself writes in a day of logging: a block at each commit and each full block.
  package func bytesPerDay(commitInterval: Duration) -> Double? {
    guard let secondsPerBlock else { return nil }
    let blocksPerDay = 86_400 / secondsPerBlock + 86_400 / max(commitInterval.inSeconds, 0.1)
    return blocksPerDay * Double(superblock.geometry.blockSize)
  }

  /// `nil` where the log is too short to tell.
  private var secondsPerBlock: Double? {
    guard blockCount > 1, activeSpan > .seconds(60) else { return nil }
    return activeSpan.inSeconds / Double(blockCount)
  }

  private mutating func addGap(_ cause: LogGap.Cause, _ sequence: UInt64) {
    if let last = gaps.last, last.cause == cause, last.sequences.upperBound == sequence {
      gaps[gaps.count - 1] = LogGap(
        cause: cause, sequences: last.sequences.lowerBound..<sequence + 1)
    } else {
      gaps.append(LogGap(cause: cause, sequences: sequence..<sequence + 1))
    }
  }

  private mutating func take(_ block: LogBlock, isFull: Bool) {
    if isFull { blockCount += 1 }
    if lastEra != block.header.era { eraCount += 1 }
    lastEra = block.header.era
    var records = BlockRecords(block)
    while let entry = records.next() { take(entry.record, isFull: isFull) }
    omittedCount += records.omittedCount
    if records.isMalformed { malformedSequences.append(block.header.sequence) }
    guard block.header.hasTimes else { return }
    let first = UTCTime(microseconds: block.header.timeFirst)
    let last = UTCTime(microseconds: block.header.timeLast)
    earliest = min(earliest ?? first, first)
    latest = max(latest ?? last, last)
    guard isFull else { return }
    let isContinued = lastTime.map { first >= $0 && first - $0 < Self.pauseMin } ?? false
    activeSpan += last - (isContinued ? lastTime ?? first : first)
    lastTime = last
  }

  private mutating func take(_ record: LogRecord, isFull: Bool) {
    switch record.content {
    case .fix(_, let descriptor):
      fixCount += 1
      if isFull { fixesInFullBlocks += 1 }
      count(descriptor)
    case .event(let event):
      eventCount += 1
      if event.kind == .recordsLost, case .number(let count)? = event[.count] {
        reportedLossCount = reportedLossCount &+ max(0, count)
      }
    case .clock:
      clockCount += 1
      return
    }
    if record.time == nil { untimedCount += 1 }
  }

  private mutating func count(_ descriptor: StreamDescriptor) {
    let known = receivers.firstIndex { $0.descriptor.receiverID == descriptor.receiverID }
    let isFull = receivers.count == Self.receiverCountMax
    if let index = known ?? (isFull ? receivers.count - 1 : nil) {
      receivers[index].fixCount += 1
    } else {
      receivers.append(Receiver(descriptor: descriptor, fixCount: 1))
    }
  }
}
