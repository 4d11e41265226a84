import FixLog
import GNSS
import Testing

@testable import TrackExport

@Suite("Text of the log") struct TextWriterTests {
  static let records: [LogRecord] = [
    .fix(.sample), .fix(at: "2026-10-14T05:06:08Z", -9.5, -170),
    .event(.gap, at: "2026-10-14T05:06:09Z", [.init(.reason, .text("no \u{1b}[31mfix"))]),
    .fix(at: "2026-10-14T05:07:08Z"),
  ]

  @Test("columns are aligned, holes are empty lines, events sentences")
  func table() {
    #expect(
      document(TextWriter(), Self.records) == """
        time (UTC)                  latitude °   longitude °  altitude m  speed m/s  course °\
           ±h m   ±v m  used  fix          receiver
        2026-10-14 05:06:07.250    -49.3416667    70.2208333       512.1       1.25     120.5\
            2.5    4.0     7  3D dgps      u-blox 8
        2026-10-14 05:06:08.000     -9.5000000  -170.0000000           -          -         -\
              -      -     -  3D           u-blox 8
        2026-10-14 05:06:09.000  -- gap: reason no  [31mfix

        2026-10-14 05:07:08.000     10.0000000    20.0000000           -          -         -\
              -      -     -  3D           u-blox 8

        """)
  }
}
