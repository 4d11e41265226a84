import Testing

@testable import Bytes

@Suite("Checksums") struct ChecksumTests {
  /// Source: RFC 3720 appendix B.4 and the check value of the CRC catalogue ("123456789").
  static let crc32cCases: [(bytes: [UInt8], crc: UInt32)] = [
    (Array("123456789".utf8), 0xe306_9283),
    ([UInt8](repeating: 0, count: 32), 0x8a91_36aa),
    ([UInt8](repeating: 0xff, count: 32), 0x62a8_ab43),
    (Array(0...31), 0x46dd_794e),
    ([], 0),
  ]

  @Test("CRC-32C matches RFC 3720", arguments: crc32cCases)
  func crc32c(bytes: [UInt8], crc: UInt32) {
    #expect(bytes.withByteView(CRC32C.checksum) == crc)
    var byTables = CRC32C()
    bytes.withByteView { byTables.updateByTables($0) }
    #expect(byTables.value == crc)
  }

  @Test("CRC-32C does not depend on how the bytes are cut")
  func pieces() {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    for cut in [1, 3, 7, 8, 9, 500] {
      var crc = CRC32C()
      bytes.withByteView { view in
        var start = 0
        while start < view.count {
          crc.update(view.extracting(start..<min(start + cut, view.count)))
          start += cut
        }
      }
      #expect(crc.value == bytes.withByteView(CRC32C.checksum))
    }
  }

  /// Source: the check value of the CRC catalogue for CRC-24/LTE-A's polynomial 0x864CFB, start 0.
  @Test("CRC-24Q of the digits") func crc24q() {
    #expect(Array("123456789".utf8).withByteView(CRC24Q.checksum) == 0xcde703)
  }

  /// Source: RFC 1145, the checksum byte by byte.
  @Test("Fletcher's sums of any number of bytes") func fletcher() {
    let bytes = (0..<400).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ 7 &* ($0 / 3)) }
    for start in 0...2 {
      for end in start..<bytes.count {
        var sums = (first: UInt8(0), second: UInt8(0))
        for byte in bytes[start..<end] {
          sums.first &+= byte
          sums.second &+= sums.first
        }
        let found = bytes.withByteView { Fletcher8.checksum($0.extracting(start..<end)) }
        #expect(found == UInt16(sums.second) << 8 | UInt16(sums.first))
      }
    }
  }

  /// Bodies of any length, anywhere, against a search byte by byte.
  @Test(
    "a sentence's body ends at its star", arguments: [UInt8(ascii: "*"), 0x00, 0x80, 0xff])
  func sentenceBody(end: UInt8) {
    for length in 0..<95 {
      for start in [0, 1, 5] {
        var bytes = (0..<160).map { UInt8(ascii: "+") + UInt8(truncatingIfNeeded: $0 * 7 % 85) }
        bytes[start + length] = end
        let sum = bytes[start..<(start + length)].reduce(0, ^)
        bytes.withByteView { view in
          let found = view.sentenceBody(from: start, limit: 100)
          #expect(found?.end == start + length)
          #expect(found?.sum == sum)
          // Only whole blocks are looked at, and none behind the limit.
          let isWithin = start + (length / 16 + 1) * 16 <= 64
          let cut = view.extracting(0..<64).sentenceBody(from: start, limit: 100)
          #expect((cut != nil) == isWithin)
          #expect(view.sentenceBody(from: start, limit: length) == nil)
        }
      }
    }
  }
}
