import Bytes
import GNSS
import Testing

@testable import GNSSWire

@Suite("Epochs as sentences") struct EpochSentencesTests {
  /// Values of a real u-blox M8 epoch; the sentences are what NMEA 0183 4.11 asks for.
  static var epoch: Epoch {
    var epoch = Epoch()
    epoch.fix.time = UTCTime(iso8601: "2017-07-19T08:50:00.800Z")
    (epoch.fix.mode, epoch.fix.status) = (.threeD, .dgps)
    epoch.fix.position = Coordinate(latitude: -34.9062263, longitude: 138.6081197)
    (epoch.fix.altitudeMSL, epoch.fix.geoidSeparation) = (28.895, -3.471)
    (epoch.fix.speed, epoch.fix.course, epoch.fix.magneticVariation) = (10, 31.4718, 7.9)
    (epoch.fix.horizontalAccuracy, epoch.fix.verticalAccuracy) = (1.4142, 2.25)
    epoch.fix.dop.position = 1.46
    epoch.fix.dop.horizontal = 0.71
    epoch.fix.dop.vertical = 1.28
    (epoch.fix.satellitesUsed, epoch.fix.differentialAge) = (3, 2)
    epoch.fix.differentialStation = 120
    epoch.satellitesAreFresh = true
    epoch.satellites = [
      satellite(.gps, 5, el: 19, az: 284, cn0: 39, used: true),
      satellite(.sbas, 129, el: 49, az: 11, cn0: 33, used: false),
      satellite(.glonass, 8, el: 12, az: 209, cn0: nil, used: true),
      satellite(.glonass, 255, el: nil, az: nil, cn0: 21, used: false),
      satellite(.beidou, 14, el: 2, az: 83, cn0: 28, used: true, signal: 11),
    ]
    return epoch
  }

