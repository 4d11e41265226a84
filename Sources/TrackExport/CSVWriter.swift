import Bytes
import FixLog

/// Comma-separated values, a fix a row, as in `FixCSV`. Events have no place in the table.
package struct CSVWriter: RecordWriter {
  package init() {}

  package mutating func begin(to output: inout OutputBuffer) { output.append(FixCSV.header) }

  package mutating func write(
    _ record: LogRecord, startsSegment: Bool, to output: inout OutputBuffer
  ) {
    guard case .fix(let fix, let stream) = record.content else { return }
    // A fix is large: it is copied for a date only where it has none.
    if fix.time == nil {
      FixCSV.append(record.dated(fix), receiver: stream.name, to: &output)
    } else {
      FixCSV.append(fix, receiver: stream.name, to: &output)
    }
  }
}
