import Bytes
import GNSS

/// Puts right what can be put right without touching a valid block: the superblocks. Damaged blocks
/// stay as they are until the writer comes round to them.
package enum RingRepair {
  /// What has to be written so that both copies of the superblock are valid again; nothing where
  /// they are.
  ///
  /// With both copies gone the superblock is made anew from the blocks and the size of the file,
  /// for the layout that rings are made with. Its date and the first half of its id are lost.
  package static func orders(for storage: any Storage) throws(LogError) -> [StorageOrder] {
    let copies = RingBlocks.validCopies(of: storage)
    guard copies.count < 2 else { return [] }
    let superblock: Superblock
    if let found = copies.first {
      superblock = found.superblock
    } else {
      superblock = try rebuilt(storage)
    }
    return (0...1).filter { copy in !copies.contains { $0.copy == copy } }.map { copy in
      StorageOrder(
        offset: superblock.geometry.offset(ofSuperblock: copy),
        bytes: superblock.image(copy: copy))
    }
  }

  /// Blocks looked at before a file is taken for something else.
  private static let probeCountMax = 4096

  private static func rebuilt(_ storage: any Storage) throws(LogError) -> Superblock {
    for shift in RingGeometry.blockShifts {
      guard let geometry = RingGeometry(byteCount: storage.byteCount, blockShift: shift),
        let ringID = ringID(storage, geometry)
      else { continue }
      return Superblock(
        geometry: geometry, ringID: ringID, created: UTCTime(microseconds: 0),
        creator: "log-check --repair")
    }
    throw .notARing
  }

  /// The ring id that valid blocks of this layout carry, each at its own place.
  private static func ringID(_ storage: any Storage, _ geometry: RingGeometry) -> RingID? {
    var bytes: [UInt8] = []
    for index in 0..<min(geometry.blockCount, probeCountMax) {
      let offset = geometry.dataOffset + index * geometry.blockSize
      guard (try? storage.read(at: offset, count: geometry.blockSize, into: &bytes)) != nil else {
        continue
      }
      let low = bytes.withByteView { $0.littleEndian(at: 56, as: UInt64.self) }
      let ringID = RingID(high: 0, low: low)
      if let block = LogBlock(checking: bytes, ringID: ringID),
        geometry.index(of: block.header.sequence) == index
      {
        return ringID
      }
    }
    return nil
  }
}
