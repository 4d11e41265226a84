import Bytes
import Testing

@testable import GNSSWire

@Suite("Frame scanner") struct FrameScannerTests {
  /// Everything that is found from the first byte on.
  static func findings(_ bytes: [UInt8]) -> [FrameScanner.Finding] {
    bytes.withByteView { view in
      var (found, offset): ([FrameScanner.Finding], Int) = ([], 0)
      while true {
        let finding = FrameScanner.next(in: view, at: offset)
        found.append(finding)
        switch finding {
        case .frame(_, let end), .noise(let end): offset = end
        case .rejected(_, _, let resume): offset = resume
        case .incomplete, .end: return found
        }
      }
    }
  }

  static let whole: [(WireProtocol, [UInt8])] = [
    (.nmea, Array("$GPGLL,4916.45,N,12311.12,W,225444,A,*1D".utf8)),
    (.nmea, Array("!AIVDM,1,1,,B,140Ut9@P000J9DjN?1Lh0?vF0D1A,0*2A".utf8)),
    // Lower-case digits of a checksum are accepted.
    (.nmea, Array("$GPGLL,4916.45,N,12311.12,W,225444,A,*1d".utf8)),
    (.ubx, [0xb5, 0x62, 0x0a, 0x04, 0, 0, 0x0e, 0x34]),
    // RTCM 10403 message 1005, from the example of the standard.
    (
      .rtcm3,
      [
        0xd3, 0x00, 0x13, 0x3e, 0xd7, 0xd3, 0x02, 0x02, 0x98, 0x0e, 0xde, 0xef, 0x34, 0xb4, 0xbd,
        0x62, 0xac, 0x09, 0x41, 0x98, 0x6f, 0x33, 0x36, 0x0b, 0x98,
      ]
    ),
    (.casic, [0xba, 0xce, 0, 0, 0x0a, 0x04, 0, 0, 0x0a, 0x04]),
    (.allystar, [0xf1, 0xd9, 0x0a, 0x04, 0, 0, 0x0e, 0x34]),
    (.skytraq, [0xa0, 0xa1, 0, 2, 2, 1, 3, 0x0d, 0x0a]),
    (.sirf, [0xa0, 0xa2, 0, 2, 0x84, 0, 0, 0x84, 0xb0, 0xb3]),
  ]

  @Test("knows the frames of every protocol", arguments: whole)
  func frames(wireProtocol: WireProtocol, bytes: [UInt8]) {
    #expect(Self.findings(bytes) == [.frame(wireProtocol, end: bytes.count), .end])
  }

  @Test("waits for what is cut, whatever is missing", arguments: whole)
  func cut(wireProtocol: WireProtocol, bytes: [UInt8]) {
    for count in 2..<bytes.count {
      let last = Self.findings(Array(bytes[..<count])).last
      guard case .incomplete(let found, let wanted) = last else {
        Issue.record("\(wireProtocol) after \(count) bytes: \(String(describing: last))")
        continue
      }
      #expect(found == wireProtocol || count == 2)
      #expect(wanted >= 1 && count + wanted <= bytes.count)
    }
  }

  @Test("any flipped bit is found", arguments: whole)
  func flipped(wireProtocol: WireProtocol, bytes: [UInt8]) {
    for index in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[index] ^= 1 << UInt8(bit)
        let frame = FrameScanner.Finding.frame(wireProtocol, end: bytes.count)
        // The case of a checksum's digit carries nothing.
        let isDigit = wireProtocol == .nmea && index >= bytes.count - 2 && bit == 5
        // In a SiRF sum bit 15 is not part of the checksum, nor does CRC-24Q know a preamble.
        #expect(Self.findings(damaged).first != frame || isDigit, "byte \(index), bit \(bit)")
      }
    }
  }

  @Test(
    "a frame behind a false start of each kind is found",
    arguments: [
      [0xb5], [0xb5, 0x62], [0xb5, 0x62, 0x24, 0x47, 0x4e, 0x52], [0xd3], [0xba, 0xce], [0xa0],
      [0xf1, 0xd9], Array("$GPRMC,12".utf8), Array("$".utf8), Array("*".utf8),
      Array("+GPSRD:".utf8),
    ])
  func falseStart(start: [UInt8]) {
    let sentence = Array("$GPGLL,4916.45,N,12311.12,W,225444,A,*1D\r\n".utf8)
    var padded = start + sentence
    // A false start that waits for more gets it, and is given up.
    padded += [UInt8](repeating: 0x0a, count: 2100)
    #expect(Self.findings(padded).contains(.frame(.nmea, end: start.count + sentence.count - 2)))
  }

  @Test(
    "impossible lengths are given up at once",
    arguments: [
      // NAV-PVT of 65,535 and of 91 bytes; NAV-SAT whose rest is no whole block; an unknown
      // message.
      [0xb5, 0x62, 0x01, 0x07, 0xff, 0xff], [0xb5, 0x62, 0x01, 0x07, 0x5b, 0x00],
      [0xb5, 0x62, 0x01, 0x35, 0xf7, 0xff], [0xb5, 0x62, 0x24, 0x47, 0x4e, 0x52],
    ])
  func lengths(bytes: [UInt8]) {
    #expect(Self.findings(bytes).first == .rejected(.ubx, .length, resume: 1))
  }

  @Test("a sentence without an end is given up after 256 bytes")
  func endless() {
    let bytes = Array("$GPXXX,".utf8) + [UInt8](repeating: 0x41, count: 800)
    #expect(Self.findings(bytes).first == .rejected(.nmea, .length, resume: 256))
  }

  @Test("no byte that cannot stand in a sentence is taken for text", arguments: [0, 9, 0x80, 0xb2])
  func strange(byte: UInt8) {
    var bytes = Array("$GPGLL,4916.45,N,12311.12,W,225444,A,*1D".utf8)
    bytes.insert(byte, at: 12)
    if case .frame = Self.findings(bytes)[0] { Issue.record("taken") }
  }
}
