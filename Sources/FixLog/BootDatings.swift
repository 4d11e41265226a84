import GNSS

/// What is known of the time of each boot: its first trusted clock record.
struct BootDatings {
  /// Boots follow one another in the log, so that the latest one is enough.
  private var known: ClockRecord?
  /// A boot of which the log held no trusted clock record when it was searched.
  private var unknownTag: UInt64?

  /// Searches again what was not found: the log has grown.
  mutating func forgetUnknown() { unknownTag = nil }

  /// - Parameters:
  ///   - clock: The clock record in force at the record in question.
  ///   - block: The block that it stands in.
  mutating func relation(
    of clock: ClockRecord, in block: LogBlock, _ view: RingView
  ) -> ClockRecord? {
    if let known, known.bootTag == clock.bootTag { return known }
    guard unknownTag != clock.bootTag else { return nil }
    known = search(clock.bootTag, from: block, view)
    unknownTag = known == nil ? clock.bootTag : nil
    return known
  }

  /// Each block begins with what was known of its boot, so that the block in which it became known
  /// is found by halving.
  private func search(_ tag: UInt64, from block: LogBlock, _ view: RingView) -> ClockRecord? {
    if let found = Self.firstTrusted(tag, in: block) { return found }
    let start = block.header.sequence + 1
    let end = max(start, view.openSequence + 1)
    let index = TimeIndex(sequences: start..<end, tolerance: 0, header: { view.header($0) })
    let place = index.partitionPoint(start..<end) { header in
      guard case .block(let block) = view.block(header.sequence) else { return false }
      let clocks = BlockRecords.clocks(of: block)
      return clocks.latest?.bootTag != tag || clocks.relation != nil
    }
    guard place < end, case .block(let found) = view.block(place) else { return nil }
    return Self.firstTrusted(tag, in: found)
  }

  private static func firstTrusted(_ tag: UInt64, in block: LogBlock) -> ClockRecord? {
    var records = BlockRecords(block)
    while true {
      let isMore = records.next() != nil
      if let relation = records.relation, relation.bootTag == tag { return relation }
      if !isMore { return nil }
    }
  }
}
