import GNSS
import Glibc
import Testing

@testable import FixLog

/// Rings of version 1 that another program wrote from the description of the format. They are to be
/// read for ever.
@Suite("Golden rings") struct GoldenRingTests {
  static let names = ["ring-v1", "ring-v1-newer", "ring-v1-alike"]

  @Test("read as described", arguments: names)
  func read(name: String) throws {
    let disk = try ring(name)
    var query = LogQuery()
    query.kinds = [.fixes, .events, .clocks]
    let reader = try LogReader(disk, query: query)
    let (records, gaps) = reader.readAll()
    #expect(gaps.isEmpty)
    let expected = try text(name + ".txt").split(separator: "\n").map(String.init)
    #expect(records.map(line) == expected)
    // The critical extended record and the event of an unknown kind.
    #expect(reader.omittedCount == (name == "ring-v1-newer" ? 2 : 0))
    #expect(reader.superblock.creator == "compose-ring")
  }

  @Test("are gone on with, each in its own codec", arguments: names)
  func append(name: String) throws {
    let disk = try ring(name)
    let before = try LogReader(disk).readAll().records.count
    let found = try RecoveredLog(opening: disk)
    #expect(found.openSequence == 1 && found.epoch == 2)
    var harness = try LogHarness(disk, bootTag: 0xb007)
    var random = SeededRandom(seed: 1)
    for index in 20..<320 {
      harness.append(.fix(LogFixtures.fix(index, random: &random), LogFixtures.receiver))
    }
    harness.commit()
    let (records, gaps) = try LogReader(disk).readAll()
    #expect(gaps.isEmpty)
    #expect(records.count == before + 300)
    let codec: BlockHeader.Codec = name == "ring-v1-alike" ? .second : .first
    let view = try RingView(disk, mirror: nil, pause: {})
    for sequence in view.oldestSequence..<view.openSequence {
      guard case .block(let block) = view.block(sequence) else { continue }
      #expect(block.header.codec == codec)
    }
  }

  private func text(_ name: String) throws -> String {
    let here = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    let opened: UnsafeMutablePointer<FILE>? = fopen("/\(here)/Captures/\(name)", "r")
    let file = try #require(opened, "\(name)")
    defer { fclose(file) }
    var text: [UInt8] = []
    var byte = fgetc(file)
    while byte != EOF {
      text.append(UInt8(truncatingIfNeeded: byte))
      byte = fgetc(file)
    }
    return String(decoding: text, as: UTF8.self)
  }

  private func ring(_ name: String) throws -> SimDisk {
    let lines = try text(name + ".hex").split(separator: "\n").map { $0.split(separator: " ") }
    let disk = SimDisk(byteCount: try #require(Int(lines[0][1])))
    for line in lines.dropFirst() {
      let digits = Array(line[1])
      let bytes = stride(from: 0, to: digits.count, by: 2).map { index in
        UInt8(String(digits[index...index + 1]), radix: 16) ?? 0
      }
      disk.apply(SimDisk.Write(offset: try #require(Int(line[0])), bytes: bytes))
    }
    return disk
  }

  /// A record as the .txt files show it, in the units of the format.
  private func line(_ record: LogRecord) -> String {
    let time = record.time.map { "\($0.microseconds)" } ?? "-"
    let head =
      "time=\(time)\(record.timeIsDerived ? " derived" : "")"
      + " boot=\(record.boottime.nanoseconds / 1_000_000)"
    switch record.content {
    case .clock(let clock):
      return "clock \(head) tag=\(clock.bootTag) source=\(clock.source.rawValue)"
        + " uncertainty=\(clock.uncertaintyMicroseconds)"
    case .event(let event):
      let fields = event.fields.map { field in
        switch field.value {
        case .number(let number): " \(field.key.rawValue)=\(number)"
        case .text(let text): " \(field.key.rawValue)=\(text)"
        }
      }
      return "event \(event.kind.rawValue) \(head)\(fields.joined())"
    case .fix(let fix, let stream):
      func number(_ value: Double?, _ scale: Double) -> String {
        value.map { "\(Int64(($0 * scale).rounded()))" } ?? "-"
      }
      return "fix \(head) receiver=\(stream.receiverID) mode=\(fix.mode.rawValue)"
        + " status=\(fix.status.rawValue) lat=\(number(fix.position?.latitude, 1e9))"
        + " lon=\(number(fix.position?.longitude, 1e9))"
        + " hae=\(number(fix.altitudeEllipsoid, 1e3)) msl=\(number(fix.altitudeMSL, 1e3))"
        + " speed=\(number(fix.speed, 1e3)) course=\(number(fix.course, 1e5))"
        + " climb=\(number(fix.climb, 1e3)) hacc=\(number(fix.horizontalAccuracy, 1e3))"
        + " vacc=\(number(fix.verticalAccuracy, 1e3))"
        + " sats=\(fix.satellitesUsed.map(String.init) ?? "-")"
        + " hdop=\(number(fix.dop.horizontal, 1e2))"
    }
  }
}
