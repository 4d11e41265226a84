import FixLog
import GNSS
import Testing

@testable import TrackExport

@Suite("JSON of the log") struct JSONWriterTests {
  @Test("receivers once, fixes with their receiver, events with their fields")
  func lines() {
    let text = document(
      JSONWriter(),
      [
        .event(
          .attach, at: "2026-10-14T05:00:00Z",
          [
            .init(.receiver, .text("u-blox \"8\"")), .init(.baud, .number(9600)),
            .init(.from, .number(1_791_954_000_000_000)), .init(EventKey(rawValue: 99), .number(1)),
          ]),
        .fix(at: "2026-10-14T05:00:01Z"), .fix(at: "2026-10-14T05:00:02Z"),
      ])
    #expect(
      text == #"{"type":"event","event":"attach","time":"2026-10-14T05:00:00.000Z","#
        + #""boottime":12.346,"receiver":"u-blox \"8\"","baud":9600,"#
        + #""from":"2026-10-14T05:00:00.000Z"}"# + "\n"
        + #"{"type":"receiver","id":"000000000000ab12","name":"u-blox 8","protocol":"ubx"}"# + "\n"
        + #"{"type":"fix","time":"2026-10-14T05:00:01.000Z","mode":3,"lat":10,"lon":20,"#
        + #""receiver":"u-blox 8"}"# + "\n"
        + #"{"type":"fix","time":"2026-10-14T05:00:02.000Z","mode":3,"lat":10,"lon":20,"#
        + #""receiver":"u-blox 8"}"# + "\n")
  }

  @Test("a time that the log computed is marked")
  func derived() {
    var record = LogRecord.fix(Fix())
    record.time = UTCTime(iso8601: "2026-10-14T05:00:01Z")
    record.timeIsDerived = true
    #expect(
      document(JSONWriter(), [record]).hasSuffix(
        #"{"type":"fix","time":"2026-10-14T05:00:01.000Z","mode":0,"time_derived":true,"#
          + #""receiver":"u-blox 8"}"# + "\n"))
  }

  @Test("CSV has a row for each fix and none for events")
  func csv() {
    let text = document(
      CSVWriter(),
      [.event(.attach, at: "2026-10-14T05:00:00Z"), .fix(at: "2026-10-14T05:00:01Z")])
    #expect(text.split(separator: "\n").count == 2)
    #expect(text.hasSuffix("\n2026-10-14T05:00:01.000Z,3,,10,20,,,,,,,,,,,,,,,,u-blox 8\n"))
  }
}
