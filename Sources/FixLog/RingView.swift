/// A ring as it stands, for one reader: its end, its oldest block, and the blocks between.
final class RingView {
  let blocks: RingBlocks
  private let mirror: (any Storage)?
  private let pause: () -> Void
  private(set) var openSequence: UInt64 = 0
  private(set) var open: LogBlock?
  /// Full blocks that only the mirror holds.
  private var pending: [LogBlock] = []
  private(set) var oldestSequence: UInt64 = 0
  /// The blocks read last: a block is looked at once more when its predecessor is checked.
  private var cache: [LogBlock] = []

  /// Reads of a block that a writer is busy with.
  static let attemptsMax = 5
  private static let cacheCount = 4

  enum Lookup {
    case block(LogBlock)
    /// The open block, while it is empty; or the place that is to be written next, half written.
    case nothing
    case gap(LogGap.Cause)
    /// The writer came round; `oldest` is the oldest block that is left.
    case overtaken(oldest: UInt64)
  }

  init(
    _ storage: any Storage, mirror: (any Storage)?, pause: @escaping () -> Void
  ) throws(LogError) {
    blocks = try RingBlocks(storage)
    (self.mirror, self.pause) = (mirror, pause)
    locate()
  }

  /// Looks for the end again. Gives whether it is another one.
  func refresh() -> Bool {
    let before = (openSequence, open?.checksum)
    blocks.refreshSuperblock()
    locate()
    return before != (openSequence, open?.checksum)
  }

  private func locate() {
    let head = RingHead(blocks)
    let found = MirroredBlocks(mirror, blocks, head)
    (openSequence, open, pending) = (found.openSequence, found.open, found.pending)
    oldestSequence = head.oldestSequence(blocks.superblock)
  }

  /// The header of a block, not checked against its successor: for searches.
  func header(_ sequence: UInt64) -> BlockHeader? {
    if let block = unsealed(sequence) { return block.header }
    guard sequence < openSequence, case .block(let block) = lookUp(sequence) else { return nil }
    return block.header
  }

  /// A block that is not in the ring yet.
  private func unsealed(_ sequence: UInt64) -> LogBlock? {
    sequence == openSequence ? open : pending.first { $0.header.sequence == sequence }
  }

  /// The block `sequence`, checked against its successor.
  func block(_ sequence: UInt64) -> Lookup {
    if let block = unsealed(sequence) { return .block(block) }
    guard sequence < openSequence else { return .nothing }
    let found = lookUp(sequence)
    guard case .block(let block) = found, let next = successor(of: sequence) else { return found }
    let isLinked =
      next.header.previousChecksum == block.checksum || next.header.previousChecksum == 0
    return isLinked && next.header.epoch >= block.header.epoch ? found : .gap(.orphan)
  }

  private func successor(of sequence: UInt64) -> LogBlock? {
    let next = sequence + 1
    if let block = unsealed(next) { return block }
    guard next < openSequence, case .block(let block) = lookUp(next) else { return nil }
    return block
  }

  private func lookUp(_ sequence: UInt64) -> Lookup {
    if let block = cache.first(where: { $0.header.sequence == sequence }) { return .block(block) }
    for attempt in 1...Self.attemptsMax {
      switch blocks.block(at: sequence) {
      case .valid(let block) where block.header.sequence == sequence:
        if cache.count == Self.cacheCount { cache.removeFirst() }
        cache.append(block)
        return .block(block)
      case .valid(let block) where block.header.sequence > sequence:
        let count = UInt64(blocks.geometry.blockCount)
        return .overtaken(oldest: block.header.sequence - count + 1)
      case .valid, .empty: return .gap(.missing)
      case .unreadable: return .gap(.damaged)
      case .damaged:
        if attempt < Self.attemptsMax { pause() }
      }
    }
    let isWrittenNext = openSequence - sequence == UInt64(blocks.geometry.blockCount)
    return isWrittenNext ? .nothing : .gap(.damaged)
  }
}
