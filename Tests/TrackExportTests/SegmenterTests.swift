import FixLog
import GNSS
import Testing

@testable import TrackExport

@Suite("Segmenter") struct SegmenterTests {
  /// Seconds after the first fix, and the fixes that must start a segment.
  static let cases: [(name: String, seconds: [Int], starts: [Int])] = [
    ("steady", [0, 1, 2, 3], [0]),
    ("a few fixes missing are no hole", [0, 1, 2, 12], [0]),
    ("a hole", [0, 1, 2, 13, 14], [0, 3]),
    ("a slow receiver has no holes", [0, 60, 120, 180, 240], [0]),
    ("a hole of a slow receiver", [0, 60, 120, 421], [0, 3]),
    ("single fixes between holes", [0, 1, 2, 100, 200, 201], [0, 3, 4]),
    ("a change of pace is two holes", [0, 1, 2, 60, 120, 180, 240], [0, 3, 4]),
    ("time that steps back", [0, 1, 2, 1, 2], [0, 3]),
    ("the same time again", [0, 1, 1, 2], [0]),
  ]

  @Test("cuts at holes", arguments: cases)
  func holes(name: String, seconds: [Int], starts: [Int]) {
    var segmenter = Segmenter()
    let found = seconds.enumerated().compactMap { index, second in
      let time = UTCTime(microseconds: 1_790_000_000_000_000) + .seconds(second)
      var fix = Fix()
      fix.time = time
      return segmenter.startsSegment(.fix(fix)) ? index : nil
    }
    #expect(found == starts, "\(name)")
  }

  @Test("cuts where the log tells of a gap, of the receiver that it names")
  func told() {
    let other = StreamDescriptor(receiverID: 2, name: "other")
    var segmenter = Segmenter()
    let records: [LogRecord] = [
      .fix(at: "2026-10-14T05:00:00Z"), .fix(at: "2026-10-14T05:00:00Z", of: other),
      .event(.gap, at: "2026-10-14T05:00:00Z", [.init(.receiver, .text("other"))]),
      .fix(at: "2026-10-14T05:00:01Z"), .fix(at: "2026-10-14T05:00:01Z", of: other),
      .event(.recordsLost, at: "2026-10-14T05:00:01Z"),
      .fix(at: "2026-10-14T05:00:02Z"), .fix(at: "2026-10-14T05:00:02Z", of: other),
    ]
    #expect(
      records.map { segmenter.startsSegment($0) } == [
        true, true, false, false, true, false, true, true,
      ])
  }
}
