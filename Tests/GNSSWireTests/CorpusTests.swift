import Bytes
import GNSS
import Testing

@testable import GNSSWire

/// How many epochs of a log differ from gpsd's on purpose, and why that is right.
struct Deviation {
  var missing = 0
  var wrong = 0
  var extra = 0
  var satelliteLists = 0
  var reason: String
}

/// The public corpus of recorded logs. gpsd's expected output there is of the program itself, so
/// that it also holds its quirks; where they are not those of the receiver, the table says so.
@Suite("Corpus", .enabled(if: TestFiles.hasCorpus, "needs ../shared, which is not there"))
struct CorpusTests {
  static let names = """
    GPSmap-76S ac12 ais-nmea april6_2019 beidou-bd beidou-gb blumax-gps009 bn-9015 bt-q818 bt451
    bu353-glonass bu353s4 ch-4711 et-332 garmin-10x garmin15x garmin17n geos-1m
    gp-320fw-2019-03-28 gp-320fw-2019-04-06-overflow gpsdf gpslim236 gr601-w haicom-305N
    holux-gm-210 jl-micro-jlt magellan-ec10 magellan315 motorola-t805 mr-350p mt3339 mtk-3329
    myguide-3100 navisys-gr8013 nl2008u nl551e nmea-rtk oncore pharos-360 quectel-L70
    quectel-eg25-g quectel-l76k-nmea quectel quectelLC79D rgm3800 rst39 saab-r4 sirfstarv-nmea
    skytraq-PX1172RH_DS skytraq-fixB skytraq sl869 st-teseo-liv3f tcp-test telit-he910
    telit-pls83-w tr737A+ ublox-8 ublox-f9p-hpnmea ublox-glo ublox-lea-5h ublox-lea-5q
    ublox-lea-m8f ublox-neo-m8n ublox-neo-m8p ublox-neo-m8u ublox-zed-f9p-rtk
    ublox-zed-f9t-rtcm3 udp-test venus634lp
    """.split(whereSeparator: \.isWhitespace).map(String.init)

  private static let dropped =
    "gpsd's cycle ended elsewhere and it reports nothing of epochs whose "
    + "sentences are all there"
  private static let twoD = "GSA says 2D of three satellites; gpsd takes any altitude for 3D"

  static let deviations: [String: Deviation] = [
    "ais-nmea": Deviation(extra: 3, reason: dropped),
    "bt451": Deviation(extra: 1, reason: dropped),
    "garmin-10x": Deviation(wrong: 2, reason: twoD),
    "gp-320fw-2019-03-28": Deviation(extra: 1, reason: dropped),
    "gp-320fw-2019-04-06-overflow": Deviation(extra: 1, reason: dropped),
    "gpsdf": Deviation(
      satelliteLists: 6,
      reason: "GSV precedes GSA; gpsd marks the new list with the satellites used before"),
    "jl-micro-jlt": Deviation(
      satelliteLists: 1,
      reason: "GPS and Galileo are listed in turn; gpsd forgets the one with the other"),
    "magellan315": Deviation(
      missing: 1, reason: "GLL has 27.523 s and RMC 27.52 s of one epoch, reported twice by gpsd"),
    "mr-350p": Deviation(
      wrong: 11, reason: "no speed is sent; gpsd makes one of the noise of the positions"),
    "oncore": Deviation(wrong: 5, reason: twoD),
    "pharos-360": Deviation(
      satelliteLists: 4, reason: "SBAS 123 is number 36 in NMEA; gpsd repeats what was sent"),
    "quectel": Deviation(
      wrong: 1, reason: "a GGA without time or fix follows; gpsd lets it void the epoch before"),
    "quectelLC79D": Deviation(
      satelliteLists: 6,
      reason: "GSV precedes GSA; gpsd marks the new list with the satellites used before"),
    "rst39": Deviation(
      missing: 38,
      reason: "the log is of 2014; gpsd moves dates before 2017 by 1024 weeks, here to 2033"),
    "sl869": Deviation(wrong: 2, reason: twoD),
    "ublox-glo": Deviation(
      satelliteLists: 298,
      reason: "used is bit 3 of NAV-SAT's and NAV-SIG's flags; gpsd takes NAV-SIG's quality"),
    "ublox-lea-5h": Deviation(
      wrong: 1, extra: 1,
      reason: "an epoch of which only GGA is there: no speed is sent; and \(dropped)"),
    "ublox-lea-m8f": Deviation(extra: 8, reason: dropped),
    "ublox-zed-f9t-rtcm3": Deviation(extra: 2, reason: dropped),
  ]

