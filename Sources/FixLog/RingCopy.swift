/// Copies a log into a ring of another size. The old ring is only read; the new one counts once its
/// superblocks are there, which are written last. Blocks keep their numbers, so that a cursor of
/// the old ring goes on in the new one.
package struct RingCopy {
  private let view: RingView
  private let target: Superblock
  private var sequenceNext: UInt64
  private var previousChecksum: UInt32 = 0

  /// - Parameters:
  ///   - mirror: What the old ring does not hold yet, if it is of this boot.
  ///   - superblock: The new ring's: its geometry (of the same block size), id and creator.
  package init(
    from source: any Storage, mirror: (any Storage)?, like superblock: Superblock
  ) throws(LogError) {
    view = try RingView(source, mirror: mirror, pause: {})
    var target = superblock
    let count = UInt64(target.geometry.blockCount)
    let fitting = view.openSequence >= count ? view.openSequence - count : 0
    sequenceNext = max(view.oldestSequence, fitting)
    target.sequenceMin = sequenceNext
    target.previousRing = view.blocks.superblock.ringID
    target.previousSequence = view.openSequence
    target.skewToleranceMilliseconds = view.blocks.superblock.skewToleranceMilliseconds
    target.positionGrid = view.blocks.superblock.positionGrid
    self.target = target
  }

  /// The writes, one by one, that fill a storage of zeros with the blocks. Those that cannot be
  /// read stay gaps.
  package mutating func next() -> StorageOrder? {
    while sequenceNext <= view.openSequence {
      let sequence = sequenceNext
      sequenceNext += 1
      if case .block(let block) = view.block(sequence) {
        return order(for: block, isOpen: sequence == view.openSequence)
      }
      previousChecksum = 0
    }
    return nil
  }

  /// The superblocks: to be written when all else is durable.
  package func superblockOrders() -> [StorageOrder] {
    (0...1).map { copy in
      StorageOrder(
        offset: target.geometry.offset(ofSuperblock: copy), bytes: target.image(copy: copy))
    }
  }

  private mutating func order(for block: LogBlock, isOpen: Bool) -> StorageOrder {
    var header = block.header
    header.ringIDLow = target.ringID.low
    header.previousChecksum = previousChecksum
    header.flags.remove([.sealed, .tailImage])
    header.flags.insert(isOpen ? .tailImage : .sealed)
    var image = block.bytes
    header.stamp(&image)
    previousChecksum = image.checksumField
    let geometry = target.geometry
    return StorageOrder(
      offset: isOpen ? geometry.offset(ofSlot: 0) : geometry.offset(of: header.sequence),
      bytes: image)
  }
}
