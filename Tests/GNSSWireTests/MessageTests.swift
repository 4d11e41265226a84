import Bytes
import GNSS
import Testing

@testable import GNSSWire

/// `b5 62 ...` or `b562...` as bytes.
func hex(_ text: String) -> [UInt8] {
  let digits = text.filter { !$0.isWhitespace }
  return stride(from: 0, to: digits.count, by: 2).compactMap { offset in
    let start = digits.index(digits.startIndex, offsetBy: offset)
    return UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16)
  }
}

/// A UBX frame around what `write` appends.
func ubx(_ messageClass: UInt8, _ id: UInt8, write: (inout OutputBuffer) -> Void) -> [UInt8] {
  var buffer = OutputBuffer()
  buffer.appendUBX(messageClass: messageClass, id: id, write: write)
  return buffer.bytes
}

@Suite("Messages") struct MessageTests {
  @Test("PUBX,00 has the height of the ellipsoid, km/h, and a velocity that counts downwards")
  func ubloxSentence() throws {
    let fix = try #require(
      Played(
        sentences(
          "PUBX,00,175424.60,2707.2000,S,10921.6000,W,-21.400,D3,0.80,2.3,7.200,215.30,-0.310,,"
            + "1.10,2.20,1.40,10,0,0")
      ).epochs.first?.fix)
    #expect(fix.altitudeEllipsoid == -21.4)
    #expect(fix.altitudeMSL == nil)
    #expect(fix.status == .dgps)
    #expect(fix.speed.map { abs($0 - 2) < 1e-9 } == true)
    #expect(fix.climb == 0.31)
    #expect(fix.dop.time == 1.4)
    #expect(fix.horizontalAccuracy == 0.8)
  }

  /// Composed by a script of its own: variances of 6.25 and 9 m^2, 3 m/s north and 4 m/s east.
  @Test("CASIC NAV-PV gives true accuracy, and NAV-TIMEUTC its time")
  func casic() throws {
    let stream = hex(
      """
      bace50000103881300000707030e090500000000c03f00000000009051400000000000c048c0000062420000
      32420000c8400000104100004040000080400000003f4acca0400000a040398554420000803e000080416bc1
      1f5b bace18000110881300000000000000000000fa00ea070a0e050607070003ab29f020
      """)
    let epochs = Played(stream).epochs
    #expect(epochs.count == 1)
    let fix = try #require(epochs.first?.fix)
    #expect(fix.time == UTCTime(iso8601: "2026-10-14T05:06:07.250Z"))
    #expect(fix.position == Coordinate(latitude: -49.5, longitude: 70.25))
    #expect(fix.mode == .threeD)
    #expect(fix.altitudeMSL == 12)
    #expect(fix.horizontalAccuracy == 2.5)
    #expect(fix.verticalAccuracy == 3)
    #expect(fix.speed == 5)
    #expect(fix.speedAccuracy == 0.5)
    #expect(fix.courseAccuracy == 4)
  }

  @Test("NAV-SOL alone is a fix: 1.409 Mm, 3.918 Mm, -4.815 Mm are the Kerguelen islands")
  func solution() throws {
    let stream = ubx(0x01, 0x06) { payload in
      payload.append(littleEndian: UInt32(277_585_000))
      payload.append(littleEndian: Int32(0))
      payload.append(bytes: [0x90, 0x09, 3, 0x0d])
      for centimetres: Int32 in [140_898_540, 391_807_693, -481_544_475] {
        payload.append(littleEndian: centimetres)
      }
      payload.append(littleEndian: UInt32(350))
      // 1 m/s up: along the vector from the centre, nearly.
      for velocity: Int32 in [22, 61, -76] { payload.append(littleEndian: velocity) }
      payload.append(littleEndian: UInt32(20))
      payload.append(littleEndian: UInt16(210))
      payload.append(bytes: [0, 9, 0, 0, 0, 0])
    }
    let fix = try #require(Played(stream).epochs.first?.fix)
    #expect(abs((fix.position?.latitude ?? 0) + 49.3416667) < 1e-7)
    #expect(abs((fix.position?.longitude ?? 0) - 70.2208333) < 1e-7)
    #expect(abs((fix.altitudeEllipsoid ?? 0) - 56.5) < 0.01)
    #expect(abs((fix.climb ?? 0) - 1) < 0.01)
    #expect((fix.speed ?? 1) < 0.02)
    #expect(fix.horizontalAccuracy == 3.5)
    #expect(fix.satellitesUsed == 9)
  }

  @Test("MON-VER tells who it is, and telling it again is no news")
  func identity() {
    let texts: [(String, Int)] = [
      ("ROM CORE 3.01 (107888)", 30), ("00080000", 10), ("FWVER=SPG 3.01", 30),
      ("PROTVER=18.00", 30), ("MOD=NEO-M8N-0", 30), ("GPS;GLO;GAL;BDS", 30),
    ]
    let version = ubx(0x0a, 0x04) { payload in
      for (text, byteCount) in texts {
        payload.append(text: text)
        payload.append(count: byteCount - text.utf8.count, of: 0)
      }
    }
    var decoder = StreamDecoder(dates: DateSettings())
    var reportCount = 0
    for _ in 0..<2 {
      version.withByteView { view in
        decoder.decode(view, at: .zero) { if case .receiver = $0 { reportCount += 1 } }
      }
    }
    #expect(decoder.identity.family == .ublox)
    #expect(decoder.identity.model == "NEO-M8N-0")
    #expect(decoder.identity.firmware == "SPG 3.01")
    #expect(decoder.identity.hardware == "00080000")
    #expect(decoder.identity.protocolVersion == "18.00")
    #expect(decoder.identity.constellations == "GPS;GLO;GAL;BDS")
    // Its frame tells the family, its payload the rest.
    #expect(reportCount == 2)
  }

  static let texts: [(String, ChipFamily, String?)] = [
    ("GPTXT,01,01,02,SW=URANUS5,V5.3.0.0", .casic, "URANUS5,V5.3.0.0"),
    ("PMTK705,AXN_2.31_3339_13101700,5632,PA6H,1.0", .mediatek, "AXN_2.31_3339_13101700"),
    ("PAIR021,AG3335A_V2.5.0", .airoha, nil),
    ("PSTMVER,GNSSLIB_8.4.8.14_ARM", .teseo, "GNSSLIB_8.4.8.14_ARM"),
    ("GNTXT,01,01,02,PROTVER=18.00", .ublox, nil),
  ]

  @Test("start-up texts and answers tell the family", arguments: texts)
  func families(body: String, family: ChipFamily, firmware: String?) {
    var decoder = StreamDecoder(dates: DateSettings())
    sentences(body).withByteView { decoder.decode($0, at: .zero) { _ in } }
    #expect(decoder.identity.family == family)
    #expect(decoder.identity.firmware == firmware)
  }

  @Test("acknowledgements are replies")
  func replies() {
    let stream = hex("b5620501020006013f") + ubx(5, 0) { $0.append(bytes: [6, 0x3e]) }
    var replies: [String] = []
    var decoder = StreamDecoder(dates: DateSettings())
    stream.withByteView { view in
      decoder.decode(view, at: .zero) { report in
        switch report {
        case .reply(.acknowledged(let type)): replies.append("ack \(type.messageClass) \(type.id)")
        case .reply(.refused(let type)): replies.append("nak \(type.messageClass) \(type.id)")
        default: break
        }
      }
    }
    // The first frame's checksum is wrong on purpose.
    #expect(replies == ["nak 6 62"])
    #expect(decoder.counts.rejected == 1)
  }

  static let coordinates: [(fields: String, latitude: Double, longitude: Double)] = [
    ("0015.0000,S,00030.0000,W", -0.25, -0.5), ("4807,N,01131,E", 48.116666667, 11.516666667),
    ("4807.12345678,N,01131.12345678,E", 48.118724280, 11.518724280),
    ("02707.2000000,S,10921.6000000,W", -27.12, -109.36), ("9000.0,N,18000.0,W", 90, -180),
  ]

  @Test("minutes of any number of decimals", arguments: coordinates)
  func coordinate(fields: String, latitude: Double, longitude: Double) throws {
    let position = try #require(
      Array("\(fields)*".utf8).withByteView { view in
        var fields = SentenceFields(view, from: 0, toStar: view.count - 1)
        return fields.position()
      })
    #expect(abs(position.coordinate.latitude - latitude) < 1e-9)
    #expect(abs(position.coordinate.longitude - longitude) < 1e-9)
  }

  @Test(
    "what is no coordinate or no time refuses the sentence",
    arguments: [
      "GNRMC,060000.00,A,4920.5000,,07013.2500,E,1.5,120.0,141026,,,A",
      "GNRMC,060001.00,A,4920.5000,E,07013.2500,S,1.5,120.0,141026,,,A",
      "GPGGA,134740.200,2707.200,S,-10921.600,E,1,12,1.0,0.0,M,0.0,M,,",
      "GPGGA,233456,4920,5000,S,07013,2500,E,1,,7,5,75,1,M,,M,,",
      "GNRMC,060002.00,A,4960.0000,S,07013.2500,E,1.5,120.0,141026,,,A",
      "GNRMC,060002.00,A,9000.0001,S,07013.2500,E,1.5,120.0,141026,,,A",
      "GNRMC,246170.00,A,4020.8000,S,00956.4000,W,1.50,120.0,141026,,,A", "GPRMC,181536.000,A,D",
    ])
  func refused(body: String) {
    let played = Played(sentences(body))
    #expect(played.counts.rejected(for: .structure) == 1)
    #expect(played.epochs.isEmpty)
  }
}

