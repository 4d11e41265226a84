import Bytes
import FixLog
import GNSS

/// Another format with positions in another datum. It stands next to the format, as all else is
/// about positions in WGS-84.
package struct DatumWriter: RecordWriter {
  private var writer: any RecordWriter
  private let datum: ChineseDatum

  package init(_ writer: any RecordWriter, _ datum: ChineseDatum) {
    (self.writer, self.datum) = (writer, datum)
  }

  package mutating func begin(to output: inout OutputBuffer) { writer.begin(to: &output) }

  package mutating func write(
    _ record: LogRecord, startsSegment: Bool, to output: inout OutputBuffer
  ) {
    var shown = record
    if case .fix(var fix, let stream) = record.content {
      fix.position = fix.position.map { datum.converted($0) }
      shown.content = .fix(fix, stream)
    }
    writer.write(shown, startsSegment: startsSegment, to: &output)
  }

  package mutating func write(_ event: PlacedEvent, to output: inout OutputBuffer) {
    var shown = event
    shown.place = event.place.map { datum.converted($0) }
    writer.write(shown, to: &output)
  }

  package mutating func end(to output: inout OutputBuffer) { writer.end(to: &output) }
}
