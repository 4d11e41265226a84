import Bytes
import FixLog
import GNSS

/// One JSON object a line: fixes as in `FixJSON` with the `receiver` they came from, each receiver
/// when its first fix comes, and events.
package struct JSONWriter: RecordWriter {
  /// Receivers told so far. More than this many are told again.
  private static let receiverCountMax = 64
  private var toldReceivers: Set<UInt64> = []
  /// The last of them.
  private var current: UInt64?

  package init() {}

  package mutating func write(
    _ record: LogRecord, startsSegment: Bool, to output: inout OutputBuffer
  ) {
    switch record.content {
    case .fix(let fix, let stream):
      tell(stream, to: &output)
      FixJSON.append(record.dated(fix), to: &output) { more in
        if record.timeIsDerived { more.append(member: "time_derived", true) }
        more.append(member: "receiver", stream.name)
      }
      output.append(byte: UInt8(ascii: "\n"))
    case .event(let event): append(event, of: record, to: &output)
    case .clock: break
    }
  }

  private mutating func tell(_ stream: StreamDescriptor, to output: inout OutputBuffer) {
    guard stream.receiverID != current else { return }
    current = stream.receiverID
    guard !toldReceivers.contains(stream.receiverID) else { return }
    if toldReceivers.count >= Self.receiverCountMax { toldReceivers.removeAll() }
    toldReceivers.insert(stream.receiverID)
    output.append(#"{"type":"receiver","id":""#)
    output.append(hex: stream.receiverID, width: 16)
    output.append(byte: UInt8(ascii: "\""))
    output.append(member: "name", stream.name)
    output.append(member: "protocol", name: stream.wireProtocol.name)
    output.append("}\n")
  }

  private func append(_ event: LogEvent, of record: LogRecord, to output: inout OutputBuffer) {
    output.append(#"{"type":"event""#)
    output.append(membersOf: event, record)
    output.append("}\n")
  }
}

extension OutputBuffer {
  /// `,"event":"attach","time":...` and the particulars. `boottime` (seconds) tells apart events
  /// that have no date.
  mutating func append(membersOf event: LogEvent, _ record: LogRecord) {
    append(member: "event", name: event.kind.name)
    if let time = record.time ?? event.time { append(member: "time", instant: time) }
    if record.timeIsDerived { append(member: "time_derived", true) }
    append(member: "boottime", Double(event.boottime.nanoseconds) / 1e9, decimals: 3)
    for field in event.fields {
      guard let name = field.key.name else { continue }
      switch field.value {
      case .number(let number) where field.key.isTime:
        append(member: name, instant: UTCTime(microseconds: number))
      case .number(let number):
        append(member: name)
        append(scaled: number, decimals: field.key.decimals)
      case .text(let text): append(member: name, text)
      }
    }
  }

  /// `,"key":"2026-10-14T05:06:07.250Z"`
  mutating func append(member key: StaticString, instant time: UTCTime) {
    append(member: key)
    append(byte: UInt8(ascii: "\""))
    append(time: time, fractionDigits: FixJSON.fractionDigits(microseconds: time.microseconds))
    append(byte: UInt8(ascii: "\""))
  }
}

extension LogRecord {
  /// The fix of this record with the time that the log found for it.
  func dated(_ fix: Fix) -> Fix {
    guard fix.time == nil, let time else { return fix }
    var dated = fix
    dated.time = time
    return dated
  }
}
