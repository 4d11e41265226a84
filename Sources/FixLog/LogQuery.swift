import Bytes
import GNSS

/// Which records to read.
package struct LogQuery: Sendable {
  package struct Kinds: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let fixes = Kinds(rawValue: 1)
    package static let events = Kinds(rawValue: 2)
    package static let clocks = Kinds(rawValue: 4)
  }

  package var kinds: Kinds = [.fixes, .events]
  /// Both inclusive. Records whose time cannot be known are then left out.
  package var since: UTCTime?
  package var until: UTCTime?
  /// Only fixes of this receiver; events are not of one.
  package var receiverID: UInt64?
  /// Only the newest so many of the records that all else lets through.
  package var last: Int?
  /// Only what follows this place.
  package var cursor: LogCursor?
  /// A further condition.
  package var isWanted: (@Sendable (LogRecord) -> Bool)?

  package init() {}

  func matches(_ record: LogRecord) -> Bool {
    switch record.content {
    case .fix(_, let stream):
      guard kinds.contains(.fixes), receiverID.map({ $0 == stream.receiverID }) ?? true else {
        return false
      }
    case .event: guard kinds.contains(.events) else { return false }
    case .clock: guard kinds.contains(.clocks) else { return false }
    }
    if since != nil || until != nil {
      guard let time = record.time, since.map({ time >= $0 }) ?? true,
        until.map({ time <= $0 }) ?? true
      else { return false }
    }
    return isWanted?(record) ?? true
  }
}

/// The place of a record in a ring, to go on behind it later. Stays good across restarts.
package struct LogCursor: Equatable, Sendable {
  package let ringID: RingID
  package let epoch: UInt32
  package let sequence: UInt64
  /// The record's place in its block.
  package let index: Int

  /// Four hexadecimal numbers with dashes between: ring, epoch, sequence and index.
  package var text: String {
    var output = OutputBuffer()
    output.append(hex: ringID.high, width: 16)
    output.append(hex: ringID.low, width: 16)
    output.append(text: "-\(String(epoch, radix: 16))-\(String(sequence, radix: 16))")
    output.append(text: "-\(String(index, radix: 16))")
    return output.text
  }

  init(ringID: RingID, epoch: UInt32, sequence: UInt64, index: Int) {
    (self.ringID, self.epoch) = (ringID, epoch)
    (self.sequence, self.index) = (sequence, index)
  }

  /// Reads what `text` gives; `nil` for anything else.
  package init?(text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0].count == 32,
      let high = UInt64(parts[0].prefix(16), radix: 16),
      let low = UInt64(parts[0].suffix(16), radix: 16), let epoch = UInt32(parts[1], radix: 16),
      let sequence = UInt64(parts[2], radix: 16), let index = Int(parts[3], radix: 16), index >= 0
    else { return nil }
    self.init(
      ringID: RingID(high: high, low: low), epoch: epoch, sequence: sequence, index: index)
  }
}

/// Blocks that a reader expected and did not get.
package struct LogGap: Equatable, Sendable {
  package enum Cause: Equatable, Sendable {
    /// The writer came round and overwrote them while they were to be read.
    case overtaken
    /// They fail their check, or the medium does not give them back.
    case damaged
    /// The place holds something older: the writer passed over it, or the medium lost the write.
    case missing
    /// A block that its successor does not know: left by a medium that lost later writes.
    case orphan
    /// The cursor is of another ring.
    case otherRing
  }

  package let cause: Cause
  package let sequences: Range<UInt64>

  package var blockCount: Int { sequences.count }
}

/// What a reader yields.
package enum LogItem: Sendable {
  case record(LogRecord, LogCursor)
  case gap(LogGap)
}
