import GNSS
import Testing

@testable import TrackExport

@Suite("Fix as CSV") struct FixCSVTests {
  @Test("a row of known values")
  func known() {
    #expect(
      written { FixCSV.append(.sample, receiver: Array("u-blox".utf8), to: &$0) }
        == "2026-10-14T05:06:07.250Z,3,dgps,-49.341666667,70.220833333,512.118,553.325,41.207,"
        + "1.25,120.5,-0.1,,2.5,4,0.3,12,7,1.27,2.1,2.45,u-blox\n")
  }

  @Test("every row has the header's columns", arguments: [Fix(), .sample])
  func columns(fix: Fix) {
    let row = written { FixCSV.append(fix, receiver: [], to: &$0) }
    let header = written { $0.append(FixCSV.header) }
    #expect(row.count(where: { $0 == "," }) == header.count(where: { $0 == "," }))
    #expect(header.hasSuffix(",receiver\n"))
  }

  static let texts = [
    ("plain", "plain"), ("a,b", "\"a,b\""), ("say \"no\"", "\"say \"\"no\"\"\""),
    ("two\nlines", "\"two lines\""),
  ]

  @Test("text is quoted where it must be", arguments: texts)
  func quoted(text: String, expected: String) {
    #expect(written { FixCSV.append(text: text, to: &$0) } == expected)
  }
}
