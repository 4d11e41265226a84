import Bytes
import GNSS
import Testing

@testable import GNSSWire

/// Sentences with their checksums.
func sentences(_ bodies: String...) -> [UInt8] {
  var bytes: [UInt8] = []
  for body in bodies {
    let sum = body.utf8.reduce(0) { $0 ^ $1 }
    let digits = String(sum, radix: 16, uppercase: true)
    bytes += Array("$\(body)*\(sum < 16 ? "0" : "")\(digits)\r\n".utf8)
  }
  return bytes
}

@Suite("Epochs") struct EpochTests {
  @Test("halves of two epochs never join")
  func halves() {
    let epochs = Played(
      sentences(
        "GNGGA,210000.00,2707.2000,S,10921.6000,W,1,08,1.10,10.0,M,44.0,M,,",
        "GNRMC,210001.00,A,2707.3000,S,10921.6000,W,360.0,180.0,141026,,,A",
        "GNGGA,210002.00,2707.2000,S,10921.6000,W,1,08,1.10,11.0,M,44.0,M,,",
        "GNRMC,210002.00,A,2707.2000,S,10921.6000,W,0.5,90.0,141026,,,A")
    ).epochs.map(\.fix)
    #expect(epochs.map { $0.altitudeMSL } == [10, nil, 11])
    #expect(epochs.map { $0.speed == nil } == [true, false, false])
    #expect(epochs.map { $0.mode } == [.threeD, .twoD, .threeD])
  }

  @Test("two talkers of one instant are one epoch")
  func talkers() {
    let epochs = Played(
      sentences(
        "GPRMC,230000.00,A,7813.4000,N,01538.2000,E,1.50,120.0,141026,,,A",
        "GNRMC,230000.00,A,7813.4000,N,01538.2000,E,1.50,120.0,141026,,,A",
        "GPGGA,230000.00,7813.4000,N,01538.2000,E,1,08,1.10,12.0,M,44.0,M,,",
        "GNGGA,230000.00,7813.4000,N,01538.2000,E,1,14,1.10,12.0,M,44.0,M,,",
        "GPGLL,7813.4000,N,01538.2000,E,230000.00,A,A")
    ).epochs
    #expect(epochs.count == 1)
    #expect(epochs.first?.fix.satellitesUsed == 14)
  }

  @Test("after a loss neither the old position nor its altitude is repeated")
  func loss() {
    let fixes = Played(
      sentences(
        "GNRMC,081500.00,A,7813.4000,N,01538.2000,E,1.50,120.0,141026,,,A",
        "GNGGA,081500.00,7813.4000,N,01538.2000,E,1,08,1.10,12.0,M,44.0,M,,",
        "GNRMC,081501.00,V,7813.4000,N,01538.2000,E,,,141026,,,N",
        "GNGGA,081501.00,7813.4000,N,01538.2000,E,0,00,99.99,12.0,M,44.0,M,,",
        "GNGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99")
    ).epochs.map(\.fix)
    #expect(fixes.map { $0.mode } == [.threeD, .none])
    #expect(fixes.last?.position == nil)
    #expect(fixes.last?.altitudeMSL == nil)
    #expect(fixes.last?.dop.horizontal == nil)
    #expect(fixes.last?.time?.iso8601 == "2026-10-14T08:15:01.000Z")
  }

