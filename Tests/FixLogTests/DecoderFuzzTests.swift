import Bytes
import GNSS
import Testing

@testable import FixLog

/// Bytes that nobody wrote in good order: nothing traps, and no more is lost than was hit.
@Suite("Damaged bytes") struct DecoderFuzzTests {
  /// A ring with some full blocks.
  private static func filled() throws -> SimDisk {
    var random = SeededRandom(seed: 5)
    var harness = try LogHarness(LogFixtures.disk(blockCount: 6))
    for index in 0..<900 {
      let content: LogRecord.Content =
        index % 9 == 0
        ? .event(LogFixtures.note("step \(index)", index))
        : .fix(LogFixtures.fix(index, random: &random), LogFixtures.receiver)
      harness.append(content, boottime: LogFixtures.boottime(index))
    }
    harness.commit()
    return harness.disk
  }

  private static let geometry = LogFixtures.superblock(blockCount: 6).geometry

  @Test("every flipped bit of a block is noticed")
  func blockBits() throws {
    let bytes = try Self.filled().durableBytes(
      Self.geometry.offset(of: 1)..<Self.geometry.offset(of: 2))
    #expect(LogBlock(checking: bytes, ringID: LogFixtures.ringID) != nil)
    var unnoticed = 0
    for bit in 0..<bytes.count * 8 {
      var flipped = bytes
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      if LogBlock(checking: flipped, ringID: LogFixtures.ringID) != nil { unnoticed += 1 }
    }
    print("flipped bits: \(bytes.count * 8), unnoticed: \(unnoticed)")
    #expect(unnoticed == 0)
  }

  @Test("every flipped bit of a superblock is noticed, and the other copy serves")
  func superblockBits() throws {
    let bytes = LogFixtures.superblock(blockCount: 6).image(copy: 0)
    var unnoticed = 0
    for bit in 0..<bytes.count * 8 {
      var flipped = bytes
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      if (try? Superblock(parsing: flipped)) != nil { unnoticed += 1 }
    }
    #expect(unnoticed == 0)
    let disk = try Self.filled()
    disk.apply(SimDisk.Write(offset: 0, bytes: [0]))
    #expect(try LogReader(disk).readAll().records.count > 500)
    disk.apply(SimDisk.Write(offset: RingGeometry.spacing + 2000, bytes: [1]))
    #expect(throws: LogError.damagedSuperblock) { try LogReader(disk) }
  }

  @Test("a damaged block is one gap and the rest is read", arguments: 0..<4)
  func oneBlock(index: Int) throws {
    let disk = try Self.filled()
    let all = try LogReader(disk).readAll()
    #expect(all.gaps.isEmpty)
    disk.apply(
      SimDisk.Write(
        offset: Self.geometry.dataOffset + index * Self.geometry.blockSize + 777, bytes: [0xa5]))
    let reader = try LogReader(disk)
    let (records, gaps) = reader.readAll()
    #expect(gaps.count <= 1 && gaps.allSatisfy { $0.blockCount == 1 && $0.cause == .damaged })
    #expect(records.count < all.records.count || gaps.isEmpty)
    #expect(records.count > all.records.count - 400)
  }

  @Test("a file cut anywhere in the last block, or anywhere at all, opens or says why")
  func truncated() throws {
    let disk = try Self.filled()
    let whole = disk.byteCount
    let cuts =
      Array(stride(from: whole - 1, to: whole - 4097, by: -61))
      + stride(from: whole - 4097, to: 0, by: -9973) + [4096, 100, 1, 0]
    for byteCount in cuts {
      disk.resize(to: byteCount)
      if let reader = try? LogReader(disk) { _ = reader.readAll() }
      #expect(throws: LogError.self) { try RecoveredLog(opening: disk) }
    }
  }

  @Test("payloads of noise under a right checksum", arguments: [UInt64](1...8))
  func crafted(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let good = try Self.filled().durableBytes(
      Self.geometry.offset(of: 1)..<Self.geometry.offset(of: 2))
    var header = try #require(LogBlock(checking: good, ringID: LogFixtures.ringID)).header
    for _ in 0..<100 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...60, using: &random) {
        let index = Int.random(in: 64..<bytes.count, using: &random)
        bytes[index] =
          [0, 0x7f, 0x80, 0xff, UInt8.random(in: 0...255, using: &random)]
          .randomElement(using: &random) ?? 0
      }
      header.recordCount = UInt16.random(in: 0...(.max), using: &random)
      header.payloadByteCount = UInt16.random(in: 0...4032, using: &random)
      header.stamp(&bytes)
      let block = try #require(LogBlock(checking: bytes, ringID: LogFixtures.ringID))
      var records = BlockRecords(block)
      var count = 0
      while records.next() != nil { count += 1 }
      #expect(count <= 4032 / 2)
      var resumed = OpenBlock(resuming: block, epoch: 2, eraTimeMax: .min)
      _ = resumed.image(flags: [])
    }
  }

  @Test("a superblock of absurd numbers under a right checksum is refused", arguments: 0..<200)
  func craftedSuperblock(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    var bytes = LogFixtures.superblock(blockCount: 6).image(copy: 0)
    for _ in 0..<4 {
      let offset = [28, 56, 60, 63, 64, 68, 72, 76].randomElement(using: &random) ?? 28
      bytes[offset] = UInt8.random(in: 0...255, using: &random)
    }
    for index in 8..<12 { bytes[index] = 0 }
    let checksum = bytes.withByteView(CRC32C.checksum)
    withUnsafeBytes(of: checksum.littleEndian) { bytes.replaceSubrange(8..<12, with: $0) }
    let disk = SimDisk(byteCount: 300_000)
    disk.apply(SimDisk.Write(offset: 0, bytes: bytes))
    if let reader = try? LogReader(disk) { _ = reader.next() }
  }

  @Test("what is no ring is told from what is a newer one")
  func foreign() {
    let text = SimDisk(byteCount: 300_000)
    text.apply(SimDisk.Write(offset: 0, bytes: Array("$GPGGA,".utf8)))
    #expect(throws: LogError.notARing) { try RecoveredLog(opening: text) }
    #expect(throws: LogError.notARing) { try LogReader(SimDisk(byteCount: 0)) }
    var newer = LogFixtures.superblock(blockCount: 6)
    newer.versionMajor = 2
    #expect(throws: LogError.unknownVersion(major: 2)) { try LogReader(disk(newer)) }
    var strange = LogFixtures.superblock(blockCount: 6)
    strange.incompatible = 4
    #expect(throws: LogError.unknownFeatures(4)) { try LogReader(disk(strange)) }
    var readOnly = LogFixtures.superblock(blockCount: 6)
    readOnly.readOnlyCompatible = 8
    #expect(throws: Never.self) { try LogReader(disk(readOnly)) }
    #expect(throws: LogError.readOnlyFeatures(8)) { try RecoveredLog(opening: disk(readOnly)) }
  }

  private func disk(_ superblock: Superblock) -> SimDisk {
    let disk = SimDisk(byteCount: superblock.geometry.byteCount)
    disk.apply(SimDisk.Write(offset: 0, bytes: superblock.image(copy: 0)))
    return disk
  }
}
