import Bytes
import GNSS
import Testing

@testable import FixLog

/// A reader at work while the writer goes on: in the midst of reads, and faster than it.
@Suite("Reader against writer") struct ReaderRaceTests {
  /// A disk on which something happens before and in the midst of each read.
  private final class BusyDisk: Storage {
    let disk: SimDisk
    var meanwhile: () -> Void = {}
    private(set) var tornCount = 0

    init(_ disk: SimDisk) { self.disk = disk }

    var byteCount: Int { disk.byteCount }

    func read(at offset: Int, count: Int, into buffer: inout [UInt8]) throws(StorageError) {
      meanwhile()
      try disk.read(at: offset, count: count, into: &buffer)
      let before = buffer
      meanwhile()
      try disk.read(at: offset, count: count, into: &buffer)
      // The first half is of before, as a copy that the writer ran into.
      copy(before, 0..<count / 2, to: &buffer, at: 0)
      if before != buffer { tornCount += 1 }
    }

    func write(at offset: Int, _ bytes: ByteView) throws(StorageError) { throw .readOnly }
    func sync() throws(StorageError) {}
  }

  /// Writes numbered records until told to stop.
  private final class Writer {
    var harness: LogHarness
    let mirror: SimDisk?
    private(set) var number = 0

    /// Some five records fill a block.
    private static let ballast = [LogEvent.Field](
      repeating: LogEvent.Field(.reason, .text(String(repeating: "x", count: 180))), count: 4)

    init(_ disk: SimDisk, mirror: SimDisk?) throws {
      (harness, self.mirror) = (try LogHarness(disk), mirror)
    }

    func write(_ count: Int) {
      for _ in 0..<count {
        let fields =
          [
            LogEvent.Field(.count, .number(Int64(number)))
          ] + Self.ballast
        harness.now = LogFixtures.boottime(number)
        harness.append(
          .event(
            LogEvent(
              .configuration, time: LogFixtures.start + .seconds(number),
              boottime: harness.now, fields: fields)))
        number += 1
        if let mirror { try? harness.writer.mirror(to: mirror) }
      }
    }
  }

  static let cases: [(blockCount: Int, stepMax: Int, hasMirror: Bool)] = [
    (4, 1, false), (4, 3, false), (6, 10, false), (16, 1, true), (4, 3, true), (5, 20, true),
  ]

  @Test("every record is whole and in order, and what is missing was announced", arguments: cases)
  func race(blockCount: Int, stepMax: Int, hasMirror: Bool) throws {
    var random = SeededRandom(seed: UInt64(blockCount * 100 + stepMax))
    let disk = LogFixtures.disk(blockCount: blockCount)
    let mirror =
      hasMirror
      ? SimDisk(byteCount: TailMirror.byteCount(of: LogFixtures.superblock(blockCount: 4).geometry))
      : nil
    let writer = try Writer(disk, mirror: mirror)
    writer.write(10)
    let busy = BusyDisk(disk)
    let reader = try LogReader(busy, mirror: mirror)
    var isBusy = true
    busy.meanwhile = {
      guard isBusy else { return }
      isBusy = false
      writer.write(Int.random(in: 0...stepMax, using: &random))
      isBusy = true
    }
    var (last, read, skipped) = (-1, 0, 0)
    var wasTold = false
    for turn in 0..<30 {
      if turn == 29 { isBusy = false }
      reader.refresh()
      while let item = reader.next() {
        switch item {
        case .gap: wasTold = true
        case .record(let record, _):
          guard case .event(let event) = record.content, case .number(let value)? = event[.count]
          else { continue }
          let number = Int(value)
          #expect(number > last)
          if number > last + 1 {
            #expect(wasTold, "\(number) after \(last)")
            skipped += number - last - 1
          }
          (last, wasTold, read) = (number, false, read + 1)
        }
      }
    }
    #expect(last == writer.number - 1)
    #expect(read + skipped == writer.number)
    print(
      "race: \(writer.number) written, \(read) read, \(skipped) overtaken, "
        + "\(busy.tornCount) torn reads")
  }
}
