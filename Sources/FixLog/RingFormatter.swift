/// Makes a storage a ring.
package enum RingFormatter {
  /// One order writes at most this much. Bytes.
  private static let pieceByteCount = 1 << 20

  /// The orders that turn a storage of the right size into an empty ring: zeros everywhere, then
  /// the superblocks, so that a ring half made is none.
  package static func orders(_ superblock: Superblock) -> [StorageOrder] {
    zeros(0..<superblock.geometry.byteCount)
      + (0...1).map { copy in
        StorageOrder(
          offset: superblock.geometry.offset(ofSuperblock: copy),
          bytes: superblock.image(copy: copy))
      }
  }

  /// Zeros over a range of bytes.
  package static func zeros(_ range: Range<Int>) -> [StorageOrder] {
    let piece = [UInt8](repeating: 0, count: pieceByteCount)
    return stride(from: range.lowerBound, to: range.upperBound, by: pieceByteCount).map { offset in
      let count = min(pieceByteCount, range.upperBound - offset)
      return StorageOrder(
        offset: offset, bytes: count == pieceByteCount ? piece : Array(piece.prefix(count)))
    }
  }
}
