import Bytes

/// A copy, in memory that outlives the process (tmpfs), of all that the ring does not hold yet.
///
/// A killed process loses nothing by it, and `--follow` sees a record as soon as it is appended.
/// The mirror is as long as `byteCount(of:)`: two slots for images of the open block, written in
/// turn so that one is always whole, then one place for each full block that may wait.
package enum TailMirror {
  package static func byteCount(of geometry: RingGeometry) -> Int {
    (2 + LogWriter.sealedCountMax) * geometry.blockSize
  }

  static func offset(ofSlot slot: Int, _ geometry: RingGeometry) -> Int {
    slot * geometry.blockSize
  }

  static func offset(ofSealed sequence: UInt64, _ geometry: RingGeometry) -> Int {
    (2 + Int(sequence % UInt64(LogWriter.sealedCountMax))) * geometry.blockSize
  }
}

/// How far the mirror is.
struct MirrorState {
  /// The slot that the next image of the open block goes to.
  var slot = 0
  /// Full blocks below this are in the mirror.
  var sequenceNext: UInt64 = 0
}

extension LogWriter {
  /// Brings the mirror up to date. To be called after each append; costs one block's copy.
  package mutating func mirror(to tail: any Storage) throws(StorageError) {
    let geometry = superblock.geometry
    for block in sealed where block.header.sequence >= mirroring.sequenceNext {
      let offset = TailMirror.offset(ofSealed: block.header.sequence, geometry)
      try StorageOrder(offset: offset, bytes: block.image).write(to: tail)
      mirroring.sequenceNext = block.header.sequence &+ 1
    }
    let offset = TailMirror.offset(ofSlot: mirroring.slot, geometry)
    try StorageOrder(offset: offset, bytes: open.image(flags: .tailImage)).write(to: tail)
    mirroring.slot = 1 - mirroring.slot
  }
}
