import Bytes
import GNSS
import Testing

@testable import ReceiverSimulator

@Suite("Log replay") struct LogReplayTests {
  /// All bursts of a log that is fed in chunks.
  static func bursts(_ log: [UInt8], chunk: Int = 65_536) -> [(due: Double, bytes: [UInt8])] {
    var replay = LogReplay()
    var found: [(due: Double, bytes: [UInt8])] = []
    func take() {
      var output = OutputBuffer()
      while let due = replay.next(into: &output) {
        found.append((due.inSeconds, output.bytes))
        output.removeAll()
      }
    }
    for start in stride(from: 0, to: log.count, by: chunk) {
      replay.feed(Array(log[start..<min(start + chunk, log.count)]))
      take()
    }
    replay.finish()
    take()
    return found
  }

  static func sentence(_ body: String) -> [UInt8] {
    let sum = body.utf8.reduce(0, ^)
    let hex = String(sum, radix: 16, uppercase: true)
    return Array("$\(body)*\(hex.count < 2 ? "0" : "")\(hex)\r\n".utf8)
  }

  static func nav(_ id: UInt8, _ timeOfWeek: UInt32, byteCount: Int = 4) -> [UInt8] {
    var output = OutputBuffer()
    output.appendUBX(messageClass: 1, id: id) { payload in
      payload.append(littleEndian: timeOfWeek)
      payload.append(count: byteCount - 4, of: 0)
    }
    return output.bytes
  }

  static let paced: [(name: String, log: [[UInt8]], dues: [Double])] = [
    (
      "midnight passes, sentences without time go along",
      ["GPRMC,235959.00,A", "GPGSV,1,1,00", "GPRMC,000000.50,A", "GPGSA,A,1"].map(sentence),
      [0, 1.5]
    ),
    (
      "a week passes, the other protocol goes along",
      [nav(0x04, 604_799_800, byteCount: 18), sentence("GPGGA,000000.00"), nav(0x61, 604_799_800)]
        + [nav(0x04, 0, byteCount: 18), sentence("GPGGA,000000.20")], [0, 0.2]
    ),
    (
      "jumps back and over an hour are breaks",
      ["GPGGA,100000", "GPGGA,095959", "GPGGA,120000", "GPGGA,120030"].map(sentence), [0, 1, 2, 32]
    ),
    (
      "without a time the first kind that repeats begins a burst",
      ["GPVTG,,T", "GPGSV,2,1,08", "GPGSV,2,2,08", "GPVTG,,T", "GPGSV,2,1,08", "GPVTG,,T"]
        .map(sentence), [0, 1, 2]
    ),
    (
      "a time that is lost and found again",
      ["GPRMC,,V", "GPGGA,,", "GPRMC,,V", "GPRMC,100000,V", "GPRMC,100002,A", "GPRMC,,V"]
        .map(sentence), [0, 1, 2, 4, 5]
    ),
  ]

  @Test("bursts are due at the times inside", arguments: paced)
  func pace(name: String, log: [[UInt8]], dues: [Double]) {
    let found = Self.bursts(Array(log.joined()))
    #expect(found.map(\.due) == dues, "\(name)")
    #expect(found.flatMap(\.bytes) == Array(log.joined()))
  }

  @Test("rubbish is sent on unchanged, cut anywhere", arguments: 0..<20)
  func rubbish(seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    var log: [UInt8] = []
    for step in 0..<40 {
      switch Int.random(in: 0..<5, using: &random) {
      case 0: log += Self.sentence("GPRMC,1200\(10 + step).00,A")
      case 1: log += Self.nav(7, UInt32(step) * 1000, byteCount: 92)
      case 2: log += Array("$GPGGA,12".utf8)
      case 3: log += [0xb5, 0x62, 1, 7, 92, 0]
      default: log += (0..<20).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      }
    }
    let whole = Self.bursts(log)
    let pieces = Self.bursts(log, chunk: Int.random(in: 1...50, using: &random))
    #expect(whole.flatMap(\.bytes) == log, "seed \(seed)")
    #expect(whole.map(\.bytes) == pieces.map(\.bytes), "seed \(seed)")
    #expect(whole.map(\.due) == pieces.map(\.due), "seed \(seed)")
  }

  @Test("what has no end is delivered in parts")
  func bounded() {
    let log = [UInt8](repeating: 0x20, count: LogReplay.burstByteCountMax * 2 + 1)
    let found = Self.bursts(log, chunk: 1000)
    #expect(found.count >= 2)
    #expect(found.flatMap(\.bytes) == log)
  }

  @Test("a log that begins again goes on in time")
  func restart() {
    var replay = LogReplay()
    var output = OutputBuffer()
    let log = Self.sentence("GPRMC,120000,A") + Self.sentence("GPRMC,120001,A")
    var dues: [Double] = []
    for _ in 0..<2 {
      replay.feed(log)
      replay.finish()
      while let due = replay.next(into: &output) { dues.append(due.inSeconds) }
      #expect(replay.isFinished)
      replay.restart()
    }
    #expect(dues == [0, 1, 2, 3])
    #expect(output.bytes == log + log)
  }

  /// Logs of real receivers, with the seconds between the first and the last time that gpsd read
  /// out of them.
  static let recorded: [(name: String, seconds: Double)] = [
    ("mt3339", 29), ("ublox-glo", 298), ("quectel-l76k-nmea", 29.8), ("sirfstarv-nmea", 58),
    ("ublox-neo-m8p", 14.25),
  ]

  @Test(
    "real logs take their time and come out unchanged",
    .enabled(if: TestFiles.hasCorpus, "needs ../shared, which is not there"), arguments: recorded)
  func real(name: String, seconds: Double) throws {
    let log = try TestFiles.contents(of: "../shared/corpus/gpsd/\(name).log")
    let found = Self.bursts(log)
    #expect(found.flatMap(\.bytes) == log)
    let passed = try #require(found.last).due
    // A log may begin or end in the middle of an epoch.
    #expect(abs(passed - seconds) <= 1.001)
  }
}
