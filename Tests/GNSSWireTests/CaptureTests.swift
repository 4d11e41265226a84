import Bytes
import GNSS
import Testing

@testable import GNSSWire

/// One line of a capture's right values.
struct RightValues {
  var time: UTCTime?
  var numbers: [Double]

  /// `time,lat,lon,level,height,speed,course,mode`
  init(_ line: Substring) {
    let fields = line.split(separator: ",")
    time = UTCTime(iso8601: String(fields[0]))
    numbers = fields.dropFirst().map { Double(String($0)) ?? .nan }
  }

  static func lines(of name: String) -> [RightValues] {
    String(decoding: TestFiles.capture(name), as: UTF8.self).split(separator: "\n").map {
      RightValues($0)
    }
  }

  /// What differs by more than the last digit written.
  func differences(from fix: Fix) -> [String] {
    let decoded: [(String, Double?, Double)] = [
      ("latitude", fix.position?.latitude, 1e-9), ("longitude", fix.position?.longitude, 1e-9),
      ("altitudeMSL", fix.altitudeMSL, 1e-4), ("altitudeEllipsoid", fix.altitudeEllipsoid, 1e-4),
      ("speed", fix.speed, 1e-4), ("course", fix.course, 1e-4),
      ("mode", Double(fix.mode.rawValue), 0),
    ]
    var differences = fix.time == time ? [] : ["time"]
    for (right, (name, value, tolerance)) in zip(numbers, decoded)
    where !(abs((value ?? .nan) - right) <= tolerance) {
      differences.append(name)
    }
    return differences
  }
}

@Suite("Captures") struct CaptureTests {
  static let names = ["new-year.nmea", "week-end.ubx"]

  @Test(
    "give the values they were made from, however they are cut", arguments: names, [1, 7, 4096])
  func values(name: String, chunk: Int) {
    let right = RightValues.lines(of: name.split(separator: ".")[0] + ".csv")
    let played = Played(TestFiles.capture(name), chunk: chunk)
    #expect(played.epochs.count == right.count)
    for (epoch, values) in zip(played.epochs, right) {
      #expect(values.differences(from: epoch.fix).isEmpty, "\(epoch.fix)")
    }
    #expect(played.counts.rejected == 0)
    #expect(played.counts.noiseByteCount == 0)
  }

  @Test("a UBX epoch brings accuracy, dilution and satellites")
  func ubx() throws {
    let epoch = try #require(Played(TestFiles.capture("week-end.ubx")).epochs.last)
    #expect(epoch.fix.horizontalAccuracy == 1.8)
    #expect(epoch.fix.verticalAccuracy == 2.6)
    #expect(epoch.fix.speedAccuracy == 0.25)
    #expect(!epoch.fix.accuracyIsEstimated)
    #expect(epoch.fix.climb == 0.15)
    #expect(epoch.fix.dop.horizontal == 1.1)
    #expect(epoch.fix.dop.time == 1.2)
    #expect(epoch.fix.satellitesUsed == 12)
    let satellites = epoch.satellites
    #expect(satellites.map { $0.svid } == [3, 4, 11])
    #expect(satellites.map { $0.isUsed } == [true, false, false])
    #expect(satellites.map { $0.elevation } == [39, 20, nil])
  }

  @Test("an NMEA epoch brings satellites of all systems, and an estimate of accuracy")
  func nmea() throws {
    let epoch = try #require(Played(TestFiles.capture("new-year.nmea")).epochs.last)
    #expect(epoch.satellites.count == 9)
    let glonass = epoch.satellites.filter { $0.constellation == .glonass }
    #expect(glonass.map { $0.svid } == [6, 7, 16, 17])
    #expect(epoch.satellites.filter { $0.isUsed }.count == 9)
    #expect(epoch.fix.accuracyIsEstimated)
    #expect(epoch.fix.horizontalAccuracy == 1.02 * 4)
  }

  @Test("live and recorded epochs are equal", arguments: names, [(5, 9600), (64, 115_200)])
  func live(name: String, line: (chunk: Int, baud: Int)) {
    let stream = CapturedStream(TestFiles.capture(name))
    let live = stream.playLive(chunk: line.chunk, baud: line.baud)
    #expect(live.epochs.count == stream.epochs.count)
    for (recorded, live) in zip(stream.epochs, live.epochs) {
      #expect(recorded.fix.isLike(live.fix))
    }
  }

  @Test("an epoch is closed at once where its end is known, and soon where it is not")
  func latency() {
    let nmea = CapturedStream(TestFiles.capture("new-year.nmea")).playLive(chunk: 64, baud: 115_200)
    // A dozen epochs by the pause behind them, the rest with the last byte.
    let longest = Duration.milliseconds(250)
    #expect(nmea.latencies.filter { $0 > longest }.isEmpty)
    #expect(nmea.latencies.dropFirst(14).dropLast().filter { $0 > .zero }.isEmpty)
    let ubx = CapturedStream(TestFiles.capture("week-end.ubx")).playLive(chunk: 64, baud: 115_200)
    #expect(ubx.latencies.filter { $0 > .zero }.isEmpty)
  }

  @Test("a damaged byte harms no epoch but its own", arguments: names)
  func damage(name: String) {
    let bytes = TestFiles.capture(name)
    let stream = CapturedStream(bytes)
    for position in stride(from: 0, to: bytes.count, by: 61) {
      Damage.check(stream, at: position, flipping: UInt8(1) << UInt8(position % 8))
    }
  }
}

/// One byte of a stream flipped, or the stream cut there.
enum Damage {
  static func check(_ stream: CapturedStream, at position: Int, flipping bits: UInt8) {
    var damaged = stream.bytes
    damaged[position] ^= bits
    compare(stream, Played(damaged), to: nil, at: position)
    compare(stream, Played(Array(stream.bytes[..<position])), to: position, at: position)
  }

  /// Every epoch that does not hold the byte must be there, and equal.
  private static func compare(
    _ stream: CapturedStream, _ played: Played, to end: Int?, at position: Int
  ) {
    for (epoch, burst) in zip(stream.epochs, stream.bursts)
    where !burst.contains(position) && burst.upperBound <= end ?? .max {
      let isThere = played.epochs.contains { $0.fix.isSolution(of: epoch.fix) }
      #expect(isThere, "byte \(position): the epoch of bytes \(burst) is lost or changed")
    }
  }
}

extension Fix {
  /// Whether it is the same solution; a date may be lost with an earlier epoch that told it.
  func isSolution(of other: Fix) -> Bool {
    var (one, other) = (self, other)
    if one.time == nil || other.time == nil { (one.time, other.time) = (nil, nil) }
    (one.dateSource, other.dateSource) = (.none, .none)
    return one == other
  }
}
