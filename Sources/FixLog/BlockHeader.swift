import Bytes
import GNSS

/// The 64 bytes at the head of every block, of ring blocks and tail images alike.
package struct BlockHeader: Equatable, Sendable {
  package struct Flags: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let sealed = Flags(rawValue: 1)
    package static let tailImage = Flags(rawValue: 2)
    package static let hasEvents = Flags(rawValue: 4)
    package static let hasUntimed = Flags(rawValue: 8)
  }

  package var sequence: UInt64 = 0
  /// The writer's incarnation: grows by one each time the log is opened for writing.
  package var epoch: UInt32 = 0
  /// The checksum of the block before; 0 if there is none.
  package var previousChecksum: UInt32 = 0
  /// The earliest and latest known time of its records, microseconds of UTC. Without any, the first
  /// is `Int64.max` and the second the latest time of the era so far, so that blocks of an era stay
  /// in the order of `timeLast`.
  package var timeFirst = Int64.max
  package var timeLast = Int64.min
  /// Grows by one when time goes back; within an era blocks are in the order of time.
  package var era: UInt32 = 0
  package var recordCount: UInt16 = 0
  package var payloadByteCount: UInt16 = 0
  /// Bit n: stream slot n occurs.
  package var streams: UInt32 = 0
  package var flags: Flags = []
  package var codec = Codec.second
  /// GPS time minus UTC, seconds; `nil` while unknown.
  package var leapSeconds: Int8?
  package var leapStatus: UInt8 = 0
  package var ringIDLow: UInt64 = 0

  package static let byteCount = 64
  package static let magic: UInt32 = 0x424c_4e42  // "BNLB"

  /// How the records of a block are written. Those of a later codec than the second are read as far
  /// as they can be.
  package struct Codec: RawRepresentable, Equatable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let first = Codec(rawValue: 1)
    /// A fix may leave out which groups it holds, where the one before held the same.
    package static let second = Codec(rawValue: 2)

    var hasAlikeFixes: Bool { rawValue >= Self.second.rawValue }
  }

  package init() {}

  /// Whether any record has a known time.
  package var hasTimes: Bool { timeFirst <= timeLast }

  /// Where the block stands among images of the same block: the higher one is newer.
  package func isOlder(than other: BlockHeader) -> Bool {
    (epoch, sequence, recordCount) < (other.epoch, other.sequence, other.recordCount)
  }

  /// Reads and checks a block: magic number, checksum, ring and lengths. `nil` where it is none.
  package init?(checking block: ByteView, ringID: RingID) {
    guard block.count >= Self.byteCount,
      block.littleEndian(at: 0, as: UInt32.self) == Self.magic,
      block.littleEndian(at: 56, as: UInt64.self) == ringID.low,
      block.checksum(withoutWordAt: 4) == block.littleEndian(at: 4, as: UInt32.self)
    else { return nil }
    self.init(parsing: block)
    guard Int(payloadByteCount) <= block.count - Self.byteCount else { return nil }
  }

  private init(parsing block: ByteView) {
    sequence = block.littleEndian(at: 8, as: UInt64.self)
    epoch = block.littleEndian(at: 16, as: UInt32.self)
    previousChecksum = block.littleEndian(at: 20, as: UInt32.self)
    timeFirst = block.littleEndian(at: 24, as: Int64.self)
    timeLast = block.littleEndian(at: 32, as: Int64.self)
    era = block.littleEndian(at: 40, as: UInt32.self)
    recordCount = block.littleEndian(at: 44, as: UInt16.self)
    payloadByteCount = block.littleEndian(at: 46, as: UInt16.self)
    streams = block.littleEndian(at: 48, as: UInt32.self)
    flags = Flags(rawValue: block[52])
    codec = Codec(rawValue: block[53])
    let leap = Int8(bitPattern: block[54])
    leapSeconds = leap == Int8.min ? nil : leap
    leapStatus = block[55]
    ringIDLow = block.littleEndian(at: 56, as: UInt64.self)
  }

  /// Writes the header over the first 64 bytes of `block`, which are there, with the checksum of
  /// the whole.
  package func stamp(_ block: inout [UInt8]) {
    block.withUnsafeMutableBytes { bytes in
      func put(_ value: some FixedWidthInteger, at offset: Int) {
        bytes.storeBytes(of: value.littleEndian, toByteOffset: offset, as: type(of: value))
      }
      put(Self.magic, at: 0)
      put(UInt32(0), at: 4)
      put(sequence, at: 8)
      put(epoch, at: 16)
      put(previousChecksum, at: 20)
      put(timeFirst, at: 24)
      put(timeLast, at: 32)
      put(era, at: 40)
      put(recordCount, at: 44)
      put(payloadByteCount, at: 46)
      put(streams, at: 48)
      put(flags.rawValue, at: 52)
      put(codec.rawValue, at: 53)
      put(leapSeconds ?? Int8.min, at: 54)
      put(leapStatus, at: 55)
      put(ringIDLow, at: 56)
    }
    let checksum = block.withByteView(CRC32C.checksum)
    block.withUnsafeMutableBytes {
      $0.storeBytes(of: checksum.littleEndian, toByteOffset: 4, as: UInt32.self)
    }
  }
}

/// A block whose checksum is right.
package struct LogBlock: Sendable {
  package let header: BlockHeader
  package let bytes: [UInt8]

  /// `nil` where `bytes` are no block of the ring.
  package init?(checking bytes: [UInt8], ringID: RingID) {
    guard let header = bytes.withByteView({ BlockHeader(checking: $0, ringID: ringID) }) else {
      return nil
    }
    (self.header, self.bytes) = (header, bytes)
  }

  /// The checksum that the next block repeats.
  package var checksum: UInt32 { bytes.withByteView { $0.littleEndian(at: 4, as: UInt32.self) } }

  /// Whether only zeros were ever written there.
  package static func isEmpty(_ bytes: [UInt8]) -> Bool {
    bytes.withByteView { view in
      stride(from: 0, to: BlockHeader.byteCount, by: 8).allSatisfy {
        view.load(at: $0, as: UInt64.self) == 0
      }
    }
  }
}
