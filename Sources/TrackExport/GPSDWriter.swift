import Bytes
import FixLog
import GPSDProtocol

/// TPV reports of gpsd's protocol, with the receiver as the device.
package struct GPSDWriter: RecordWriter {
  package init() {}

  package mutating func write(
    _ record: LogRecord, startsSegment: Bool, to output: inout OutputBuffer
  ) {
    guard case .fix(let fix, let stream) = record.content else { return }
    TPVReport.append(record.dated(fix), device: stream.name, to: &output)
  }
}
