import FixLog
import GNSS
import Testing

@testable import TrackExport

@Suite("HTML") struct HTMLWriterTests {
  private func data(_ page: String) -> [Substring] {
    let block = page.components(between: #"<script type="text/plain" id="data">"#, and: "</script>")
    return block.first.map { $0.split(separator: "\n") } ?? []
  }

  @Test("fixes are differences in the units of the page's script")
  func rows() {
    let page = document(
      HTMLWriter(),
      [
        .fix(.sample), .fix(at: "2026-10-14T05:06:08.250Z", -49.3416666, 70.2208333),
        .fix(at: "2026-10-14T06:06:08.250Z", 0, 0),
      ])
    #expect(
      data(page) == [
        #"r"u-blox 8""#, "1791954367250,-493416667,702208333,5121,125,250,7", "1000,1,0,,,,", "s",
        "3600000,493416666,-702208333,,,,",
      ])
  }

  @Test("text cannot end the script that it stands in; the page asks nobody for anything")
  func text() throws {
    let other = StreamDescriptor(receiverID: 2, name: "</script><b>")
    let attach = LogRecord.event(
      .attach, at: "2026-10-14T05:00:00Z",
      [.init(.node, .text("<!--<script>")), .init(.receiver, .text("<b>"))])
    let event = try #require(PlacedEvent(attach, at: nil))
    var writer = HTMLWriter(tiles: nil)
    let page = written {
      writer.begin(to: &$0)
      writer.write(event, to: &$0)
      writer.write(.fix(at: "2026-10-14T05:00:01Z", of: other), startsSegment: true, to: &$0)
      writer.end(to: &$0)
    }
    #expect(page.ranges(of: "<script").count == 3 && page.ranges(of: "</script>").count == 3)
    #expect(page.contains(#"e{"kind":"attach","text":"node \u003c!--\u003cscript>, rec"#))
    #expect(page.contains(#","receiver":"\u003cb>"}"#))
    #expect(!page.contains("http:") && !page.contains("https:"))
    #expect(page.contains("img-src 'none'"))
    #expect(page.contains(#""fixes":1,"segments":1,"distance":0,"#))
  }

  @Test("is whole when it ends after any record, and without one")
  func interrupted() {
    let records: [LogRecord] = [.fix(Fix()), .fix(at: "2026-10-14T05:00:01Z"), .fix(.sample)]
    for count in 0...records.count {
      let page = document(HTMLWriter(tiles: "t/{z}/{x}/{y}"), Array(records[..<count]))
      #expect(page.hasSuffix("</script></body></html>\n"))
      #expect(page.contains(#""tiles":"t/{z}/{x}/{y}"}</script>"#))
    }
  }
}
