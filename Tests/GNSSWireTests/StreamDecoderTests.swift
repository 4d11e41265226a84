import Bytes
import GNSS
import Testing

@testable import GNSSWire

/// Feeds a decoder and keeps what it reports.
struct Played {
  var epochs: [Epoch] = []
  var counts = StreamCounts()

  init(
    _ bytes: [UInt8], chunk: Int = .max, dates: DateSettings = DateSettings(),
    closing: EpochClosing = .recorded
  ) {
    var decoder = StreamDecoder(dates: dates)
    decoder.closing = closing
    func keep(_ report: StreamReport) {
      if case .epoch(let epoch) = report { epochs.append(epoch.pointee) }
    }
    bytes.withByteView { view in
      var offset = 0
      while offset < view.count {
        let end = offset + min(chunk, view.count - offset)
        decoder.decode(view.extracting(offset..<end), at: .zero, report: keep)
        offset = end
      }
    }
    decoder.finish(at: .zero, report: keep)
    counts = decoder.counts
  }

  init(sentences: String, dates: DateSettings = DateSettings()) {
    self.init(Array(sentences.utf8), dates: dates)
  }
}

@Suite("Stream decoder") struct StreamDecoderTests {
  /// Checksums recomputed by hand; the position is that of the Kerguelen islands.
  static let epoch = """
    $GNRMC,045428.00,A,4920.5000,S,07013.2500,E,2.487,77.91,141026,,,A*5B\r
    $GNGGA,045428.00,4920.5000,S,07013.2500,E,1,08,1.10,12.0,M,44.0,M,,*63\r

    """

  @Test("joins the sentences of one instant", arguments: [1, 7, 64, .max])
  func join(chunk: Int) throws {
    let played = Played(Array(Self.epoch.utf8), chunk: chunk)
    #expect(played.epochs.count == 1)
    let fix = try #require(played.epochs.first?.fix)
    #expect(fix.time == UTCTime(iso8601: "2026-10-14T04:54:28Z"))
    #expect(fix.mode == .threeD)
    #expect(abs((fix.position?.latitude ?? 0) + 49.341666667) < 1e-9)
    #expect(fix.altitudeEllipsoid == 56)
    #expect(played.counts.accepted == 2)
    #expect(played.counts.rejected == 0)
    #expect(played.counts.noiseByteCount == 0)
  }
}
