import GNSS

@testable import FixLog

/// Runs a writer over a simulated disk and looks, at every write and sync, at each state that a
/// power cut there could leave: what is recovered must be the log up to some record between the
/// last acknowledged and the last appended one, nothing else, and the writer must be able to go on.
final class CrashExplorer {
  private(set) var stateCount = 0
  private(set) var writeCount = 0
  private(set) var violations: [String] = []
  /// Ends early once so many violations are known: a broken writer is then caught.
  let violationsMax: Int
  let mutation: Mutation
  private var random: SeededRandom
  private let seed: UInt64

  static let depthMax = 3

  init(seed: UInt64, mutation: Mutation = .none, violationsMax: Int = 20) {
    (self.seed, self.mutation, self.violationsMax) = (seed, mutation, violationsMax)
    random = SeededRandom(seed: seed)
  }

  /// One incarnation of a writer with the truth about what it was given.
  struct Run {
    let disk: SimDisk
    var writer: LogWriter
    /// The payload of each block as it was appended so far.
    var journal: [UInt64: [UInt8]]
    /// The journals of the incarnations before. What these had not committed may turn up, as long
    /// as this one has committed nothing: half of a block that the first crash left, completed by
    /// the same bytes of the next write, is that block.
    var earlierJournals: [[UInt64: [UInt8]]] = []
    /// What was acknowledged: a block and its records; all blocks before it.
    var durable: Place
    var attempted: Place
    var owner: MutantOwner
    let depth: Int
    /// Old blocks that lost flash pages took before.
    var missingMax = 0
    var step: Int

    var geometry: RingGeometry { writer.superblock.geometry }
  }

  struct Place: Comparable {
    var sequence: UInt64
    var recordCount: Int
    static func < (left: Place, right: Place) -> Bool {
      (left.sequence, left.recordCount) < (right.sequence, right.recordCount)
    }
  }

  /// Fills a ring and goes on until it was overwritten `laps` times.
  func explore(blockCount: Int, laps: Int, sequenceMin: UInt64 = 0) throws {
    let disk = LogFixtures.disk(blockCount: blockCount, sequenceMin: sequenceMin)
    let start = Place(sequence: sequenceMin, recordCount: 0)
    var run = Run(
      disk: disk, writer: LogWriter(try RecoveredLog(opening: disk), bootTag: 1), journal: [:],
      durable: start, attempted: start, owner: MutantOwner(mutation), depth: 0, step: 0)
    let end = sequenceMin + UInt64(blockCount * laps)
    while run.writer.open.sequence < end, violations.count < violationsMax { step(&run) }
  }

