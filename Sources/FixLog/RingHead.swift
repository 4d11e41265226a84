/// Where a ring ends: the newest full block, and the block being filled.
struct RingHead {
  /// The newest block in the ring; `nil` while there is none.
  var newest: LogBlock?
  /// The image of the open block in a tail slot, if it is newer than the ring.
  var open: LogBlock?
  /// The sequence number of the open block.
  var openSequence: UInt64
  var epoch: UInt32
  /// The tail slot of the newest image, and that image's block.
  var goodSlot: Int?
  var goodSequence: UInt64 = 0
  /// Tail slots that hold neither an image nor nothing: torn by a power cut.
  var tornSlotCount = 0
  /// Whether no tail slot led to the end though there is one, so that the ring was searched.
  var wasSearched = false

  /// The checksum of the block before the open one, as the next one repeats it.
  var previousChecksum: UInt32 {
    open?.header.previousChecksum ?? newest?.checksum ?? 0
  }

  /// The oldest block that may still be in the ring.
  func oldestSequence(_ superblock: Superblock) -> UInt64 {
    let count = UInt64(superblock.geometry.blockCount)
    return max(superblock.sequenceMin, openSequence > count ? openSequence - count : 0)
  }

  /// Finds the end: by the tail slots in a few reads; without them by a binary search.
  init(_ blocks: RingBlocks) {
    openSequence = blocks.superblock.sequenceMin
    epoch = 0
    var best: LogBlock?
    for slot in 0...1 {
      switch blocks.slot(slot) {
      case .valid(let block):
        if best.map({ $0.header.isOlder(than: block.header) }) ?? true {
          (best, goodSlot, goodSequence) = (block, slot, block.header.sequence)
        }
      case .damaged, .unreadable: tornSlotCount += 1
      case .empty: break
      }
    }
    guard let best else {
      search(blocks)
      return
    }
    follow(best, blocks)
  }

  /// Goes from the newest tail image into the ring: the block may have been sealed since.
  private mutating func follow(_ image: LogBlock, _ blocks: RingBlocks) {
    let header = image.header
    (openSequence, epoch) = (header.sequence, header.epoch)
    if let sealed = blocks.block(at: header.sequence).block {
      if sealed.header.sequence > header.sequence, sealed.header.epoch >= epoch {
        return search(blocks)
      }
      if sealed.header.sequence == header.sequence, sealed.header.epoch >= epoch,
        sealed.header.previousChecksum == header.previousChecksum,
        sealed.header.recordCount >= header.recordCount
      {
        return advance(from: sealed, blocks)
      }
    }
    if let next = blocks.sealedBlock(header.sequence &+ 1), next.header.epoch >= epoch {
      // It was sealed, since its successor was; it got damaged afterwards.
      return advance(from: next, blocks)
    }
    open = image
    if openSequence > blocks.superblock.sequenceMin {
      newest = blocks.sealedBlock(openSequence - 1)
    }
  }

  /// Follows the chain from a block in the ring to the last one that fits.
  private mutating func advance(from block: LogBlock, _ blocks: RingBlocks) {
    var last = block
    for _ in 0..<blocks.geometry.blockCount {
      guard let next = blocks.sealedBlock(last.header.sequence &+ 1),
        next.header.epoch >= last.header.epoch, next.header.previousChecksum == last.checksum
      else { break }
      last = next
    }
    newest = last
    openSequence = last.header.sequence &+ 1
    epoch = max(epoch, last.header.epoch)
  }

  /// Finds the newest block in the ring alone.
  private mutating func search(_ blocks: RingBlocks) {
    open = nil
    let newest = RingSearch(blocks).newest()
    wasSearched = newest != nil || tornSlotCount > 0
    guard let newest else {
      openSequence = blocks.superblock.sequenceMin
      return
    }
    advance(from: newest, blocks)
  }
}
