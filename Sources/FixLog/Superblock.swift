import Bytes
import GNSS

/// What a ring is: written when it is created or purged, never while logging. There are two copies;
/// the valid one of the higher generation counts.
package struct Superblock: Equatable, Sendable {
  package var geometry: RingGeometry
  package var ringID: RingID
  package var created: UTCTime
  package var versionMajor: UInt16 = 1
  package var versionMinor: UInt16 = 0
  /// Features that a reader must know, that a writer must know, and that nobody must know.
  package var incompatible = Superblock.secondCodec
  package var readOnlyCompatible: UInt32 = 0
  package var compatible: UInt32 = 0
  /// Grows by one with every rewrite.
  package var generation: UInt64 = 1
  /// Blocks of lower sequence numbers are void: purged.
  package var sequenceMin: UInt64 = 0
  /// The ring that this one was converted from, and its last sequence number.
  package var previousRing = RingID.none
  package var previousSequence: UInt64 = 0
  /// How far a time may lie before the latest of its era. Milliseconds.
  package var skewToleranceMilliseconds: UInt32 = 5000
  /// Positions are rounded to multiples of this, 1e-9 degrees; 0 keeps them as they are.
  package var positionGrid: UInt32 = 0
  /// The program that made the ring; at most 64 bytes of UTF-8.
  package var creator = ""

  /// The blocks are of the second codec.
  package static let secondCodec: UInt32 = 1

  package static let magic: [UInt8] = [0x89, 0x42, 0x4e, 0x52, 0x47, 0x0d, 0x0a, 0x1a]
  package static let versionMajorKnown: UInt16 = 1
  private static let creatorByteCountMax = 64

  package init(geometry: RingGeometry, ringID: RingID, created: UTCTime, creator: String = "") {
    (self.geometry, self.ringID) = (geometry, ringID)
    (self.created, self.creator) = (created, creator)
  }

  /// Of the blocks that are written. A ring made before the second goes on with the first.
  var codec: BlockHeader.Codec { incompatible & Self.secondCodec == 0 ? .first : .second }

  /// The bytes of one copy.
  package func image(copy: Int) -> [UInt8] {
    var output = OutputBuffer(capacity: RingGeometry.superblockByteCount)
    output.append(bytes: Self.magic)
    output.append(littleEndian: UInt32(0))
    output.append(littleEndian: versionMajor)
    output.append(littleEndian: versionMinor)
    for features in [incompatible, readOnlyCompatible, compatible] {
      output.append(littleEndian: features)
    }
    output.append(byte: geometry.blockShift)
    output.append(byte: UInt8(truncatingIfNeeded: copy))
    output.append(littleEndian: UInt16(0))
    output.append(littleEndian: ringID.high)
    output.append(littleEndian: ringID.low)
    output.append(littleEndian: created.microseconds)
    output.append(littleEndian: UInt64(geometry.blockCount))
    output.append(littleEndian: UInt64(geometry.dataOffset))
    output.append(littleEndian: UInt32(geometry.slotSpacing))
    output.append(littleEndian: UInt32(2))
    output.append(littleEndian: generation)
    output.append(littleEndian: sequenceMin)
    output.append(littleEndian: previousRing.high)
    output.append(littleEndian: previousRing.low)
    output.append(littleEndian: previousSequence)
    output.append(littleEndian: skewToleranceMilliseconds)
    output.append(littleEndian: positionGrid)
    output.append(text: creator.cut(toByteCount: Self.creatorByteCountMax))
    output.append(count: RingGeometry.superblockByteCount - output.count, of: 0)
    output.replace(at: 8, littleEndian: output.withByteView(CRC32C.checksum))
    return output.bytes
  }

  /// Reads one copy.
  package init(parsing bytes: [UInt8]) throws(LogError) {
    guard bytes.count == RingGeometry.superblockByteCount,
      bytes.prefix(Self.magic.count).elementsEqual(Self.magic)
    else { throw .notARing }
    let parsed = try bytes.withByteView { view -> Result<Superblock, LogError> in
      Result { () throws(LogError) in try Superblock(checking: view) }
    }.get()
    self = parsed
  }

  private init(checking view: ByteView) throws(LogError) {
    guard view.checksum(withoutWordAt: 8) == view.littleEndian(at: 8, as: UInt32.self) else {
      throw .damagedSuperblock
    }
    versionMajor = view.littleEndian(at: 12, as: UInt16.self)
    guard versionMajor == Self.versionMajorKnown else {
      throw .unknownVersion(major: versionMajor)
    }
    guard let shape = Self.geometry(view) else { throw .damagedSuperblock }
    geometry = shape
    versionMinor = view.littleEndian(at: 14, as: UInt16.self)
    incompatible = view.littleEndian(at: 16, as: UInt32.self)
    readOnlyCompatible = view.littleEndian(at: 20, as: UInt32.self)
    compatible = view.littleEndian(at: 24, as: UInt32.self)
    let unknown = incompatible & ~Self.secondCodec
    guard unknown == 0 else { throw .unknownFeatures(unknown) }
    ringID = RingID(
      high: view.littleEndian(at: 32, as: UInt64.self),
      low: view.littleEndian(at: 40, as: UInt64.self))
    created = UTCTime(microseconds: view.littleEndian(at: 48, as: Int64.self))
    generation = view.littleEndian(at: 80, as: UInt64.self)
    sequenceMin = view.littleEndian(at: 88, as: UInt64.self)
    previousRing = RingID(
      high: view.littleEndian(at: 96, as: UInt64.self),
      low: view.littleEndian(at: 104, as: UInt64.self))
    previousSequence = view.littleEndian(at: 112, as: UInt64.self)
    skewToleranceMilliseconds = view.littleEndian(at: 120, as: UInt32.self)
    positionGrid = view.littleEndian(at: 124, as: UInt32.self)
    let text = view.extracting(128..<128 + Self.creatorByteCountMax)
    creator = text.extracting(0..<(text.firstIndex(of: 0) ?? text.count)).text
  }

  private static func geometry(_ view: ByteView) -> RingGeometry? {
    guard let count = Int(exactly: view.littleEndian(at: 56, as: UInt64.self)),
      let offset = Int(exactly: view.littleEndian(at: 64, as: UInt64.self)),
      view.littleEndian(at: 76, as: UInt32.self) == 2
    else { return nil }
    return RingGeometry(
      blockShift: view[28], blockCount: count, dataOffset: offset,
      slotSpacing: Int(view.littleEndian(at: 72, as: UInt32.self)))
  }
}

extension ByteView {
  /// The CRC-32C of all bytes, the four at `offset` taken as zero.
  func checksum(withoutWordAt offset: Int) -> UInt32 {
    var crc = CRC32C()
    crc.update(extracting(0..<offset))
    crc.updateZeroWord()
    crc.update(extracting(offset + 4..<count))
    return crc.value
  }
}

extension CRC32C {
  fileprivate mutating func updateZeroWord() {
    withUnsafeBytes(of: UInt32(0)) { update(ByteView($0)) }
  }
}

extension String {
  /// The longest beginning that is whole characters and fits in `byteCount` bytes of UTF-8.
  func cut(toByteCount byteCount: Int) -> String {
    guard utf8.count > byteCount else { return self }
    var result = ""
    var used = 0
    for character in self {
      used += character.utf8.count
      if used > byteCount { break }
      result.append(character)
    }
    return result
  }
}
