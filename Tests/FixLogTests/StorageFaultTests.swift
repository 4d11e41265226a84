import GNSS
import Testing

@testable import FixLog

@Suite("Failing storage") struct StorageFaultTests {
  /// One kind of trouble: which call it hits, how it ends, and for how many calls it lasts.
  struct Trouble: Sendable, CustomStringConvertible {
    let call: SimDisk.Call
    let error: StorageError
    /// `nil`: as long as the test's first part goes on.
    let duration: Int?
    /// Whether a failed sync also forgets what was written, as the kernel's page cache does.
    var dropsPages = false

    var description: String {
      "\(call) \(error.message) \(duration.map(String.init) ?? "on") \(dropsPages)"
    }
  }

  static let troubles: [Trouble] = [
    Trouble(call: .write, error: .inputOutput, duration: 1),
    Trouble(call: .sync, error: .inputOutput, duration: 1, dropsPages: true),
    Trouble(call: .sync, error: .inputOutput, duration: 2, dropsPages: true),
    Trouble(call: .write, error: .inputOutput, duration: 7),
    Trouble(call: .sync, error: .inputOutput, duration: nil, dropsPages: true),
    Trouble(call: .write, error: .readOnly, duration: nil),
    Trouble(call: .write, error: .noSpace, duration: 4),
    Trouble(call: .write, error: .pastEnd, duration: 3),
  ]

  /// Orders of the first part; the trouble begins at each of them in turn.
  private static let orderCount = 16

  @Test("acknowledgements never lie, and all is well once it is over", arguments: troubles)
  func trouble(_ trouble: Trouble) throws {
    for start in 0..<Self.orderCount { try run(trouble, from: start) }
  }

  private func run(_ trouble: Trouble, from start: Int) throws {
    let disk = LogFixtures.disk(blockCount: 5)
    var harness = try LogHarness(disk)
    var calls = 0
    var isOver = false
    disk.fault = { call in
      guard call == trouble.call, !isOver else { return nil }
      defer { calls += 1 }
      guard calls >= start, trouble.duration.map({ calls < start + $0 }) ?? true else { return nil }
      if trouble.dropsPages { disk.dropUnsynced() }
      return trouble.error
    }
    var appended = 0
    for step in 0..<2 * Self.orderCount {
      harness.now = LogFixtures.boottime(step * 2)
      for _ in 0..<4 {
        harness.append(event(appended))
        appended += 1
      }
      harness.run()
      if step % 6 == start % 6 { expectHonest(harness, disk) }
    }
    isOver = true
    harness.now = harness.now + .seconds(100)
    harness.commit()
    #expect(harness.writer.isDurable)
    #expect(harness.writer.status.lostCount == 0)
    #expect(harness.writer.status.failuresInRow == 0)
    disk.fault = nil
    let numbers = numbers(in: SimDisk(after: disk, parts: []))
    #expect(numbers == Array((numbers.first ?? 0)..<appended), "\(trouble) from \(start)")
    #expect(numbers.count > 30)
  }

  /// A power cut now leaves at least what was acknowledged.
  private func expectHonest(_ harness: LogHarness, _ disk: SimDisk) {
    let after = SimDisk(after: disk, parts: [])
    let durable = harness.writer.status.durableCount
    let last = numbers(in: after).last ?? -1
    // Events that tell of the trouble count as records, too.
    let told = harness.writer.status.appendedCount - harness.appendedCount
    #expect(last + 1 >= durable - told)
  }

  private func event(_ number: Int) -> LogRecord.Content {
    .event(
      LogEvent(
        .configuration, time: LogFixtures.start + .seconds(number),
        boottime: LogFixtures.boottime(number),
        fields: [
          LogEvent.Field(.count, .number(Int64(number))),
          LogEvent.Field(.reason, .text(String(repeating: "x", count: 150))),
        ]))
  }

  /// The numbers of the configuration events in the log, in order.
  private func numbers(in disk: SimDisk) -> [Int] {
    guard let reader = try? LogReader(disk) else { return [] }
    return reader.readAll().records.compactMap { record in
      guard case .event(let event) = record.content, event.kind == .configuration,
        case .number(let number)? = event[.count]
      else { return nil }
      return Int(number)
    }
  }

  @Test("a medium that never comes back costs memory up to a limit, and tells afterwards")
  func bounded() throws {
    let disk = LogFixtures.disk(blockCount: 200)
    var harness = try LogHarness(disk)
    disk.fault = { $0 == .write ? .inputOutput : nil }
    var number = 0
    while harness.writer.status.lostCount < 100 {
      harness.now = LogFixtures.boottime(number)
      harness.append(event(number))
      number += 1
    }
    #expect(harness.writer.sealed.count == LogWriter.sealedCountMax)
    disk.fault = nil
    harness.now = harness.now + .seconds(100)
    harness.run()
    harness.append(event(number))
    harness.commit()
    #expect(harness.writer.isDurable)
    let (records, _) = try LogReader(disk).readAll()
    let losses = records.compactMap { record -> EventValue? in
      guard case .event(let event) = record.content, event.kind == .recordsLost else { return nil }
      return event[.count]
    }
    #expect(losses == [.number(100)])
    #expect(numbers(in: disk).count == number + 1 - 100)
  }

  @Test("a place in the ring that cannot be written is passed over")
  func badPlace() throws {
    let disk = LogFixtures.disk(blockCount: 6)
    let geometry = LogFixtures.superblock(blockCount: 6).geometry
    let bad = geometry.offset(of: 2)
    var harness = try LogHarness(disk)
    disk.writeFault = { $0 == bad ? .inputOutput : nil }
    for number in 0..<200 {
      harness.now = LogFixtures.boottime(number * 5)
      harness.append(event(number))
    }
    harness.now = harness.now + .seconds(200)
    harness.commit()
    #expect(harness.writer.isDurable && harness.writer.status.lostCount == 0)
    let reader = try LogReader(disk)
    let (_, gaps) = reader.readAll()
    let numbers = numbers(in: SimDisk(after: disk, parts: []))
    #expect(numbers == Array((numbers.first ?? 0)..<200))
    #expect(gaps.allSatisfy { $0.blockCount == 1 })
    #expect(harness.writer.status.failureCount < 40)
  }

  @Test("a tail slot that cannot be written is done without")
  func badSlot() throws {
    let disk = LogFixtures.disk(blockCount: 100)
    let bad = LogFixtures.superblock(blockCount: 100).geometry.offset(ofSlot: 1)
    var harness = try LogHarness(disk)
    disk.writeFault = { $0 == bad ? .inputOutput : nil }
    for number in 0..<50 {
      harness.now = LogFixtures.boottime(number * 10)
      harness.append(event(number))
      expectHonest(harness, disk)
    }
    harness.now = harness.now + .seconds(200)
    harness.commit()
    #expect(harness.writer.isDurable && harness.writer.status.lostCount == 0)
    #expect(numbers(in: SimDisk(after: disk, parts: [])) == Array(0..<50))
  }
}
