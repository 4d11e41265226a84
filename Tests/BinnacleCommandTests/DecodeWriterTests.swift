import Bytes
import GNSS
import GNSSWire
import Testing

@testable import BinnacleCommand

@Suite("Decode") struct DecodeWriterTests {
  /// Two epochs and a torn sentence; self-made, checksums by NMEA 0183.
  static let stream =
    "$GNRMC,101112,A,7813.4000,N,01538.2000,E,1.50,120.0,141026,,,A*5F\r\n"
    + "$GNRMC,101113.5,A,7813.4000,N,01538.2000,E,1.50,120.0,141026,,,A*45\r\n$GNRMC,10"

  @Test("JSON has fixes and a summary")
  func json() {
    let lines = decoded(.json)
    #expect(lines.count == 3)
    let fix = #"{"type":"fix","time":"2026-10-14T10:11:12.000Z","tod":"10:11:12.000","mode":2,"#
    #expect(lines[0].hasPrefix(fix))
    let summary = #"{"type":"summary","file":"a.log","accepted":2,"rejected":1,"#
    #expect(lines[2].hasPrefix(summary))
    #expect(lines[2].contains(#""by_protocol":{"nmea":2,"ubx":0,"rtcm3":0"#))
  }

  @Test("gpsd has a TPV and a SKY an epoch, CSV a row under one header")
  func others() {
    let classes = decoded(.gpsd).map { $0.dropFirst(10).prefix(3) }
    #expect(classes == ["TPV", "SKY", "TPV", "SKY"])
    #expect(decoded(.csv).count == 3)
  }

  private func decoded(_ format: DecodeFormat) -> [String] {
    var writer = DecodeWriter(format: format)
    var output = OutputBuffer()
    var decoder = StreamDecoder(dates: DateSettings())
    decoder.closing = .recorded
    writer.begin("a.log", to: &output)
    Array(Self.stream.utf8).withByteView {
      decoder.decode($0, at: .zero) { writer.write($0, to: &output) }
    }
    decoder.finish(at: .zero) { writer.write($0, to: &output) }
    writer.end(decoder.counts, to: &output)
    return output.text.split(whereSeparator: \.isNewline).map { String($0) }
  }
}