  /// Appends a few records and carries out what the writer orders.
  private func step(_ run: inout Run) {
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      run.step += 1
      let now = LogFixtures.boottime(run.step)
      run.writer.append(content(run.step), boottime: now, at: now)
      note(&run)
    }
    if Bool.random(using: &random) { run.writer.commit() }
    let now = LogFixtures.boottime(run.step)
    while violations.count < violationsMax, let order = run.writer.nextOrder(at: now) {
      note(&run)
      carryOut(order, &run, at: now)
    }
  }

  private func carryOut(_ order: StorageOrder, _ run: inout Run, at now: Monotonic) {
    let target = Self.place(of: order)
    run.disk.onWrite = { [unowned self, run] disk in
      // Acknowledged too early or not, what counts is what the writer was told before this write.
      exploreStates(of: disk, run)
    }
    let result = run.owner.execute(order, on: run.disk, run.geometry)
    run.disk.onWrite = nil
    writeCount += 1
    run.writer.orderFinished(result, at: now)
    if case .success = result { run.durable = max(run.durable, target) }
    // The power may also go right after the sync.
    check(SimDisk(after: run.disk, parts: []), run, "after sync", hitsNeighbours: false)
  }

  /// What an order makes durable.
  private static func place(of order: StorageOrder) -> Place {
    guard let block = LogBlock(checking: order.bytes, ringID: LogFixtures.ringID) else {
      return Place(sequence: 0, recordCount: 0)
    }
    return Place(
      sequence: block.header.sequence, recordCount: Int(block.header.recordCount))
  }

  private func note(_ run: inout Run) {
    var open = run.writer.open
    let images = run.writer.sealed.map(\.image) + [open.image(flags: [])]
    for image in images {
      guard let block = LogBlock(checking: image, ringID: LogFixtures.ringID) else { continue }
      run.journal[block.header.sequence] = payload(of: block)
    }
    run.attempted = Place(
      sequence: open.sequence, recordCount: Int(open.header.recordCount))
  }

  private func payload(of block: LogBlock) -> [UInt8] {
    let start = BlockHeader.byteCount
    return slice(block.bytes, start..<start + Int(block.header.payloadByteCount))
  }

  private func content(_ index: Int) -> LogRecord.Content {
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      let fields = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        LogEvent.Field(
          .reason, .text(String(repeating: "x", count: Int.random(in: 0...200, using: &random))))
      }
      return .event(
        LogEvent(
          .configuration, time: LogFixtures.start + .seconds(index),
          boottime: LogFixtures.boottime(index), fields: fields))
    default:
      return .fix(LogFixtures.fix(index, random: &random), LogFixtures.receiver)
    }
  }

  // MARK: States

  private func exploreStates(of disk: SimDisk, _ run: Run) {
    guard let write = disk.unsynced.last else { return }
    let states = CrashStates(disk, write)
    let variants =
      run.depth == 0
      ? states.all(diskByteCount: disk.byteCount, &random) : states.few(&random)
    // Writes that a broken owner left unsynced may each be there or not.
    let older = disk.unsynced.dropLast()
    for state in variants {
      guard violations.count < violationsMax else { return }
      let kept = older.filter { _ in Bool.random(using: &random) }
      let after = SimDisk(after: disk, parts: kept + state.parts)
      check(after, run, state.name, hitsNeighbours: state.hitsNeighbours)
    }
  }

  private func check(_ disk: SimDisk, _ run: Run, _ name: String, hitsNeighbours: Bool) {
    stateCount += 1
    let fail = { [self] (text: String) in
      let open = run.attempted
      violations.append(
        "seed \(seed), \(run.geometry.blockCount) blocks, write \(writeCount), \(name), "
          + "depth \(run.depth), open \(open.sequence)/\(open.recordCount): \(text)")
    }
    guard let found = try? RecoveredLog(opening: disk) else { return fail("does not open") }
    let count = Int(found.open?.header.recordCount ?? 0)
    let reached = Place(sequence: found.openSequence, recordCount: count)
    // A sealed block counts as its last record, the empty one after it as no more than that.
    let isEnough =
      reached >= run.durable
      || (count == 0 && reached.sequence == run.durable.sequence + 1)
    if !isEnough { return fail("acknowledged \(run.durable), found \(reached)") }
    if reached.sequence > run.attempted.sequence + 1 {
      return fail("appended \(run.attempted), found \(reached)")
    }
    let isWritten = run.writer.status.durableCount > 0
    if found.epoch > run.writer.epoch || (isWritten && found.epoch < run.writer.epoch) {
      return fail("epoch \(found.epoch) instead of \(run.writer.epoch)")
    }
    guard let blocks = try? RingBlocks(disk) else { return fail("superblocks gone") }
    let wanted = wantedSequences(found, run)
    let ring = wanted.compactMap { blocks.sealedBlock($0) }
    let missingCount = wanted.count - ring.count
    let missingMax = run.missingMax + (hitsNeighbours ? 3 : 0)
    if missingCount > missingMax { return fail("\(missingCount) blocks are gone") }
    let journals = isWritten ? [run.journal] : [run.journal] + run.earlierJournals
    guard journals.contains(where: { holds(ring, found.open, of: $0) }) else {
      return fail("a block holds something else")
    }
    continueAfterCrash(disk, found, run, missingMax: missingMax, fail)
  }

  private func isPrefix(_ block: LogBlock, of journal: [UInt8]?) -> Bool {
    let count = Int(block.header.payloadByteCount)
    return isSame(
      block.bytes, at: BlockHeader.byteCount, as: journal ?? [], at: 0, count: count)
  }

  /// Whether every block is what was appended according to `journal`: full ones whole, the open one
  /// up to some record.
  private func holds(
    _ ring: [LogBlock], _ open: LogBlock?, of journal: [UInt64: [UInt8]]
  ) -> Bool {
    if let open, !isPrefix(open, of: journal[open.header.sequence]) { return false }
    return ring.allSatisfy { block in
      let payload = journal[block.header.sequence]
      return isPrefix(block, of: payload)
        && payload?.count == Int(block.header.payloadByteCount)
    }
  }

  /// The full blocks that must be there: all but the one whose place is written next.
  private func wantedSequences(_ found: RecoveredLog, _ run: Run) -> Range<UInt64> {
    let count = UInt64(run.geometry.blockCount)
    let oldest = max(
      run.writer.superblock.sequenceMin,
      found.openSequence >= count ? found.openSequence - count + 1 : 0)
    return oldest..<max(oldest, found.openSequence)
  }

  /// A second recovery finds the same; now and then a new incarnation goes on and crashes again.
  private func continueAfterCrash(
    _ disk: SimDisk, _ found: RecoveredLog, _ run: Run, missingMax: Int,
    _ fail: (String) -> Void
  ) {
    guard stateCount % 16 == 0 else { return }
    guard let again = try? RecoveredLog(opening: disk), again.openSequence == found.openSequence,
      again.open?.bytes == found.open?.bytes, again.epoch == found.epoch
    else { return fail("a second recovery differs") }
    guard run.depth < Self.depthMax, stateCount % 128 == 0 else { return }
    var next = Run(
      disk: SimDisk(after: disk, parts: []), writer: LogWriter(found, bootTag: 1),
      journal: run.journal,
      earlierJournals: run.earlierJournals + [run.journal], durable: run.durable,
      attempted: run.durable,
      owner: MutantOwner(mutation), depth: run.depth + 1, missingMax: missingMax,
      step: run.step)
    // What was appended and not recovered is forgotten; it must never turn up again.
    for sequence in next.journal.keys where sequence >= found.openSequence {
      next.journal[sequence] = nil
    }
    if let open = found.open { next.journal[open.header.sequence] = payload(of: open) }
    next.durable = Place(
      sequence: found.openSequence, recordCount: Int(found.open?.header.recordCount ?? 0))
    note(&next)
    for _ in 0..<3 where violations.count < violationsMax { step(&next) }
  }
}
