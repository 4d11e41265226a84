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
    // 1.5 s lie between the two.
    let summary =
      #"{"type":"summary","file":"a.log","bytes":145,"epochs":2,"epochs_per_second":0.667,"#
      + #""first":"2026-10-14T10:11:12.000Z","last":"2026-10-14T10:11:13.500Z","#
      + #""accepted":2,"rejected":1,"#
    #expect(lines[2].hasPrefix(summary))
    #expect(lines[2].contains(#""rejected_by_reason":{"checksum":0,"torn":1,"#))
    #expect(lines[2].hasSuffix(#""by_type":{"GNRMC":2}}"#))
    #expect(lines[2].contains(#""by_protocol":{"nmea":2,"ubx":0,"rtcm3":0"#))
  }

  @Test("gpsd has a TPV and a SKY an epoch, CSV a row under one header")
  func others() {
    let classes = decoded(.gpsd).map { $0.dropFirst(10).prefix(3) }
    #expect(classes == ["TPV", "SKY", "TPV", "SKY"])
    #expect(decoded(.csv).count == 3)
  }

  @Test("statistics name every message type, the rate and the span")
  func statistics() {
    var statistics = DecodeStatistics()
    var decoder = StreamDecoder(dates: DateSettings())
    decoder.closing = .recorded
    Array(Self.stream.utf8).withByteView {
      decoder.decode($0, at: .zero) { statistics.note($0) }
    }
    decoder.finish(at: .zero) { statistics.note($0) }
    statistics.finish(decoder.counts)
    let lines = statistics.text(of: "a.log").split(separator: "\n")
    let span = "2026-10-14T10:11:12.000Z to 2026-10-14T10:11:13.500Z"
    #expect(lines[0] == "a.log: 145 bytes, 2 epochs at 0.67 Hz, \(span)")
    #expect(lines[1...2] == ["  accepted: 2", "    GNRMC 2"])
    #expect(lines[3].hasPrefix("  rejected: 1 (torn 1), noise: "))
  }

  private func decoded(_ format: DecodeFormat) -> [String] {
    var writer = DecodeWriter(format: format)
    var output = OutputBuffer()
    var statistics = DecodeStatistics()
    var decoder = StreamDecoder(dates: DateSettings())
    decoder.closing = .recorded
    writer.begin("a.log", to: &output)
    Array(Self.stream.utf8).withByteView {
      decoder.decode($0, at: .zero) {
        writer.write($0, to: &output)
        statistics.note($0)
      }
    }
    decoder.finish(at: .zero) {
      writer.write($0, to: &output)
      statistics.note($0)
    }
    statistics.finish(decoder.counts)
    writer.end(statistics, to: &output)
    return output.text.split(whereSeparator: \.isNewline).map { String($0) }
  }
}
