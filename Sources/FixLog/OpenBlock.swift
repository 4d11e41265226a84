import Bytes
import GNSS

/// The block being filled, in memory: records go in, images come out.
struct OpenBlock {
  private(set) var header: BlockHeader
  /// The block as it lies on the medium; the header is stamped when an image is taken.
  private var bytes: [UInt8]
  private var used = BlockHeader.byteCount
  private var slots: [StreamSlot?]
  /// The latest clock record in the block: tells which boot the next records belong to.
  private(set) var clock: ClockRecord?
  /// The latest time of the era, in this block or before it. Microseconds of UTC.
  private(set) var eraTimeMax: Int64
  private var scratch = OutputBuffer(capacity: 256)

  /// An empty block.
  init(_ header: BlockHeader, blockSize: Int, eraTimeMax: Int64) {
    self.header = header
    self.header.timeLast = eraTimeMax
    self.eraTimeMax = eraTimeMax
    bytes = [UInt8](repeating: 0, count: blockSize)
    slots = [StreamSlot?](repeating: nil, count: StreamSlot.count)
  }

  /// Goes on with a block that was read back.
  init(resuming block: LogBlock, epoch: UInt32, eraTimeMax: Int64) {
    var records = BlockRecords(block)
    records.skipAll()
    header = block.header
    header.epoch = epoch
    header.flags.remove([.sealed, .tailImage])
    bytes = block.bytes
    used = records.usedByteCount
    slots = records.slots
    clock = records.clock
    self.eraTimeMax = max(eraTimeMax, header.timeLast)
  }

  var isEmpty: Bool { header.recordCount == 0 }
  var sequence: UInt64 { header.sequence }

  /// The block as it stands, with its checksum. Let go of it before the next record comes, or that
  /// copies the block.
  mutating func image(flags: BlockHeader.Flags) -> [UInt8] {
    var stamped = header
    stamped.flags.formUnion(flags)
    stamped.stamp(&bytes)
    return bytes
  }

  /// The empty block that follows this one, whose final checksum is `previousChecksum`.
  func next(previousChecksum: UInt32) -> OpenBlock {
    var next = BlockHeader()
    next.sequence = header.sequence &+ 1
    next.epoch = header.epoch
    next.previousChecksum = previousChecksum
    next.era = header.era
    next.codec = header.codec
    (next.leapSeconds, next.leapStatus) = (header.leapSeconds, header.leapStatus)
    next.ringIDLow = header.ringIDLow
    return OpenBlock(next, blockSize: bytes.count, eraTimeMax: eraTimeMax)
  }

  /// Time went back: an empty block begins another era.
  mutating func beginEra() {
    header.era &+= 1
    header.timeLast = Int64.min
    eraTimeMax = Int64.min
  }

  /// Moves the block to another place of the ring: the one it had cannot be written.
  mutating func move(to sequence: UInt64, previousChecksum: UInt32) {
    (header.sequence, header.previousChecksum) = (sequence, previousChecksum)
  }

  mutating func setLeapSeconds(_ seconds: Int8?, status: UInt8) {
    (header.leapSeconds, header.leapStatus) = (seconds, status)
  }

  // MARK: Appending. Each gives `false`, changing nothing, where the record does not fit any more.

  mutating func append(_ fix: Fix, of descriptor: StreamDescriptor, boottime: Monotonic) -> Bool {
    scratch.removeAll()
    guard let index = slotIndex(of: descriptor) else { return false }
    var values = FixValues(fix, boottime: boottime, after: slots[index]?.fixes.last ?? FixValues())
    var slot: StreamSlot
    var newRecords: UInt16 = 1
    if let current = slots[index], current.descriptor == descriptor, current.fixes.fits(values) {
      slot = current
    } else {
      values = FixValues(fix, boottime: boottime, after: FixValues())
      let isCoarse =
        slots[index] == nil && FixStream(positionUnit: FixStream.coarseUnit).fits(values)
      let unit = isCoarse ? FixStream.coarseUnit : 1
      slot = StreamSlot(descriptor: descriptor, fixes: FixStream(positionUnit: unit))
      appendRecord(RecordKind.stream.tag(slot: UInt8(index))) {
        descriptor.append(to: &$0, positionUnit: unit)
      }
      newRecords = 2
    }
    let (groups, isAlike) = slot.fixes.groups(
      of: values, canBeAlike: header.codec.hasAlikeFixes)
    appendRecord((isAlike ? RecordKind.alikeFix : .fix).tag(slot: UInt8(index))) {
      slot.fixes.encode(values, groups, withMask: !isAlike, to: &$0)
    }
    guard take(newRecords) else { return false }
    slots[index] = slot
    header.streams |= 1 << UInt32(index)
    note(time: fix.time)
    return true
  }

  mutating func append(_ event: LogEvent) -> Bool {
    scratch.removeAll()
    appendRecord(RecordKind.event.tag()) { event.append(to: &$0) }
    guard take(1) else { return false }
    header.flags.insert(.hasEvents)
    note(time: event.time)
    return true
  }

  /// - Parameter isRepeated: Whether it only says again, for this block, what is known already.
  mutating func append(_ record: ClockRecord, isRepeated: Bool) -> Bool {
    scratch.removeAll()
    appendRecord(RecordKind.clock.tag(slot: isRepeated ? 1 : 0)) { record.append(to: &$0) }
    guard take(1) else { return false }
    clock = record
    if !isRepeated, record.isTrusted { note(time: record.time) }
    return true
  }

  /// The slot of the receiver, or a free one.
  private func slotIndex(of descriptor: StreamDescriptor) -> Int? {
    slots.firstIndex { $0?.descriptor.receiverID == descriptor.receiverID }
      ?? slots.firstIndex { $0 == nil }
  }

  /// Composes a record behind what `scratch` holds: tag, length, payload.
  private mutating func appendRecord(_ tag: UInt8, _ payload: (inout OutputBuffer) -> Void) {
    scratch.append(byte: tag)
    let start = scratch.count
    payload(&scratch)
    let byteCount = scratch.count - start
    scratch.insert(varint: UInt64(byteCount), at: start)
  }

  private mutating func take(_ recordCount: UInt16) -> Bool {
    guard scratch.count <= bytes.count - used, header.recordCount <= UInt16.max - recordCount else {
      return false
    }
    bytes.replaceSubrange(used..<used + scratch.count, with: scratch.bytes)
    used += scratch.count
    header.payloadByteCount = UInt16(used - BlockHeader.byteCount)
    header.recordCount += recordCount
    return true
  }

  private mutating func note(time: UTCTime?) {
    guard let microseconds = time?.microseconds else {
      header.flags.insert(.hasUntimed)
      return
    }
    let isFirst = !header.hasTimes
    header.timeFirst = isFirst ? microseconds : min(header.timeFirst, microseconds)
    header.timeLast = isFirst ? microseconds : max(header.timeLast, microseconds)
    eraTimeMax = max(eraTimeMax, microseconds)
  }
}
