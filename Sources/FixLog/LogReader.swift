import GNSS

/// Reads a ring from the oldest wanted record to the newest, while a writer may go on with it.
///
/// Nothing is locked: each block is copied and its checksum tells whether the copy is whole and of
/// the lap that was expected. What cannot be had is reported as a gap, in its place.
///
/// ```
/// let reader = try LogReader(storage, query: query)
/// while let item = reader.next() { ... }
/// // to follow: after a change of the mirror, or every second
/// reader.refresh()
/// while let item = reader.next() { ... }
/// ```
package final class LogReader {
  package let query: LogQuery
  private let view: RingView
  private let ringID: RingID
  /// Blocks still to be read, in order.
  private var plan: [Range<UInt64>] = []
  private var current: BlockRecords?
  /// What `next` has still to give of the last step.
  private var stepped: (items: [LogItem], givenCount: Int) = ([], 0)
  /// The block read last, and how many of its records were passed: it may have grown since.
  private var position: (sequence: UInt64, count: Int) = (0, 0)
  /// Records to pass over without yielding them: before the cursor, or before the last N.
  private var skipped: (sequence: UInt64, count: Int)?
  private var datings = BootDatings()
  private var pendingGap: LogGap?

  /// Records that this version cannot show, of kinds that should not go unmentioned.
  package private(set) var omittedCount = 0
  /// The place of the last record that was handed out.
  package private(set) var cursor: LogCursor?
  /// Blocks read so far.
  package var readCount: Int { view.blocks.readCount }
  package var superblock: Superblock { view.blocks.superblock }

  /// - Parameters:
  ///   - mirror: The writer's copy of what is not in the ring yet, if it is of this boot.
  ///   - pause: Waits some 2 ms before a block is read once more that was being written.
  package init(
    _ storage: any Storage, mirror: (any Storage)? = nil, query: LogQuery = LogQuery(),
    pause: @escaping () -> Void = {}
  ) throws(LogError) {
    self.query = query
    view = try RingView(storage, mirror: mirror, pause: pause)
    ringID = view.blocks.superblock.ringID
    plan = makePlan()
    position = (plan.first?.lowerBound ?? view.openSequence, 0)
  }

  /// The next record or gap; `nil` at the end of what was there at the last `refresh`.
  package func next() -> LogItem? {
    if stepped.givenCount == stepped.items.count {
      stepped = ([], 0)
      switch step({ stepped.items.append(.record($0, $1)) }) {
      case .records: break
      case .gap(let gap): return .gap(gap)
      case .end: return nil
      }
    }
    defer { stepped.givenCount += 1 }
    return stepped.items[stepped.givenCount]
  }

  /// What a step came to.
  package enum Step {
    /// Records were handed out, up to the end of a block.
    case records
    case gap(LogGap)
    /// There is nothing more than there was at the last `refresh`.
    case end
  }

  /// Hands the next records to `body`, each with its place. Those of a block together take much
  /// less than one at a time.
  package func step(_ body: (LogRecord, LogCursor) -> Void) -> Step {
    while true {
      if let gap = pendingGap {
        pendingGap = nil
        return .gap(gap)
      }
      if var records = current {
        current = nil
        if handOut(&records, body) { return .records }
      } else if !openNextBlock() {
        return .end
      }
    }
  }

  /// Looks for what was appended since, and makes `next` go on with it.
  package func refresh() {
    guard view.refresh() else { return }
    datings.forgetUnknown()
    current = nil
    let start = min(position.sequence, view.openSequence)
    let end = view.openSequence + 1
    guard let last = plan.last, let first = plan.first else {
      plan = [start..<end]
      return
    }
    plan[plan.count - 1] = last.lowerBound..<max(last.upperBound, end)
    if start < first.lowerBound { plan.insert(start..<start + 1, at: 0) }
  }

  // MARK: Blocks

  /// - Returns: Whether there was a wanted record.
  private func handOut(
    _ records: inout BlockRecords, _ body: (LogRecord, LogCursor) -> Void
  ) -> Bool {
    let (block, sequence, epoch) = (records.block, position.sequence, records.block.header.epoch)
    let skippedCount = skipped?.sequence == sequence ? skipped?.count ?? 0 : 0
    var last: LogCursor?
    block.bytes.withByteView { view in
      while let entry = records.next(in: view) {
        position.count = entry.index + 1
        guard entry.index >= skippedCount else { continue }
        let record = dated(entry.record, by: records.clock, in: block)
        guard query.matches(record) else { continue }
        let place = LogCursor(
          ringID: ringID, epoch: epoch, sequence: sequence, index: entry.index)
        last = place
        body(record, place)
      }
    }
    omittedCount += records.omittedCount
    cursor = last ?? cursor
    return last != nil
  }

  private func openNextBlock() -> Bool {
    while let range = plan.first {
      guard let sequence = range.first else {
        plan.removeFirst()
        continue
      }
      plan[0] = sequence + 1..<range.upperBound
      switch view.block(sequence) {
      case .nothing: continue
      case .block(let block):
        if sequence != position.sequence { position = (sequence, 0) }
        guard mayMatch(block.header) else { continue }
        begin(block)
        return true
      case .gap(let cause):
        extendGap(cause, from: sequence)
        return true
      case .overtaken(let oldest):
        let resumed = max(oldest, sequence + 1)
        pendingGap = LogGap(cause: .overtaken, sequences: sequence..<resumed)
        plan = plan.map { $0.clamped(to: resumed..<max(resumed, view.openSequence + 1)) }
        position = (resumed, 0)
        return true
      }
    }
    return false
  }

  private func begin(_ block: LogBlock) {
    var records = BlockRecords(block)
    for _ in 0..<position.count { _ = records.next() }
    current = records
  }

  /// Joins neighbouring blocks that are missing for the same reason.
  private func extendGap(_ cause: LogGap.Cause, from sequence: UInt64) {
    var end = sequence + 1
    while let range = plan.first, range.first == end, end < view.openSequence {
      guard case .gap(let other) = view.block(end), other == cause else { break }
      end += 1
      plan[0] = end..<range.upperBound
    }
    pendingGap = LogGap(cause: cause, sequences: sequence..<end)
  }

  /// Whether the block's header leaves room for a wanted record.
  private func mayMatch(_ header: BlockHeader) -> Bool {
    if query.kinds == .events, !header.flags.contains(.hasEvents) { return false }
    guard !header.flags.contains(.hasUntimed) else { return true }
    guard header.hasTimes else { return query.kinds.contains(.clocks) }
    return query.since.map { header.timeLast >= $0.microseconds } ?? true
      && query.until.map { header.timeFirst <= $0.microseconds } ?? true
  }

  // MARK: Dating

  /// Gives a record without a date the one that its boot's first trusted clock record implies.
  /// - Parameter clock: The clock record in force.
  private func dated(
    _ record: LogRecord, by clock: ClockRecord?, in block: LogBlock
  ) -> LogRecord {
    guard record.time == nil, let clock, let relation = datings.relation(of: clock, in: block, view)
    else { return record }
    var dated = record
    dated.time = relation.time(at: record.boottime)
    dated.timeIsDerived = true
    return dated
  }

  // MARK: Planning

  private func makePlan() -> [Range<UInt64>] {
    var all = view.oldestSequence..<view.openSequence + 1
    if let cursor = query.cursor { all = begin(behind: cursor, all) }
    var ranges = [all]
    if query.since != nil || query.until != nil {
      let index = TimeIndex(
        sequences: all, tolerance: 2000 * Int64(superblock.skewToleranceMilliseconds),
        header: { [view] in view.header($0) })
      ranges = index.ranges(since: query.since, until: query.until)
    }
    if let last = query.last { ranges = newest(last, of: ranges) }
    return ranges
  }

  private func begin(behind cursor: LogCursor, _ all: Range<UInt64>) -> Range<UInt64> {
    // A ring that was converted keeps the numbers of its blocks.
    let isOfOrigin =
      cursor.ringID == superblock.previousRing && cursor.sequence <= superblock.previousSequence
    guard cursor.ringID == ringID || isOfOrigin else {
      pendingGap = LogGap(cause: .otherRing, sequences: 0..<0)
      return all
    }
    guard cursor.sequence >= all.lowerBound else {
      pendingGap = LogGap(cause: .overtaken, sequences: cursor.sequence..<all.lowerBound)
      return all
    }
    let start = min(cursor.sequence, all.upperBound - 1)
    skipped = (cursor.sequence, cursor.index + 1)
    return start..<all.upperBound
  }

  /// The part of `ranges` that holds the newest `count` matching records, and no more of them.
  private func newest(_ count: Int, of ranges: [Range<UInt64>]) -> [Range<UInt64>] {
    var missing = max(count, 0)
    var kept: [Range<UInt64>] = []
    for range in ranges.reversed() {
      var start = range.upperBound
      while start > range.lowerBound, missing > 0 {
        start -= 1
        guard case .block(let block) = view.block(start), mayMatch(block.header) else { continue }
        let found = matchingIndices(in: block)
        if found.count >= missing {
          let first = missing == found.count ? 0 : found[found.count - missing]
          if skipped?.sequence != start || (skipped?.count ?? 0) < first {
            skipped = (start, first)
          }
        }
        missing -= min(missing, found.count)
      }
      if start < range.upperBound { kept.insert(start..<range.upperBound, at: 0) }
      if missing == 0 { break }
    }
    return kept
  }

  private func matchingIndices(in block: LogBlock) -> [Int] {
    var records = BlockRecords(block)
    var indices: [Int] = []
    while let entry = records.next() {
      if let skip = skipped, skip.sequence == block.header.sequence, entry.index < skip.count {
        continue
      }
      if query.matches(dated(entry.record, by: records.clock, in: block)) {
        indices.append(entry.index)
      }
    }
    return indices
  }
}
