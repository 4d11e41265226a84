import Bytes
import FixLog
import GNSS

/// A table for people: one fix a line under a header that names the units, an empty line where
/// fixes are missing, and events as sentences. Columns keep their width whatever the values.
package struct TextWriter: RecordWriter {
  private static let header: StaticString = """
    time (UTC)                  latitude °   longitude °  altitude m  speed m/s  course °\
       ±h m   ±v m  used  fix          receiver

    """
  private var isFirst = true

  package init() {}

  package mutating func begin(to output: inout OutputBuffer) { output.append(Self.header) }

  package mutating func write(
    _ record: LogRecord, startsSegment: Bool, to output: inout OutputBuffer
  ) {
    defer { isFirst = false }
    switch record.content {
    case .fix(let fix, let stream):
      if startsSegment, !isFirst { output.append(byte: UInt8(ascii: "\n")) }
      append(record.dated(fix), receiver: stream.name, to: &output)
    case .event(let event):
      output.append(column: 24) { Self.append(time: record.time ?? event.time, to: &$0) }
      append(event, to: &output)
    case .clock: break
    }
  }

  /// The altitude is the one above mean sea level, or else the ellipsoid's.
  private func append(_ fix: Fix, receiver: String, to output: inout OutputBuffer) {
    output.append(column: 24) { line in
      if fix.time == nil, let timeOfDay = fix.timeOfDay {
        line.append(count: 11, of: UInt8(ascii: " "))
        line.append(timeOfDay: timeOfDay)
      } else {
        Self.append(time: fix.time, isLeapSecond: fix.isLeapSecond, to: &line)
      }
    }
    output.append(number: fix.position?.latitude, decimals: 7, width: 13)
    output.append(number: fix.position?.longitude, decimals: 7, width: 14)
    output.append(number: fix.altitudeMSL ?? fix.altitudeEllipsoid, decimals: 1, width: 12)
    output.append(number: fix.speed, decimals: 2, width: 11)
    output.append(
      number: fix.course.map { Bearing.rounded($0, decimals: 1) }, decimals: 1, width: 10)
    output.append(number: fix.horizontalAccuracy, decimals: 1, width: 7)
    output.append(number: fix.verticalAccuracy, decimals: 1, width: 7)
    output.append(number: fix.satellitesUsed.map { Double($0) }, decimals: 0, width: 6)
    output.append("  ")
    output.append(column: 12) { Self.append(kindOf: fix, to: &$0) }
    output.append(printable: receiver)
    output.append(byte: UInt8(ascii: "\n"))
  }

  private func append(_ event: LogEvent, to output: inout OutputBuffer) {
    output.append("-- ")
    output.append(event.kind.name)
    if event.hasText { output.append(": ") }
    output.append(textOf: event)
    output.append(byte: UInt8(ascii: "\n"))
  }

  /// `2026-10-14 05:06:07.250`, or `-` where it is not known.
  fileprivate static func append(
    time: UTCTime?, isLeapSecond: Bool = false, to output: inout OutputBuffer
  ) {
    guard let time else { return output.append(byte: UInt8(ascii: "-")) }
    let start = output.count
    output.append(time: time, isLeapSecond: isLeapSecond)
    output.truncate(to: output.count - 1)
    output.replace(at: start + 10, littleEndian: UInt8(ascii: " "))
  }

  /// `3D dgps`
  private static func append(kindOf fix: Fix, to output: inout OutputBuffer) {
    switch fix.mode {
    case .unknown: output.append("-")
    case .none: output.append("no fix")
    case .twoD: output.append("2D")
    case .threeD: output.append("3D")
    }
    guard fix.status != .gps, let name = fix.status.name else { return }
    output.append(byte: UInt8(ascii: " "))
    output.append(name)
  }
}

extension OutputBuffer {
  /// What `write` appends, filled with blanks at the right to `width` bytes and one blank more.
  fileprivate mutating func append(column width: Int, _ write: (inout OutputBuffer) -> Void) {
    let start = count
    write(&self)
    append(count: max(width - (count - start), 0) + 1, of: UInt8(ascii: " "))
  }

  /// A number at the right end of `width` columns; `-` where it is not known.
  fileprivate mutating func append(number value: Double?, decimals: Int, width: Int) {
    let start = count
    if let value, value.isFinite {
      append(fixed: value, decimals: decimals)
    } else {
      append(byte: UInt8(ascii: "-"))
    }
    insert(count: max(width - (count - start), 1), of: UInt8(ascii: " "), at: start)
  }

  /// The particulars of an event: `node /dev/ttyACM0, baud 9600`.
  mutating func append(textOf event: LogEvent) {
    var separator: StaticString = ""
    for field in event.fields {
      guard let name = field.key.name else { continue }
      append(separator)
      separator = ", "
      append(name)
      append(byte: UInt8(ascii: " "))
      switch field.value {
      case .number(let number) where field.key.isTime:
        TextWriter.append(time: UTCTime(microseconds: number), to: &self)
      case .number(let number): append(scaled: number, decimals: field.key.decimals)
      case .text(let text): append(printable: text)
      }
    }
  }

  /// Text of a receiver or a user, without characters that would move a terminal's cursor.
  fileprivate mutating func append(printable text: String) {
    for scalar in text.unicodeScalars {
      let isControl = scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value)
      append(text: isControl ? " " : String(scalar))
    }
  }
}

extension LogEvent {
  /// Whether it has particulars that this version can name.
  var hasText: Bool { fields.contains { $0.key.name != nil } }
}
