import Bytes
import CBaselines
import GNSS
import GNSSWire
import Testing

@testable import Benchmarks

@Suite("Synthetic corpora") struct CorpusTests {
  @Test("the decoder takes every sentence, and finds the epochs and their times")
  func nmea() {
    let corpus = SyntheticNMEA.corpus("synth10hz", byteCount: 100_000, step: .milliseconds(100))
    let (accepted, times) = Self.decoded(corpus)
    #expect(accepted == corpus.messageCount)
    #expect(times == corpus.epochs.map(\.time))
  }

  @Test("the decoder takes every frame, and finds the epochs and their times")
  func ubx() {
    for corpus in [
      SyntheticUBX.corpus(byteCount: 100_000), SyntheticUBX.mixed(byteCount: 100_000),
    ] {
      let (accepted, times) = Self.decoded(corpus)
      #expect(accepted == corpus.messageCount)
      #expect(times == corpus.epochs.map(\.time))
    }
  }

  @Test("the C baselines find what is in them")
  func baselines() {
    let nmea = SyntheticNMEA.corpus("synth1hz", byteCount: 50_000, step: .seconds(1))
    let ubx = SyntheticUBX.corpus(byteCount: 50_000)
    #expect(baseline_nmea(nmea.bytes, nmea.bytes.count) == nmea.epochs.count * 10)
    #expect(baseline_nmea_lines(nmea.bytes, nmea.bytes.count) == nmea.epochs.count * 10)
    #expect(baseline_memchr(nmea.bytes, nmea.bytes.count) == nmea.epochs.count * 10)
    #expect(baseline_ubx(ubx.bytes, ubx.bytes.count) == ubx.epochs.count * 4)
    var broken = nmea.bytes
    broken[20] ^= 1
    #expect(baseline_nmea(broken, broken.count) == nmea.epochs.count * 10 - 1)
  }

  private static func decoded(_ corpus: Corpus) -> (accepted: Int, times: [String]) {
    var decoder = StreamDecoder(dates: DateSettings())
    decoder.closing = .recorded
    var times: [String] = []
    func take(_ report: StreamReport) {
      guard case .epoch(let epoch) = report else { return }
      times.append(epoch.pointee.fix.time?.milliseconds ?? "none")
    }
    corpus.bytes.withByteView { decoder.decode($0, at: .zero, report: take) }
    decoder.finish(at: .zero, report: take)
    return (Int(decoder.counts.accepted), times)
  }
}
