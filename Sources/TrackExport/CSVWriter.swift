import Bytes
import FixLog

/// Comma-separated values, a fix a row, as in `FixCSV`. Events have no place in the table.
package struct CSVWriter: RecordWriter {
  /// The last receiver's name, and the field that it makes: most rows are of the same one.
  private var receiver: (name: String, field: [UInt8]) = ("", [])

  package init() {}

  package mutating func begin(to output: inout OutputBuffer) { output.append(FixCSV.header) }

  package mutating func write(
    _ record: LogRecord, startsSegment: Bool, to output: inout OutputBuffer
  ) {
    guard case .fix(let fix, let stream) = record.content else { return }
    if receiver.name != stream.name {
      receiver = (stream.name, FixCSV.field(stream.name))
    }
    // A fix is large: it is copied for a date only where it has none.
    if fix.time == nil {
      FixCSV.append(record.dated(fix), receiver: receiver.field, to: &output)
    } else {
      FixCSV.append(fix, receiver: receiver.field, to: &output)
    }
  }
}
