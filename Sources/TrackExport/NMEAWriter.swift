import Bytes
import FixLog
import GNSS
import GNSSWire

/// NMEA 0183: RMC, GGA and GSA for each fix, to 2 cm and 10 ms. GSA names no satellites, as the log
/// keeps how many were used, not which.
package struct NMEAWriter: RecordWriter {
  private static let sentences: SentenceSet = [.rmc, .gga, .gsa]

  package init() {}

  package mutating func write(
    _ record: LogRecord, startsSegment: Bool, to output: inout OutputBuffer
  ) {
    guard case .fix(let fix, _) = record.content else { return }
    var epoch = Epoch()
    epoch.fix = record.dated(fix)
    output.appendSentences(Self.sentences, of: epoch)
  }
}
