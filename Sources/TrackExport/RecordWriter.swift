import Bytes
import FixLog
import GNSS

/// A format: records in, one document out, in constant memory.
///
/// `begin` comes once, then any number of records, then `end`. `end` may follow any record: a dump
/// that is interrupted still closes what it opened.
package protocol RecordWriter {
  mutating func begin(to output: inout OutputBuffer)

  /// - Parameter startsSegment: Whether the fix does not continue the track before it: it is the
  ///   first one, or fixes are missing between.
  mutating func write(_ record: LogRecord, startsSegment: Bool, to output: inout OutputBuffer)

  /// An event, in the formats with tracks: there events come on their own, before the fixes.
  mutating func write(_ event: PlacedEvent, to output: inout OutputBuffer)

  mutating func end(to output: inout OutputBuffer)
}

extension RecordWriter {
  package mutating func begin(to output: inout OutputBuffer) {}
  package mutating func write(_ event: PlacedEvent, to output: inout OutputBuffer) {}
  package mutating func end(to output: inout OutputBuffer) {}
}
