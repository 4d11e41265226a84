import BinnacleDaemon
import FixLog
import GNSS
import Glibc
import LinuxIO
import Testing

/// Makes the ring that `Scripts/bench-log` measures with. Not a test: it runs when asked for.
@Suite("Measuring ring") struct MeasuringRing {
  /// `PATH,COUNT,HERTZ`
  private static let order = getenv("BINNACLE_MEASURING_RING").map { String(cString: $0) }

  @Test("a ring with a day's drive", .enabled(if: order != nil, "only for Scripts/bench-log"))
  func make() throws {
    let words = try #require(Self.order).split(separator: ",").map(String.init)
    try #require(words.count == 3)
    let (count, hertz) = (try #require(Int(words[1])), try #require(Int(words[2])))
    var new = LogFiles.NewRing(
      ringID: RingID(high: 1, low: 2), created: UTCTime(seconds: 1_800_000_000), creator: "measure")
    new.byteCount = 400_000 + count * 24
    let files = try LogFiles(path: words[0], mirrorPath: words[0] + ".tail", new: new)
    unlink(words[0] + ".tail")
    var writer = LogWriter(try files.recover(), bootTag: 1)
    var drive = Drive(hertz: hertz)
    for _ in 0..<count {
      for content in drive.next() {
        let boottime = drive.boottime
        writer.append(content, boottime: boottime, at: boottime)
      }
      while let order = writer.nextOrder(at: drive.boottime) {
        try order.write(to: files.ring)
        writer.orderFinished(.success(()), at: drive.boottime)
      }
    }
    writer.commit()
    while let order = writer.nextOrder(at: .never) {
      writer.orderFinished(order.execute(on: files.ring), at: .never)
    }
    #expect(writer.isDurable)
  }

  /// A drive through hills with stops; every two hours the receiver is off for two minutes.
  private struct Drive {
    private static let receiver = StreamDescriptor(
      receiverID: 0xb0a7, name: "u-blox NEO-M8N", wireProtocol: .ubx)
    private let hertz: Int
    private var random = SystemRandomNumberGenerator()
    private var index = 0
    private var offset = Duration.zero
    private var place = Coordinate(latitude: 47.42, longitude: 8.31)
    private var (heading, speed, wanted) = (60.0, 0.0, 14.0)
    private var (east, north, height, accuracy) = (0.0, 0.0, 0.0, 0.0)

    init(hertz: Int) { self.hertz = hertz }

    var boottime: Monotonic {
      Monotonic(nanoseconds: 10_000_000_000 + (elapsed + .milliseconds(70)).wholeNanoseconds)
    }
    private var elapsed: Duration { .microseconds(index * 1_000_000 / hertz) + offset }
    private var time: UTCTime { UTCTime(seconds: 1_800_000_000) + elapsed }

    mutating func next() -> [LogRecord.Content] {
      var contents: [LogRecord.Content] = []
      if index == 0 { contents += [event(.sessionStart), event(.attach)] }
      if index > 0, index % (7200 * hertz) == 0 {
        contents.append(event(.power, "asleep"))
        let from = time
        offset += .seconds(120)
        contents += [event(.power, "awake"), gap(from)]
      }
      contents.append(.fix(fix(), Self.receiver))
      index += 1
      return contents
    }

    private func event(_ kind: EventKind, _ reason: String? = nil) -> LogRecord.Content {
      var fields = [LogEvent.Field(.receiver, .text(Self.receiver.name))]
      if let reason { fields.append(LogEvent.Field(.reason, .text(reason))) }
      return .event(LogEvent(kind, time: time, boottime: boottime, fields: fields))
    }

    private func gap(_ from: UTCTime) -> LogRecord.Content {
      .event(
        LogEvent(
          .gap, time: time, boottime: boottime,
          fields: [
            LogEvent.Field(.receiver, .text(Self.receiver.name)),
            LogEvent.Field(.from, .number(from.microseconds)),
            LogEvent.Field(.to, .number(time.microseconds)),
          ]))
    }

    private mutating func noise(_ size: Double) -> Double {
      Double.random(in: -size...size, using: &random)
    }

    private mutating func fix() -> Fix {
      let step = 1 / Double(hertz)
      if index % (60 * hertz) == 0 { wanted = max(0, noise(18) + 12) }
      speed += max(-2.5, min(2, wanted - speed)) * step
      if speed > 0.5 { heading += (4 * noise(1) + 3 * wave(index, 97)) * step * 3 }
      place = place.moved(
        north: speed * step * wave(heading + 90), east: speed * step * wave(heading))
      east = east * 0.995 + noise(0.06)
      north = north * 0.995 + noise(0.06)
      height = height * 0.995 + noise(0.05)
      accuracy = accuracy * 0.99 + noise(0.03)
      let shown = place.moved(north: north, east: east)
      var fix = Fix()
      fix.time = time
      fix.timeOfDay = time.timeOfDay
      fix.dateSource = .receiver
      (fix.mode, fix.status) = (.threeD, .gps)
      fix.position = Coordinate(
        latitude: rounded(shown.latitude, 1e7), longitude: rounded(shown.longitude, 1e7))
      fix.altitudeMSL = rounded(440 + 80 * wave(Double(index) / 40 * step) + height, 1e3)
      fix.altitudeEllipsoid = fix.altitudeMSL.map { rounded($0 + 47.8, 1e3) }
      fix.geoidSeparation = 47.8
      fix.speed = rounded(max(0, speed + noise(0.03)), 1e3)
      fix.course = rounded((heading + 3600).truncatingRemainder(dividingBy: 360), 1e5)
      fix.climb = rounded(noise(0.05), 1e3)
      fix.horizontalAccuracy = rounded(2.4 + accuracy, 1e3)
      fix.verticalAccuracy = rounded(3.6 + accuracy * 1.4, 1e3)
      fix.speedAccuracy = rounded(0.2 + abs(accuracy) / 10, 1e2)
      fix.courseAccuracy = rounded(0.5 + abs(accuracy), 1e1)
      fix.satellitesUsed = 11 + Int(2 * wave(Double(index) / 300 * step))
      (fix.dop.horizontal, fix.dop.vertical, fix.dop.position) = (0.92, 1.31, 1.6)
      return fix
    }

    private func rounded(_ value: Double, _ scale: Double) -> Double {
      (value * scale).rounded() / scale
    }
    /// The sine of an angle in degrees, as a parabola: near enough for a drive.
    private func wave(_ degrees: Double) -> Double {
      let half = degrees.remainder(dividingBy: 360) / 180
      return 4 * half * (1 - abs(half))
    }
    private func wave(_ index: Int, _ period: Int) -> Double {
      wave(Double(index) / Double(hertz) * 360 / Double(period))
    }
  }
}