@Suite("Sentence fields") struct SentenceFieldsTests {
  /// Bodies with any number of fields, longer and shorter than the words they are counted by.
  @Test("fields are counted and found, whatever their length")
  func fields() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<500 {
      let parts = (0..<Int.random(in: 1...60, using: &random)).map { _ in
        String(repeating: "7", count: Int.random(in: 0...12, using: &random))
      }
      let body = Array((parts.joined(separator: ",") + "*").utf8)
      body.withByteView { view in
        var fields = SentenceFields(view, from: 0, toStar: view.count - 1)
        for (index, part) in parts.enumerated() {
          #expect(fields.remainingCount == parts.count - index)
          var copy = fields
          #expect(copy.text().text == part)
          copy = fields
          copy.skip(1)
          #expect(copy.remainingCount == parts.count - index - 1)
          #expect(fields.integer() == Int(part))
        }
        #expect(fields.isAtEnd && fields.text().isEmpty && fields.integer() == nil)
      }
    }
  }

  /// What is written, and its value; `nil` is no number.
  static let numbers: [(text: String, value: Double?)] = [
    ("0", 0), ("007", 7), ("-12.5", -12.5), ("+3", 3), (".5", 0.5), ("5.", 5), ("", nil),
    (" 4.25 ", 4.25), (".", nil), ("-", nil), ("1.2.3", nil), ("1e5", nil), ("12A", nil),
    ("123456789012345678", 123_456_789_012_345_680), ("1234567890123456789", nil),
    ("0.123456789012345678", nil), ("12345678.12345678", 12_345_678.123_456_78),
    ("-33.9", -33.9), ("-0.0", 0), ("-.5", -0.5), ("-5.", -5), ("--5", nil), ("-+5", nil),
    ("- 5", nil), ("-5 ", -5), ("-1234567.25", -1_234_567.25), ("-5-", nil), ("1.2", 1.2),
    ("1.23", 1.23), ("1.234", 1.234), ("9.", 9), ("9.9x", nil), ("9.x", nil), ("0.99 ", 0.99),
    ("12345678", 12_345_678), ("1.2345678", 1.2345678), ("99.9", 99.9),
  ]

  /// What may stand behind a sentence: nothing, or bytes that are no field's.
  static let ends = ["*", "*4F\r\n$GPGSV,3", "*\u{0}\u{ff}\u{ff}\u{ff}\u{ff}"]

  @Test("numbers are what is written", arguments: numbers, ends)
  func number(written: (text: String, value: Double?), end: String) {
    let (text, value) = written
    let star = text.utf8.count + 2
    Array("\(text),8\(end)".utf8).withByteView { view in
      var fields = SentenceFields(view, from: 0, toStar: star)
      var same = fields
      #expect(fields.number() == value)
      #expect(fields.integer() == 8)
      #expect(same.signedNumber() == value)
      #expect(same.integer() == 8)
      same = SentenceFields(view, from: 0, toStar: star)
      // There is no negative zero, which would be written as one.
      #expect(same.signedNumber()?.sign == value?.sign)
    }
  }

  /// A satellite number of a talker, and the satellite.
  static let numbering: [(number: Int, of: Constellation?, is: Constellation, svid: UInt8)] = [
    (201, .beidou, .beidou, 1), (202, .beidou, .beidou, 2), (201, nil, .beidou, 1),
    (401, nil, .beidou, 1), (463, .beidou, .beidou, 63), (45, .beidou, .beidou, 45),
    (193, nil, .qzss, 1), (199, .gps, .qzss, 7), (183, .gps, .qzss, 1), (5, .qzss, .qzss, 5),
    (33, .gps, .sbas, 120), (64, .gps, .sbas, 151), (138, .gps, .sbas, 138),
    (65, .glonass, .glonass, 1), (1, .glonass, .glonass, 1), (301, nil, .galileo, 1),
    (36, .galileo, .galileo, 36), (3, .navic, .navic, 3), (173, nil, .imes, 1),
  ]

  @Test("satellites are numbered in every dialect", arguments: numbering)
  func satellite(number: Int, talker: Constellation?, system: Constellation, svid: UInt8) {
    let satellite = SatelliteNumber.satellite(number, of: talker)
    #expect(satellite?.0 == system && satellite?.1 == svid)
  }
}
