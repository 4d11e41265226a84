/// Where everything lies in a ring: sizes and offsets, in bytes from the start of the storage.
package struct RingGeometry: Equatable, Sendable {
  /// log2 of the block size.
  package let blockShift: UInt8
  /// Ring blocks, N.
  package let blockCount: Int
  /// Of ring block 0.
  package let dataOffset: Int
  /// From tail slot A to tail slot B.
  package let slotSpacing: Int

  /// 4 KiB to 64 KiB.
  package static let blockShifts: ClosedRange<UInt8> = 12...16
  package static let superblockByteCount = 4096
  /// The copies and slots lie this far apart: on different flash pages, whatever their size.
  package static let spacing = 65_536
  /// Fewer leave no room between the oldest block and the one being written.
  package static let blockCountMin = 3
  /// A terabyte of the smallest blocks.
  package static let blockCountMax = 1 << 28
  package static let defaultByteCount = 64 << 20

  package var blockSize: Int { 1 << Int(blockShift) }
  package var byteCount: Int { dataOffset + blockCount * blockSize }

  /// `nil` where the numbers, which may come from a damaged superblock, make no ring.
  package init?(blockShift: UInt8, blockCount: Int, dataOffset: Int, slotSpacing: Int) {
    guard Self.blockShifts.contains(blockShift),
      (Self.blockCountMin...Self.blockCountMax).contains(blockCount),
      (1 << Int(blockShift)...Self.spacing).contains(slotSpacing),
      (2 * Self.spacing + 2 * slotSpacing...1 << 30).contains(dataOffset)
    else { return nil }
    (self.blockShift, self.blockCount) = (blockShift, blockCount)
    (self.dataOffset, self.slotSpacing) = (dataOffset, slotSpacing)
  }

  /// The largest ring of at most `byteCount` bytes; `nil` below `byteCountMin`.
  package init?(byteCount: Int, blockShift: UInt8 = 12) {
    guard byteCount > 0, Self.blockShifts.contains(blockShift) else { return nil }
    self.init(
      blockShift: blockShift, blockCount: (byteCount - 4 * Self.spacing) >> Int(blockShift),
      dataOffset: 4 * Self.spacing, slotSpacing: Self.spacing)
  }

  /// The smallest ring of 4 KiB blocks: 268 KiB.
  package static let byteCountMin = 4 * spacing + blockCountMin * 4096

  package func offset(ofSuperblock copy: Int) -> Int { copy == 0 ? 0 : Self.spacing }
  package func offset(ofSlot slot: Int) -> Int {
    2 * Self.spacing + (slot == 0 ? 0 : slotSpacing)
  }
  package func index(of sequence: UInt64) -> Int { Int(sequence % UInt64(blockCount)) }
  package func offset(of sequence: UInt64) -> Int { dataOffset + index(of: sequence) * blockSize }
}

/// The 16 bytes that tell one ring from every other, drawn at random when it is created.
package struct RingID: Hashable, Sendable {
  /// Bytes 0...7 and 8...15, little-endian. Every block carries the second half.
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }
  package static let none = RingID(high: 0, low: 0)
}
