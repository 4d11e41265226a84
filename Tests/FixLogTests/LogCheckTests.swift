import GNSS
import Testing

@testable import FixLog

@Suite("Check, repair and copy") struct LogCheckTests {
  /// A ring with `count` records, one in ten an event, the others fixes of a moving receiver.
  private func filled(_ count: Int) throws -> SimDisk {
    var random = SeededRandom(seed: 8)
    var harness = try LogHarness(LogFixtures.disk(blockCount: 8))
    for index in 0..<count {
      harness.now = LogFixtures.boottime(index)
      harness.append(
        index % 10 == 9
          ? .event(LogFixtures.note("step \(index)", index))
          : .fix(LogFixtures.fix(index, random: &random), LogFixtures.receiver),
        boottime: harness.now)
    }
    harness.commit()
    return harness.disk
  }

  private func times(_ disk: SimDisk) throws -> [UTCTime?] {
    try LogReader(disk).readAll().records.map(\.time)
  }

  @Test("a whole ring is whole, and counted")
  func whole() throws {
    let check = try LogCheck(filled(1000))
    #expect(!check.isDamaged)
    #expect(check.fixCount == 900 && check.eventCount == 100)
    #expect(check.superblockCount == 2 && check.slotCount == 2 && check.tornSlotCount == 0)
    #expect(check.receivers.map(\.fixCount) == [900])
    #expect(check.earliest == LogFixtures.start)
    #expect(check.latest == LogFixtures.start + .seconds(999))
    #expect((14...24).contains(try #require(check.bytesPerFix)))
    let days = try #require(check.retention).inSeconds / 86_400
    #expect((0.01...0.03).contains(days))
    #expect(try #require(check.bytesPerDay(commitInterval: .seconds(10))) > 8640 * 4096)
  }

  @Test("an empty ring is whole")
  func empty() throws {
    let check = try LogCheck(LogFixtures.disk(blockCount: 8))
    #expect(!check.isDamaged && check.bytesPerFix == nil && check.retention == nil)
  }

  @Test("damage is found: a block, a superblock, both tail slots, a cut file")
  func damage() throws {
    let geometry = LogFixtures.superblock(blockCount: 8).geometry
    for place in [geometry.offset(of: 1) + 900, 100, RingGeometry.spacing + 100] {
      let disk = try filled(1000)
      disk.apply(SimDisk.Write(offset: place, bytes: [0x55]))
      #expect(try LogCheck(disk).isDamaged, "at \(place)")
    }
    let torn = try filled(1000)
    for slot in 0...1 {
      torn.apply(SimDisk.Write(offset: geometry.offset(ofSlot: slot) + 80, bytes: [0x55]))
    }
    #expect(try LogCheck(torn).isDamaged)
    let cut = try filled(1000)
    cut.resize(to: cut.byteCount - 1)
    #expect(try LogCheck(cut).isDamaged)
  }

  @Test("one superblock is restored from the other", arguments: [0, 1])
  func repairOne(copy: Int) throws {
    let disk = try filled(1000)
    let before = try times(disk)
    disk.apply(SimDisk.Write(offset: copy * RingGeometry.spacing + 50, bytes: [1, 2, 3]))
    let orders = try RingRepair.orders(for: disk)
    #expect(orders.count == 1)
    for order in orders { try order.write(to: disk) }
    #expect(try !LogCheck(disk).isDamaged)
    #expect(try times(disk) == before)
    #expect(try RingRepair.orders(for: disk).isEmpty)
  }

  @Test("both superblocks are made anew from the blocks")
  func repairBoth() throws {
    let disk = try filled(3000)
    let before = try times(disk)
    let erased = [UInt8](repeating: 0xff, count: RingGeometry.superblockByteCount)
    for copy in 0...1 {
      disk.apply(SimDisk.Write(offset: copy * RingGeometry.spacing, bytes: erased))
    }
    for order in try RingRepair.orders(for: disk) { try order.write(to: disk) }
    #expect(try !LogCheck(disk).isDamaged)
    #expect(try times(disk) == before)
  }

  @Test("what is no ring is not repaired into one")
  func repairForeign() {
    let disk = SimDisk(byteCount: 400_000)
    disk.apply(SimDisk.Write(offset: 1000, bytes: Array("precious".utf8)))
    #expect(throws: LogError.notARing) { try RingRepair.orders(for: disk) }
  }

  /// A copy with `blockCount` blocks.
  private func copied(_ source: SimDisk, blockCount: Int) throws -> SimDisk {
    var superblock = LogFixtures.superblock(blockCount: blockCount)
    superblock.ringID = RingID(high: 77, low: 78)
    let target = SimDisk(byteCount: superblock.geometry.byteCount)
    var copy = try RingCopy(from: source, mirror: nil, like: superblock)
    while let order = copy.next() { try order.write(to: target) }
    #expect(throws: LogError.notARing) { try LogReader(target) }
    for order in copy.superblockOrders() { try order.write(to: target) }
    try target.sync()
    return target
  }

  @Test("a copy holds the same, as far as it fits", arguments: [3, 5, 8, 20])
  func copy(blockCount: Int) throws {
    let source = try filled(2600)
    let before = try times(source)
    let target = try copied(source, blockCount: blockCount)
    let after = try times(target)
    #expect(after == before.suffix(after.count))
    #expect(after.count == before.count || blockCount < 8)
    #expect(after.count > 300)
    #expect(try !LogCheck(target).isDamaged)
    var harness = try LogHarness(target)
    harness.append(.event(LogFixtures.note("on", 5000)))
    #expect(try times(target).count == after.count + 1)
  }

  @Test("a cursor of the old ring goes on in its copy")
  func cursorSurvivesCopy() throws {
    let source = try filled(300)
    let reader = try LogReader(source)
    var cursor: LogCursor?
    for _ in 0..<200 {
      if case .record(_, let place)? = reader.next() { cursor = place }
    }
    var query = LogQuery()
    query.cursor = LogCursor(text: try #require(cursor).text)
    let (records, gaps) = try LogReader(copied(source, blockCount: 12), query: query).readAll()
    #expect(gaps.isEmpty && records.count == 100)
  }

  @Test("a purge leaves nothing, nor does a crash in its midst")
  func purge() throws {
    let disk = try filled(2600)
    var harness = try LogHarness(disk)
    harness.writer.purge()
    var orderCount = 0
    while let order = harness.writer.nextOrder(at: harness.now) {
      harness.writer.orderFinished(order.execute(on: disk), at: harness.now)
      orderCount += 1
      let after = SimDisk(after: disk, parts: [])
      #expect(try times(after).isEmpty)
      _ = try RecoveredLog(opening: after)
    }
    #expect(orderCount > 3)
    let geometry = LogFixtures.superblock(blockCount: 8).geometry
    let rest = disk.durableBytes(geometry.offset(ofSlot: 0)..<geometry.byteCount)
    #expect(rest == [UInt8](repeating: 0, count: rest.count))
    harness.append(.event(LogFixtures.note("anew", 9000)))
    harness.commit()
    #expect(try times(disk).count == 1)
    #expect(try !LogCheck(disk).isDamaged)
  }
}