  static func log(_ name: String) -> [UInt8] {
    TestFiles.contents("\(TestFiles.corpus)/\(name).log") ?? []
  }

  /// Degrees, metres, m/s, degrees.
  private static let tolerances: [String: Double] = [
    "mode": 0, "lat": 1e-7, "lon": 1e-7, "altMSL": 0.0021, "altHAE": 0.0021, "speed": 0.0101,
    "track": 0.0201,
  ]

  @Test("agrees with gpsd epoch by epoch, but for the deviations listed", arguments: names)
  func agreement(name: String) {
    let right = GPSDOutput(TestFiles.contents("\(TestFiles.corpus)/\(name).log.chk") ?? [])
    let epochs = Played(Self.log(name)).epochs
    if right.times.isEmpty { return sequence(right, epochs) }
    let listed = Self.deviations[name] ?? Deviation(reason: "")
    var byTime: [String: Epoch] = [:]
    for epoch in epochs {
      guard let time = epoch.fix.time?.iso8601 else { continue }
      #expect(byTime[time] == nil, "\(time) is reported twice")
      byTime[time] = epoch
    }
    let inner = right.times.dropFirst().dropLast()
    #expect(inner.filter { byTime[$0] == nil }.count == listed.missing, "missing")
    let wrong = inner.filter { time in
      byTime[time].map { !Self.differences(right.values[time] ?? [:], $0.tpv).isEmpty } ?? false
    }
    #expect(wrong.count == listed.wrong, "wrong: \(wrong)")
    if let first = right.times.min(), let last = right.times.max() {
      let extra = byTime.filter {
        right.values[$0.key] == nil && first < $0.key && $0.key < last
          && $0.value.fix.position != nil
      }
      #expect(extra.count == listed.extra, "extra: \(extra.keys)")
    }
    let lists = Set(epochs.filter(\.satellitesAreFresh).map(\.sky))
    let edges = [right.times.first, right.times.last]
    let different = right.satellites.filter { !edges.contains($0.key) && !lists.contains($0.value) }
    #expect(different.count == listed.satelliteLists, "satellites: \(different.keys.sorted())")
  }

  private static func differences(
    _ right: [String: Double], _ decoded: [String: Double]
  ) -> [String] {
    right.filter { name, value in
      // A height above the ellipsoid may be of gpsd's own table of the geoid.
      guard let other = decoded[name] else { return name != "altHAE" }
      let span = abs(value - other)
      return (name == "track" ? min(span, 360 - span) : span) > tolerances[name] ?? 0
    }.keys.sorted()
  }

  /// Logs without any date: the positions in order.
  private func sequence(_ right: GPSDOutput, _ epochs: [Epoch]) {
    let decoded = epochs.compactMap { epoch in
      epoch.fix.position.map {
        [
          Double(epoch.fix.mode.rawValue), ($0.latitude * 1e6).rounded(),
          ($0.longitude * 1e6).rounded(),
        ]
      }
    }
    var index = 0
    for position in right.positions {
      let found = decoded[index...].firstIndex(of: position)
      #expect(found != nil, "\(position)")
      index = found.map { $0 + 1 } ?? index
    }
  }

  @Test("live and recorded epochs are equal", arguments: names)
  func live(name: String) {
    let stream = CapturedStream(Self.log(name))
    for (chunk, baud) in [(16, 9600), (64, 115_200)] {
      let live = stream.playLive(chunk: chunk, baud: baud).epochs
      #expect(live.count == stream.epochs.count)
      for (recorded, live) in zip(stream.epochs, live) {
        #expect(recorded.fix.isLike(live.fix), "\(recorded.fix)")
      }
    }
  }

  @Test("a damaged byte harms no epoch but its own", arguments: names)
  func damage(name: String) {
    let stream = CapturedStream(Self.log(name))
    let seed = UInt64(name.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
    print("damage of \(name): seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<3 {
      let position = Int.random(in: stream.bytes.indices, using: &random)
      Damage.check(stream, at: position, flipping: UInt8.random(in: 1...255, using: &random))
    }
  }
}

/// SplitMix64: small, and the same everywhere.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
