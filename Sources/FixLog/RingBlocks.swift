import Bytes

/// What was found where a block should be.
enum BlockState: Sendable {
  case valid(LogBlock)
  /// Never written.
  case empty
  /// Something else than a whole block of this ring.
  case damaged
  case unreadable(StorageError)

  var block: LogBlock? {
    if case .valid(let block) = self { return block }
    return nil
  }
}

/// Reads blocks of a ring out of its storage, each checked.
final class RingBlocks {
  let storage: any Storage
  private(set) var superblock: Superblock
  /// The copy of the superblock that counts.
  private(set) var superblockCopy: Int
  /// Reads of the ring so far, for the promise of how few an open takes.
  private(set) var readCount = 0
  private var buffer: [UInt8] = []

  var geometry: RingGeometry { superblock.geometry }

  /// Reads the superblocks.
  init(_ storage: any Storage) throws(LogError) {
    self.storage = storage
    (superblock, superblockCopy) = try Self.superblock(of: storage)
    readCount = 2
  }

  /// Reads the superblocks again: a purge raises `sequenceMin`. What cannot be read stays as it
  /// was.
  func refreshSuperblock() {
    readCount += 2
    if let (superblock, copy) = try? Self.superblock(of: storage),
      superblock.ringID == self.superblock.ringID
    {
      (self.superblock, superblockCopy) = (superblock, copy)
    }
  }

  /// The valid copy of the higher generation. Both are at places that never change.
  private static func superblock(of storage: any Storage) throws(LogError) -> (Superblock, Int) {
    let copies = [0, 1].map { copy in
      Result { () throws(LogError) in try read(copy: copy, of: storage) }
    }
    let best = valid(copies).max { $0.superblock.generation < $1.superblock.generation }
    if let best { return (best.superblock, best.copy) }
    let failures = copies.compactMap { result -> LogError? in
      if case .failure(let error) = result { return error }
      return nil
    }
    // A newer version or an I/O error says more than what else is wrong.
    let isTelling = { (error: LogError) in error != .notARing && error != .damagedSuperblock }
    throw failures.first(where: isTelling) ?? failures.first { $0 == .damagedSuperblock }
      ?? .notARing
  }

  /// The copies of the superblock that pass their check.
  static func validCopies(of storage: any Storage) -> [(superblock: Superblock, copy: Int)] {
    valid(
      [0, 1].map { copy in Result { () throws(LogError) in try read(copy: copy, of: storage) } })
  }

  private static func valid(
    _ copies: [Result<Superblock, LogError>]
  ) -> [(superblock: Superblock, copy: Int)] {
    copies.enumerated().compactMap { copy, result in
      guard case .success(let superblock) = result else { return nil }
      return (superblock, copy)
    }
  }

  private static func read(copy: Int, of storage: any Storage) throws(LogError) -> Superblock {
    let offset = copy == 0 ? 0 : RingGeometry.spacing
    guard storage.byteCount >= offset + RingGeometry.superblockByteCount else { throw .notARing }
    var bytes: [UInt8] = []
    do throws(StorageError) {
      try storage.read(at: offset, count: RingGeometry.superblockByteCount, into: &bytes)
    } catch {
      throw .storage(error)
    }
    return try Superblock(parsing: bytes)
  }

  /// What lies in a tail slot.
  func slot(_ slot: Int) -> BlockState {
    let state = read(storage, at: geometry.offset(ofSlot: slot))
    guard let block = state.block else { return state }
    return isLive(block) && block.header.flags.contains(.tailImage) ? state : .damaged
  }

  /// What lies where the block `sequence` belongs; a valid one may be of another lap.
  func block(at sequence: UInt64) -> BlockState {
    let state = read(storage, at: geometry.offset(of: sequence))
    guard let block = state.block else { return state }
    let isAtHome = geometry.index(of: block.header.sequence) == geometry.index(of: sequence)
    return isLive(block) && isAtHome && block.header.flags.contains(.sealed) ? state : .damaged
  }

  /// The block `sequence` itself, if it is there.
  func sealedBlock(_ sequence: UInt64) -> LogBlock? {
    guard let block = block(at: sequence).block, block.header.sequence == sequence else {
      return nil
    }
    return block
  }

  /// An image of the mirror.
  func image(in mirror: any Storage, at offset: Int) -> LogBlock? {
    guard let block = read(mirror, at: offset).block, isLive(block) else { return nil }
    return block
  }

  /// Blocks below `sequenceMin` were purged.
  private func isLive(_ block: LogBlock) -> Bool {
    block.header.sequence >= superblock.sequenceMin
  }

  private func read(_ storage: any Storage, at offset: Int) -> BlockState {
    if storage === self.storage { readCount += 1 }
    do throws(StorageError) {
      try storage.read(at: offset, count: geometry.blockSize, into: &buffer)
    } catch {
      return .unreadable(error)
    }
    if let block = LogBlock(checking: buffer, ringID: superblock.ringID) { return .valid(block) }
    return LogBlock.isEmpty(buffer) ? .empty : .damaged
  }
}

extension Superblock {
  /// The superblock that counts, of a storage that should hold a ring.
  package init(readingFrom storage: any Storage) throws(LogError) {
    self = try RingBlocks(storage).superblock
  }
}
