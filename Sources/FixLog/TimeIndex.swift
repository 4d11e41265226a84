import GNSS

/// Finds the blocks that may hold records of a span of time, reading O(eras * log blocks) of them.
///
/// Within an era a block's latest time never lies more than the skew tolerance below that of an
/// earlier block; across eras nothing is assumed. Records without a time of their own lie between
/// the dated ones around them.
struct TimeIndex {
  /// From the oldest block up to and with the open one.
  let sequences: Range<UInt64>
  /// Microseconds.
  let tolerance: Int64
  /// The header of a block; `nil` where it cannot be read.
  let header: (UInt64) -> BlockHeader?

  /// In ascending order, without overlaps.
  func ranges(since: UTCTime?, until: UTCTime?) -> [Range<UInt64>] {
    var ranges: [Range<UInt64>] = []
    for era in eras() {
      for range in self.ranges(in: era, since: since, until: until) where !range.isEmpty {
        if let last = ranges.last, range.lowerBound <= last.upperBound {
          let end = max(last.upperBound, range.upperBound)
          ranges[ranges.count - 1] = last.lowerBound..<end
        } else {
          ranges.append(range)
        }
      }
    }
    return ranges
  }

  private func eras() -> [Range<UInt64>] {
    var eras: [Range<UInt64>] = []
    var start = sequences.lowerBound
    while start < sequences.upperBound, let era = firstHeader(in: start..<sequences.upperBound)?.era
    {
      let end = partitionPoint(start..<sequences.upperBound) { $0.era != era }
      eras.append(start..<end)
      start = end
    }
    return eras
  }

  private func ranges(
    in era: Range<UInt64>, since: UTCTime?, until: UTCTime?
  ) -> [Range<UInt64>] {
    var start = era.lowerBound
    if let since {
      let limit = since.microseconds.subtractingReportingOverflow(tolerance)
      let floor = limit.overflow ? Int64.min : limit.partialValue
      start = partitionPoint(era) { $0.timeLast >= floor }
      start = startOfUntimed(before: start, in: era)
    }
    guard let until else { return [start..<era.upperBound] }
    let limit = until.microseconds.addingReportingOverflow(tolerance)
    let ceiling = limit.overflow ? Int64.max : limit.partialValue
    let end = partitionPoint(start..<era.upperBound) { $0.timeLast > ceiling }
    // The era may end with records of a boot whose clock was set back only after them.
    let tail = startOfUntimed(before: era.upperBound, in: era)
    return [start..<min(end + 1, era.upperBound), max(tail, start)..<era.upperBound]
  }

  /// The first block of the run of blocks with untimed records that ends before `end`. The run
  /// begins with the last dated record before it.
  private func startOfUntimed(before end: UInt64, in era: Range<UInt64>) -> UInt64 {
    var start = end
    while start > era.lowerBound, let header = header(start - 1),
      header.flags.contains(.hasUntimed)
    {
      start -= 1
      if header.hasTimes { break }
    }
    return start
  }

  /// The first block that meets `isBehind`, where all that do stand behind all that do not. Blocks
  /// that cannot be read are stepped over.
  func partitionPoint(
    _ range: Range<UInt64>, _ isBehind: (BlockHeader) -> Bool
  ) -> UInt64 {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      var probe = middle
      while probe < high {
        if let header = header(probe) {
          if isBehind(header) { high = middle } else { low = probe + 1 }
          break
        }
        probe += 1
      }
      if probe == high { high = middle }
    }
    return low
  }

  private func firstHeader(in range: Range<UInt64>) -> BlockHeader? {
    for sequence in range {
      if let header = header(sequence) { return header }
    }
    return nil
  }
}
