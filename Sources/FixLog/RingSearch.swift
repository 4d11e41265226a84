/// Finds the newest block without the tail slots.
///
/// Counted from the first block that is not purged, places hold laps L, L, ... L, L-1, ... L-1, or
/// end in empty places on the first lap. So the place where the lap falls is found by halving,
/// stepping past damaged blocks. Where the result does not check out, every block is looked at.
struct RingSearch {
  private let blocks: RingBlocks
  private let base: UInt64
  private let count: Int

  init(_ blocks: RingBlocks) {
    self.blocks = blocks
    base = blocks.superblock.sequenceMin
    count = blocks.geometry.blockCount
  }

  func newest() -> LogBlock? {
    guard let first = firstReadable(in: 0..<count), let start = first.block else {
      return scan()
    }
    let lap = lap(of: start)
    var (low, high) = (first.place, count)
    var best = start
    while high - low > 1 {
      let middle = low + (high - low) / 2
      guard let probe = firstReadable(in: middle..<high) else {
        high = middle
        continue
      }
      if let block = probe.block, self.lap(of: block) >= lap {
        (low, best) = (probe.place, block)
      } else {
        high = middle
      }
    }
    return isEnd(best) ? best : scan()
  }

  /// A place that is valid or empty.
  private struct Probe {
    let place: Int
    let block: LogBlock?
  }

  private func firstReadable(in places: Range<Int>) -> Probe? {
    for place in places {
      switch blocks.block(at: base &+ UInt64(place)) {
      case .valid(let block): return Probe(place: place, block: block)
      case .empty: return Probe(place: place, block: nil)
      case .damaged, .unreadable: continue
      }
    }
    return nil
  }

  private func lap(of block: LogBlock) -> UInt64 {
    (block.header.sequence - base) / UInt64(count)
  }

  /// Whether nothing newer stands right behind it.
  private func isEnd(_ block: LogBlock) -> Bool {
    switch blocks.block(at: block.header.sequence &+ 1) {
    case .valid(let next): next.header.sequence < block.header.sequence
    case .empty, .damaged, .unreadable: true
    }
  }

  /// Looks at every block.
  private func scan() -> LogBlock? {
    var best: LogBlock?
    for place in 0..<count {
      guard let block = blocks.block(at: base &+ UInt64(place)).block else { continue }
      if best.map({ $0.header.sequence < block.header.sequence }) ?? true { best = block }
    }
    return best
  }
}
