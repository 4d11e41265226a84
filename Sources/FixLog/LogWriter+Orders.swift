import GNSS

/// What is out, what is due and what went wrong: the writer's side towards the medium.
struct OrderState {
  fileprivate var inFlight: InFlight?
  /// Rare orders (a purge) that go before all others.
  fileprivate var first: [StorageOrder] = []
  /// The copy of the superblock that counts.
  fileprivate var superblockCopy: Int
  /// The tail slot that holds the newest good image, and that image's block.
  fileprivate var goodSlot: Int?
  fileprivate var goodSequence: UInt64
  /// The slot that has failed `attemptsMax` times since the last block was sealed.
  fileprivate var brokenSlot: Int?
  /// Failures in a row at the place in question.
  fileprivate var attempts = 0
  /// A block that moved to another place must be in a tail slot, under its new number, before it is
  /// sealed: else recovery would take its old image for the end of the log.
  fileprivate var mustAnnounce = false
  fileprivate var retryAt: Monotonic?
  /// Records of the open block that are on the medium.
  var durableInOpen: Int
  var isCommitWanted: Bool
  var commitDue: Monotonic?
  /// Writing works again after `attemptsMax` failures or more.
  var isOutageOver = false

  fileprivate struct InFlight {
    let purpose: Purpose
    /// `status.appendedCount` once it is done.
    let appendedCount: Int
  }

  fileprivate enum Purpose {
    case commit(slot: Int, sequence: UInt64, recordCount: Int)
    case seal
    case first
    /// What it was for is void since: only its end is waited for.
    case void
  }

  init(_ recovered: RecoveredLog) {
    superblockCopy = recovered.superblockCopy
    goodSlot = recovered.goodSlot
    goodSequence = recovered.goodSequence
    isCommitWanted = !recovered.isOpenDurable
    durableInOpen =
      recovered.isOpenDurable ? recovered.open.map { Int($0.header.recordCount) } ?? 0 : 0
  }
}

extension LogWriter {
  /// After so many failures in a row at one place another place is tried.
  package static let attemptsMax = 3
  /// The waits after the first, second, ... failure in a row. The first repetition comes at once:
  /// it is the whole write again, never a bare sync, which would report success over lost pages.
  private static let retryPauses: [Duration] = [
    .zero, .seconds(1), .seconds(2), .seconds(5), .seconds(10), .seconds(30), .seconds(60),
  ]

  /// Whether everything appended is on the medium.
  package var isDurable: Bool {
    orders.first.isEmpty && sealed.isEmpty && !hasUncommitted
      && orders.inFlight == nil
  }

  private var hasUncommitted: Bool { Int(open.header.recordCount) > orders.durableInOpen }

  /// When `nextOrder` should be asked again though nothing was appended and no order came back.
  package var deadline: Monotonic? {
    guard orders.inFlight == nil else { return nil }
    let isReady = !orders.first.isEmpty || !sealed.isEmpty || orders.isCommitWanted
    guard isReady || hasUncommitted else { return nil }
    let due = isReady ? Monotonic.zero : orders.commitDue ?? .never
    return max(due, orders.retryAt ?? .zero)
  }

  /// What to carry out now; `nil` while an order is out, nothing is due, or a failure is being
  /// waited out.
  package mutating func nextOrder(at now: Monotonic) -> StorageOrder? {
    guard orders.inFlight == nil, orders.retryAt.map({ now >= $0 }) ?? true else { return nil }
    if let order = orders.first.first {
      orders.inFlight = OrderState.InFlight(purpose: .first, appendedCount: status.durableCount)
      return order
    }
    if let block = sealed.first {
      return orders.mustAnnounce ? announce(block) : seal(block)
    }
    guard hasUncommitted,
      orders.isCommitWanted || orders.commitDue.map({ now >= $0 }) ?? false
    else {
      if !hasUncommitted { orders.isCommitWanted = false }
      return nil
    }
    guard let slot = freeSlot else {
      // The slot is broken, and the other one holds the only good image: the ring takes the block.
      guard sealOpen(), let block = sealed.first else { return nil }
      return seal(block)
    }
    (orders.isCommitWanted, orders.commitDue) = (false, nil)
    return commit(
      open.image(flags: .tailImage), of: open.header, slot: slot,
      appendedCount: status.appendedCount)
  }

  /// The slot that may be overwritten: never the one with the newest image of the block in hand.
  private var freeSlot: Int? {
    guard let good = orders.goodSlot else { return orders.brokenSlot == 0 ? 1 : 0 }
    let other = 1 - good
    if other != orders.brokenSlot { return other }
    return orders.goodSequence < open.sequence ? good : nil
  }

