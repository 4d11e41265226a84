import Bytes
import Testing

@testable import GNSSWire

@Suite("Frame and sentence writers") struct WriterTests {
  @Test("a poll of MON-VER, as u-center sends it")
  func poll() {
    var buffer = OutputBuffer()
    buffer.appendUBX(messageClass: 0x0a, id: 0x04)
    #expect(buffer.bytes == [0xb5, 0x62, 0x0a, 0x04, 0, 0, 0x0e, 0x34])
  }

  @Test("a payload behind other bytes, checksum over the frame alone")
  func payload() {
    var buffer = OutputBuffer()
    buffer.append("xyz")
    buffer.appendUBX(messageClass: 0x06, id: 0x11, payload: [8, 0])
    #expect(buffer.bytes[3...] == [0xb5, 0x62, 0x06, 0x11, 2, 0, 8, 0, 0x21, 0x91])
  }

  @Test("a payload that no length can tell is cut at 65,535 bytes")
  func longest() {
    var buffer = OutputBuffer()
    buffer.appendUBX(messageClass: 1, id: 2) { $0.append(count: 70_000, of: 0) }
    #expect(buffer.count == 65_535 + 8)
    #expect(buffer.bytes[4...5] == [0xff, 0xff])
  }

  /// Checksums as the makers' manuals print them.
  @Test(
    "sentences carry their checksum",
    arguments: [
      ("PMTK605", "$PMTK605*31\r\n"), ("PCAS06,0", "$PCAS06,0*1B\r\n"),
      ("PAIR020", "$PAIR020*38\r\n"), ("PQTMVERNO", "$PQTMVERNO*58\r\n"),
    ] as [(StaticString, String)])
  func sentence(text: StaticString, expected: String) {
    var buffer = OutputBuffer()
    buffer.appendSentence(text)
    #expect(buffer.text == expected)
  }

  @Test("fields are appended by the caller")
  func fields() {
    var buffer = OutputBuffer()
    buffer.appendSentence("GPGLL") { $0.append(",4916.45,N,12311.12,W,225444,A,") }
    #expect(buffer.text == "$GPGLL,4916.45,N,12311.12,W,225444,A,*1D\r\n")
  }
}
