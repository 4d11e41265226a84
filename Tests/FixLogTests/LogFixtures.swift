import GNSS

@testable import FixLog

/// Rings and records for tests.
enum LogFixtures {
  static let ringID = RingID(high: 0x0123_4567_89ab_cdef, low: 0xfedc_ba98_7654_3210)
  static let start = UTCTime(microseconds: 1_791_954_000_000_000)  // 2026-10-14T05:00:00Z
  static let receiver = StreamDescriptor(
    receiverID: 0x1122_3344_5566_7788, name: "usb-u-blox_GNSS", wireProtocol: .ubx)

  static func superblock(blockCount: Int) -> Superblock {
    let geometry = RingGeometry(
      blockShift: 12, blockCount: blockCount, dataOffset: 4 * RingGeometry.spacing,
      slotSpacing: RingGeometry.spacing)!
    return Superblock(geometry: geometry, ringID: ringID, created: start, creator: "test")
  }

  /// An empty ring.
  static func disk(blockCount: Int, sequenceMin: UInt64 = 0) -> SimDisk {
    var superblock = superblock(blockCount: blockCount)
    superblock.sequenceMin = sequenceMin
    let disk = SimDisk(byteCount: superblock.geometry.byteCount)
    for copy in 0...1 {
      disk.apply(
        SimDisk.Write(
          offset: superblock.geometry.offset(ofSuperblock: copy),
          bytes: superblock.image(copy: copy)))
    }
    return disk
  }

  /// A fix as a UBX receiver sends it, on a track that turns and climbs, at second `index`.
  static func fix(_ index: Int, random: inout SeededRandom) -> Fix {
    var fix = Fix()
    fix.time = start + .seconds(index)
    fix.timeOfDay = fix.time?.timeOfDay
    fix.dateSource = .receiver
    fix.mode = .threeD
    fix.status = .gps
    let noise = { (range: Double, random: inout SeededRandom) in
      Double.random(in: -range...range, using: &random)
    }
    fix.position = Coordinate(
      latitude: rounded(-49.3416667 + 1e-5 * Double(index) + noise(2e-6, &random), 1e7),
      longitude: rounded(70.2208333 + 1.2e-5 * Double(index) + noise(2e-6, &random), 1e7))
    fix.altitudeEllipsoid = rounded(100 + noise(1, &random), 1e3)
    fix.geoidSeparation = 41.207
    fix.altitudeMSL = fix.altitudeEllipsoid.map { rounded($0 - 41.207, 1e3) }
    fix.speed = rounded(1.5 + noise(0.2, &random), 1e3)
    fix.course = rounded(120 + noise(3, &random), 1e5)
    fix.climb = rounded(noise(0.1, &random), 1e3)
    fix.horizontalAccuracy = rounded(2.5 + noise(0.05, &random), 1e3)
    fix.verticalAccuracy = rounded(3.5 + noise(0.05, &random), 1e3)
    fix.speedAccuracy = 0.25
    fix.courseAccuracy = 5
    fix.satellitesUsed = 12
    fix.dop.horizontal = 0.8
    fix.dop.vertical = 1.1
    fix.dop.position = 1.36
    return fix
  }

  static func rounded(_ value: Double, _ scale: Double) -> Double {
    (value * scale).rounded() / scale
  }

  static func boottime(_ index: Int) -> Monotonic {
    Monotonic(nanoseconds: Int64(index) * 1_000_000_000 + 60_000_000_000)
  }

  static func note(_ text: String, _ index: Int) -> LogEvent {
    LogEvent(
      .configuration, time: start + .seconds(index), boottime: boottime(index),
      fields: [LogEvent.Field(.reason, .text(text))])
  }
}

/// A writer with its disk: carries every order out at once.
struct LogHarness {
  let disk: SimDisk
  var writer: LogWriter
  var now = Monotonic(nanoseconds: 1_000_000_000)
  /// Records handed to the writer, taken or not.
  private(set) var appendedCount = 0

  init(_ disk: SimDisk, bootTag: UInt64 = 1, mirror: SimDisk? = nil) throws {
    self.disk = disk
    writer = LogWriter(try RecoveredLog(opening: disk, mirror: mirror), bootTag: bootTag)
  }

  mutating func append(_ content: LogRecord.Content, boottime: Monotonic = .zero) {
    appendedCount += 1
    writer.append(content, boottime: boottime, at: now)
    run()
  }

  /// Carries out what is due.
  mutating func run() {
    while let order = writer.nextOrder(at: now) {
      writer.orderFinished(order.execute(on: disk), at: now)
    }
  }

  mutating func commit() {
    writer.commit()
    run()
  }
}

extension LogReader {
  /// Everything up to the end, gaps apart.
  func readAll() -> (records: [LogRecord], gaps: [LogGap]) {
    var all: (records: [LogRecord], gaps: [LogGap]) = ([], [])
    while let item = next() {
      switch item {
      case .record(let record, _): all.records.append(record)
      case .gap(let gap): all.gaps.append(gap)
      }
    }
    return all
  }
}
