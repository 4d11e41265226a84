import Bytes
import GNSS

@testable import FixLog

/// A full ring of any size whose blocks are made when they are read: one event a block, a block
/// each four minutes, as at one fix a second.
final class SyntheticRing: Storage {
  let superblock: Superblock
  let newest: UInt64
  let hasTails: Bool
  private(set) var readCount = 0
  /// Blocks that fail their check.
  var damaged: (UInt64) -> Bool = { _ in false }

  static let blockPeriod = Duration.seconds(240)

  init(blockCount: Int, newest: UInt64, hasTails: Bool = true) {
    superblock = LogFixtures.superblock(blockCount: blockCount)
    (self.newest, self.hasTails) = (newest, hasTails)
  }

  var byteCount: Int { superblock.geometry.byteCount }

  static func time(of sequence: UInt64) -> UTCTime {
    LogFixtures.start + .seconds(Int(sequence) * 240)
  }

  func read(at offset: Int, count: Int, into buffer: inout [UInt8]) throws(StorageError) {
    readCount += 1
    let geometry = superblock.geometry
    buffer = [UInt8](repeating: 0, count: count)
    if offset == geometry.offset(ofSuperblock: 0) || offset == geometry.offset(ofSuperblock: 1) {
      buffer = superblock.image(copy: offset == 0 ? 0 : 1)
    } else if offset < geometry.dataOffset {
      guard hasTails else { return }
      let slot = offset == geometry.offset(ofSlot: 0) ? 0 : 1
      buffer = block(newest + 1, records: 3 + slot, flags: .tailImage)
    } else {
      let index = (offset - geometry.dataOffset) / geometry.blockSize
      let lapStart = newest - UInt64(geometry.index(of: newest))
      let here = lapStart + UInt64(index)
      guard here <= newest || lapStart > 0 else { return }
      let sequence = here <= newest ? here : here - UInt64(geometry.blockCount)
      guard !damaged(sequence) else {
        buffer[0] = 1
        return
      }
      buffer = block(sequence, records: 2, flags: .sealed)
    }
  }

  private func block(_ sequence: UInt64, records: Int, flags: BlockHeader.Flags) -> [UInt8] {
    var header = BlockHeader()
    (header.sequence, header.epoch, header.ringIDLow) = (sequence, 1, superblock.ringID.low)
    var open = OpenBlock(header, blockSize: superblock.geometry.blockSize, eraTimeMax: .min)
    for index in 0..<records {
      let event = LogEvent(
        .configuration, time: Self.time(of: sequence) + .seconds(index), boottime: .zero)
      _ = open.append(event)
    }
    return open.image(flags: flags)
  }

  func write(at offset: Int, _ bytes: ByteView) throws(StorageError) { throw .readOnly }
  func sync() throws(StorageError) {}
}
