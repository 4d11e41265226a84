import Bytes
import GNSS

@testable import FixLog

/// A ring of three blocks and a tail image with right checksums, whose headers and records are the
/// input's.
enum RingFuzz {
  private static let ringID = RingID(high: 1, low: 2)
  private static let itemCountMax = 20_000

  static func run(_ input: ByteView) {
    guard let geometry = RingGeometry(byteCount: RingGeometry.byteCountMin) else { return }
    let storage = Memory(byteCount: geometry.byteCount)
    let superblock = Superblock(
      geometry: geometry, ringID: ringID, created: UTCTime(seconds: 1_800_000_000))
    for copy in 0...1 {
      storage.put(superblock.image(copy: copy), at: geometry.offset(ofSuperblock: copy))
    }
    var rest = ByteReader(input)
    for place in 0...3 {
      guard let block = block(&rest, geometry.blockSize, isTail: place == 3) else { break }
      let offset =
        place == 3 ? geometry.offset(ofSlot: 0) : geometry.offset(of: UInt64(place))
      storage.put(block, at: offset)
    }
    var query = LogQuery()
    query.kinds = [.fixes, .events, .clocks]
    if let reader = try? LogReader(storage, query: query) {
      var count = 0
      while reader.next() != nil { count += 1 }
      precondition(count < itemCountMax, "more records than the blocks can hold")
      reader.refresh()
      while reader.next() != nil {}
    }
    _ = try? LogCheck(storage)
  }

  /// Eight bytes for the header, then the payload up to a length that they give.
  private static func block(
    _ rest: inout ByteReader, _ byteCount: Int, isTail: Bool
  ) -> [UInt8]? {
    guard let head = rest.bytes(8) else { return nil }
    var header = BlockHeader()
    header.sequence = UInt64(head[0])
    header.epoch = UInt32(head[1])
    header.era = UInt32(head[2])
    header.timeFirst = Int64(Int8(bitPattern: head[3])) << 46
    header.timeLast = Int64(Int8(bitPattern: head[4])) << 46
    header.recordCount = UInt16(head[5])
    header.flags = isTail ? .tailImage : .sealed
    header.streams = 0xffff
    header.ringIDLow = ringID.low
    let length = min(Int(head[6]) << 2, rest.remaining)
    guard let payload = rest.bytes(length) else { return nil }
    header.payloadByteCount = UInt16(length)
    var block = [UInt8](repeating: 0, count: byteCount)
    payload.withUnsafeBytes {
      block.replaceSubrange(BlockHeader.byteCount..<BlockHeader.byteCount + length, with: $0)
    }
    header.stamp(&block)
    return block
  }

  private final class Memory: Storage {
    private var bytes: [UInt8]
    init(byteCount: Int) { bytes = [UInt8](repeating: 0, count: byteCount) }
    var byteCount: Int { bytes.count }

    func put(_ block: [UInt8], at offset: Int) {
      bytes.replaceSubrange(offset..<offset + block.count, with: block)
    }

    func read(at offset: Int, count: Int, into buffer: inout [UInt8]) throws(StorageError) {
      guard offset >= 0, count >= 0, offset <= bytes.count - count else {
        throw .pastEnd
      }
      buffer.replaceSubrange(buffer.indices, with: bytes[offset..<offset + count])
    }

    func write(at offset: Int, _ bytes: ByteView) throws(StorageError) { throw .readOnly }
    func sync() throws(StorageError) {}
  }
}