  private mutating func commit(
    _ image: [UInt8], of header: BlockHeader, slot: Int, appendedCount: Int
  ) -> StorageOrder {
    orders.inFlight = OrderState.InFlight(
      purpose: .commit(
        slot: slot, sequence: header.sequence, recordCount: Int(header.recordCount)),
      appendedCount: appendedCount)
    return StorageOrder(offset: superblock.geometry.offset(ofSlot: slot), bytes: image)
  }

  private mutating func seal(_ block: SealedBlock) -> StorageOrder {
    orders.inFlight = OrderState.InFlight(purpose: .seal, appendedCount: block.appendedCount)
    return StorageOrder(
      offset: superblock.geometry.offset(of: block.header.sequence), bytes: block.image)
  }

  private mutating func announce(_ block: SealedBlock) -> StorageOrder {
    var header = block.header
    header.flags.remove(.sealed)
    header.flags.insert(.tailImage)
    var image = block.image
    header.stamp(&image)
    return commit(
      image, of: header, slot: orders.goodSlot.map { 1 - $0 } ?? 0,
      appendedCount: block.appendedCount)
  }

  /// Takes note of how the order ended that `nextOrder` gave last.
  package mutating func orderFinished(_ result: Result<Void, StorageError>, at now: Monotonic) {
    guard let finished = orders.inFlight else { return }
    orders.inFlight = nil
    switch result {
    case .success: succeeded(finished)
    case .failure(let error): failed(finished.purpose, error, at: now)
    }
  }

  private mutating func succeeded(_ finished: OrderState.InFlight) {
    if status.failuresInRow >= Self.attemptsMax { orders.isOutageOver = true }
    (status.failuresInRow, orders.attempts, orders.retryAt) = (0, 0, nil)
    status.durableCount = max(status.durableCount, finished.appendedCount)
    switch finished.purpose {
    case .commit(let slot, let sequence, let recordCount):
      (orders.goodSlot, orders.goodSequence) = (slot, sequence)
      orders.mustAnnounce = false
      if sequence == open.sequence { orders.durableInOpen = recordCount }
      status.commitCount += 1
    case .seal:
      sealed.removeFirst()
      orders.brokenSlot = nil
      status.sealCount += 1
    case .first: orders.first.removeFirst()
    case .void: break
    }
  }

  private mutating func failed(
    _ purpose: OrderState.Purpose, _ error: StorageError, at now: Monotonic
  ) {
    orders.retryAt =
      now + Self.retryPauses[min(status.failuresInRow, Self.retryPauses.count - 1)]
    status.failureCount += 1
    status.failuresInRow += 1
    status.lastError = error
    orders.attempts += 1
    let isPlaceBroken = error == .inputOutput && orders.attempts >= Self.attemptsMax
    switch purpose {
    case .commit(let slot, _, _):
      orders.isCommitWanted = true
      if isPlaceBroken, !orders.mustAnnounce { (orders.brokenSlot, orders.attempts) = (slot, 0) }
    case .seal:
      if isPlaceBroken { moveOn() }
    case .first, .void: break
    }
  }

  /// Gives every block that is not in the ring yet the next place: the one of the first cannot be
  /// written. Readers see a gap of one block, with nothing missing.
  private mutating func moveOn() {
    orders.attempts = 0
    orders.mustAnnounce = true
    mirroring.sequenceNext = 0
    var checksum: UInt32 = 0
    for index in sealed.indices {
      sealed[index].header.sequence &+= 1
      sealed[index].header.previousChecksum = checksum
      sealed[index].header.stamp(&sealed[index].image)
      checksum = sealed[index].image.checksumField
    }
    open.move(to: open.sequence &+ 1, previousChecksum: checksum)
  }
}

// MARK: - Purge

extension LogWriter {
  /// Makes every record so far void, and overwrites all of them with zeros. Flash may keep old
  /// copies that only its controller can reach.
  package mutating func purge() {
    if let pending = orders.inFlight {
      orders.inFlight = OrderState.InFlight(purpose: .void, appendedCount: pending.appendedCount)
    }
    sealed = []
    open = open.next(previousChecksum: 0)
    orders.durableInOpen = 0
    orders.mustAnnounce = false
    orders.commitDue = nil
    mirroring.sequenceNext = 0
    superblock.sequenceMin = open.sequence
    superblock.generation &+= 1
    orders.superblockCopy = 1 - orders.superblockCopy
    let geometry = superblock.geometry
    orders.first = [
      StorageOrder(
        offset: geometry.offset(ofSuperblock: orders.superblockCopy),
        bytes: superblock.image(copy: orders.superblockCopy))
    ]
    let block = [UInt8](repeating: 0, count: geometry.blockSize)
    for slot in 0...1 {
      orders.first.append(StorageOrder(offset: geometry.offset(ofSlot: slot), bytes: block))
    }
    orders.first += RingFormatter.zeros(geometry.dataOffset..<geometry.byteCount)
  }
}