  @Test("a fix of several systems, every field")
  func all() {
    let all: SentenceSet = [.zda, .rmc, .vtg, .gga, .gsa, .gsv, .gst, .gbs]
    #expect(
      Self.bodies(all, Self.epoch) == [
        "GNZDA,085000.80,19,07,2017,00,00",
        "GNRMC,085000.80,A,3454.37358,S,13836.48718,E,19.438,31.47,190717,7.9,E,D,V",
        "GNVTG,31.47,T,,M,19.438,N,36.000,K,D",
        "GNGGA,085000.80,3454.37358,S,13836.48718,E,2,03,0.71,28.90,M,-3.47,M,2.0,0120",
        "GNGSA,A,3,05,,,,,,,,,,,,1.46,0.71,1.28,1",
        "GNGSA,A,3,72,,,,,,,,,,,,1.46,0.71,1.28,2",
        "GNGSA,A,3,14,,,,,,,,,,,,1.46,0.71,1.28,4",
        "GPGSV,1,1,02,05,19,284,39,42,49,011,33,0",
        "GLGSV,1,1,02,72,12,209,,,,,21,0",
        "GBGSV,1,1,01,14,02,083,28,B",
        "GNGST,085000.80,,,,,1.000,1.000,2.250",
        "GNGBS,085000.80,1.000,1.000,2.250,,,,,,",
      ])
  }

  @Test("without a fix only the time is told")
  func noFix() {
    var epoch = Epoch()
    epoch.fix.timeOfDay = TimeOfDay(hour: 23, minute: 59, second: 60, microsecond: 500_000)
    epoch.fix.mode = .none
    #expect(
      Self.bodies([.zda, .rmc, .vtg, .gga, .gsa, .gsv, .gst, .gbs], epoch) == [
        "GPRMC,235960.50,V,,,,,,,,,,N,V", "GPGGA,235960.50,,,,,0,,,,M,,M,,",
        "GPGSA,A,1,,,,,,,,,,,,,,,,",
      ])
  }

  @Test("a leap second ends its day")
  func leapSecond() {
    var epoch = Epoch()
    epoch.fix.time = UTCTime(iso8601: "2017-01-01T00:00:00.250Z")
    epoch.fix.isLeapSecond = true
    #expect(Self.bodies(.zda, epoch) == ["GPZDA,235960.25,31,12,2016,00,00"])
  }

  static let kinds: [(status: FixStatus, quality: String, mode: String)] = [
    (.gps, "1", "A"), (.dgps, "2", "D"), (.pps, "3", "P"), (.rtkFixed, "4", "R"),
    (.rtkFloat, "5", "F"), (.deadReckoning, "6", "E"), (.simulated, "8", "S"),
  ]

  @Test("quality and mode", arguments: kinds)
  func kind(status: FixStatus, quality: String, mode: String) {
    var epoch = Self.epoch
    epoch.fix.status = status
    let fields = Self.bodies([.rmc, .gga], epoch).map { $0.split(separator: ",").map(String.init) }
    #expect(fields[0][12] == mode)
    #expect(fields[1][6] == quality)
  }

  @Test("minutes never reach 60, courses never 360")
  func rounding() {
    var epoch = Self.epoch
    epoch.fix.position = Coordinate(latitude: 9.9999999999, longitude: -179.9999999999)
    epoch.fix.course = 359.999
    let rmc = Self.bodies(.rmc, epoch).joined()
    #expect(rmc.contains("1000.00000,N,18000.00000,W,19.438,0.00,"))
  }

  @Test("more satellites than one sentence holds; a satellite with two signals is used once")
  func many() {
    var epoch = Epoch()
    (epoch.fix.mode, epoch.satellitesAreFresh) = (.threeD, true)
    epoch.satellites = (1...14).map { Self.satellite(.galileo, $0, used: true) }
    epoch.satellites.append(Self.satellite(.galileo, 1, used: true, signal: 7))
    let bodies = Self.bodies([.gsa, .gsv], epoch)
    #expect(
      bodies.prefix(2) == [
        "GAGSA,A,3,01,02,03,04,05,06,07,08,09,10,11,12,,,,3",
        "GAGSA,A,3,13,14,,,,,,,,,,,,,,3",
      ])
    #expect(
      bodies.dropFirst(2).map { $0.prefix(14) }.map(String.init) == [
        "GAGSV,4,1,14,0", "GAGSV,4,2,14,0", "GAGSV,4,3,14,0", "GAGSV,4,4,14,1", "GAGSV,1,1,01,0",
      ])
    #expect(bodies.last == "GAGSV,1,1,01,01,,,,7")
  }

  @Test("what is no number leaves its field empty")
  func numbers() {
    var epoch = Self.epoch
    epoch.fix.position = Coordinate(latitude: .nan, longitude: 0)
    (epoch.fix.speed, epoch.fix.altitudeMSL) = (.infinity, 1e300)
    let bodies = Self.bodies([.rmc, .gga], epoch)
    #expect(bodies[0].hasPrefix("GNRMC,085000.80,A,,,,,,31.47,"))
    #expect(bodies[1].hasPrefix("GNGGA,085000.80,,,,,2,03,0.71,,M,"))
  }

  /// The sentences between `$` and `*`, each checked for its checksum, all ordinary in length.
  static func bodies(_ set: SentenceSet, _ epoch: Epoch) -> [String] {
    var output = OutputBuffer()
    output.appendSentences(set, of: epoch)
    let sentences = output.text.split(separator: "\r\n").map(String.init)
    return sentences.map { sentence in
      let body = sentence.dropFirst().prefix { $0 != "*" }
      let sum = body.utf8.reduce(0, ^)
      #expect(sentence.first == "$")
      #expect(sentence.suffix(2) == (sum < 16 ? "0" : "") + String(sum, radix: 16, uppercase: true))
      #expect(sentence.count <= 82)
      return String(body)
    }
  }

  static func satellite(
    _ constellation: Constellation, _ svid: UInt8, el: Int8? = nil, az: Int16? = nil,
    cn0: UInt8? = nil, used: Bool, signal: UInt8 = 0
  ) -> Satellite {
    var satellite = Satellite(constellation: constellation, svid: svid, signal: signal)
    (satellite.elevation, satellite.azimuth, satellite.cn0) = (el, az, cn0)
    satellite.isUsed = used
    return satellite
  }
}