  @Test("GGA without a date at midnight takes the day of the RMC that follows")
  func midnight() {
    let times = Played(
      sentences(
        "GNRMC,235959.00,A,2707.2000,S,10921.6000,W,1.50,120.0,010126,,,A",
        "GNGGA,000000.00,2707.2000,S,10921.6000,W,1,08,1.10,12.0,M,44.0,M,,",
        "GNRMC,000000.00,A,2707.2000,S,10921.6000,W,1.50,120.0,020126,,,A",
        "GNGGA,000001.00,2707.2000,S,10921.6000,W,1,08,1.10,12.0,M,44.0,M,,")
    ).epochs.map { $0.fix.time?.iso8601 }
    #expect(
      times == [
        "2026-01-01T23:59:59.000Z", "2026-01-02T00:00:00.000Z", "2026-01-02T00:00:01.000Z",
      ])
  }

  static let signedErrors = [
    "PGRME,-5.0,M,-7.0,M,8.0,M", "PQTMEPE,2,1.0,1.1,-1.9,-1.5,2.4",
    "PSRFEPE,081501.00,A,1.1,-5.0,-7.0", "GNGST,081501.00,1.0,,,,-1.0,2.0,-3.0",
  ]

  @Test("an error with a sign is none: it is estimated from the dilution", arguments: signedErrors)
  func signedError(sentence: String) throws {
    let fix = try #require(
      Played(
        sentences(
          "GNRMC,081501.00,A,2707.2000,S,10921.6000,W,1.50,120.0,141026,,,A",
          "GNGGA,081501.00,2707.2000,S,10921.6000,W,1,08,1.10,12.0,M,44.0,M,,", sentence)
      ).epochs.last?.fix)
    // 1.10 times 4 m.
    let accuracy = try #require(fix.horizontalAccuracy)
    #expect(abs(accuracy - 4.4) < 1e-9 && fix.accuracyIsEstimated)
    #expect(fix.verticalAccuracy ?? 0 >= 0)
  }

  @Test("second 60 is an epoch of its own")
  func leapSecond() {
    let fixes = Played(
      sentences(
        "GNRMC,235959.00,A,4920.5000,S,07013.2500,E,1.50,120.0,311226,,,A",
        "GNRMC,235960.00,A,4920.5000,S,07013.2500,E,1.50,120.0,311226,,,A",
        "GNRMC,000000.00,A,4920.5000,S,07013.2500,E,1.50,120.0,010127,,,A")
    ).epochs.map(\.fix)
    #expect(fixes.map { $0.isLeapSecond } == [false, true, false])
    #expect(fixes.count == 3 && fixes[1].time == fixes[2].time)
  }

  @Test("a time that is ahead of the solutions begins no epoch")
  func zdaAhead() {
    let epochs = Played(
      sentences(
        "GPGGA,193221.00,2037.72792,N,08704.08478,W,1,04,1.7,-30.40,M,-13.9,M,,",
        "GPRMC,193221.00,A,2037.7279,N,08704.0848,W,00.1,201.8,231207,01,W,A",
        "GPZDA,193223.00,23,12,2007,00,00",
        "GPGGA,193222.00,2037.72832,N,08704.08469,W,1,04,1.7,-30.00,M,-13.9,M,,",
        "GPZDA,193224.00,23,12,2007,00,00")
    ).epochs
    #expect(epochs.count == 2)
  }

  @Test("the date of a ZDA that comes first is its epoch's")
  func zdaFirst() {
    let epochs = Played(
      sentences(
        "GPZDA,051134.000,04,07,2012,,",
        "GPGGA,051134.000,4744.6980,N,12206.7275,W,1,05,1.9,135.4,M,-17.1,M,18.8,0000")
    ).epochs
    #expect(epochs.first?.fix.time?.iso8601 == "2012-07-04T05:11:34.000Z")
    #expect(epochs.first?.fix.differentialAge == 18.8)
  }

  @Test("NMEA and UBX of one instant are one epoch, and UBX tells position and accuracy")
  func mixed() throws {
    let pvt = Array(TestFiles.capture("week-end.ubx").prefix(100))
    let position = "4920.5001,S,07013.2501,E"
    let epochs = Played(
      sentences("GNGGA,235938.10,\(position),2,12,1.10,12.0,M,44.5,M,1.0,0120") + pvt
        + sentences("GNRMC,235938.10,A,\(position),0.1,10.0,171026,,,D")
    ).epochs
    #expect(epochs.count == 1)
    let fix = try #require(epochs.first?.fix)
    #expect(fix.position == Coordinate(latitude: -49.3416667, longitude: 70.2208333))
    #expect(fix.horizontalAccuracy == 1.8)
    #expect(fix.speed == 1.5)
    #expect(fix.differentialStation == 120)
  }

  @Test("another datum is flagged until it is WGS-84 again")
  func datum() {
    let rmc = "GPRMC,12000%.00,A,4744.6980,N,12206.7275,W,0.1,10.0,040712,,,A"
    func at(_ second: Int) -> String { rmc.replacing("%", with: String(second)) }
    let flags = Played(
      sentences(
        "GPDTM,999,CH95,0.08,N,0.07,E,-47.7,W84", at(1), at(2), "GPDTM,W84,,0,N,0,E,0,W84", at(3))
    ).epochs.map { $0.fix.isOtherDatum }
    #expect(flags == [true, true, false])
  }

  @Test("exactly 0 north 0 east is a default, and so is the date beside it")
  func nowhere() {
    let epochs = Played(
      sentences("GPRMC,000000.00,A,0000.000,N,00000.000,E,0.0,0.0,050505,0.0,E")
    ).epochs
    #expect(epochs.first?.fix.position == nil)
    #expect(epochs.first?.fix.time == nil)
  }
}
