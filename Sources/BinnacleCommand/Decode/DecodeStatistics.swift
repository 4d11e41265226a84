import Bytes
import GNSS
import GNSSWire

/// What a stream held, for people and for programs.
struct DecodeStatistics {
  private(set) var counts = StreamCounts()
  private(set) var identity = ReceiverIdentity()
  private(set) var first: UTCTime?
  private(set) var last: UTCTime?
  private var lastTimeOfDay: TimeOfDay?
  private var stepCount = 0
  private var stepMicroseconds: Int64 = 0

  /// A longer time from one epoch to the next is a pause, and says nothing of the rate.
  private static let stepMicrosecondsMax: Int64 = 10_000_000

  mutating func note(_ report: StreamReport) {
    switch report {
    case .epoch(let epoch): note(epoch.pointee.fix)
    case .receiver(let identity): self.identity = identity
    case .reply: break
    }
  }

  /// The end of the stream.
  mutating func finish(_ counts: StreamCounts) { self.counts = counts }

  private mutating func note(_ fix: Fix) {
    if let time = fix.time {
      first = first ?? time
      last = time
    }
    guard let timeOfDay = fix.timeOfDay else { return }
    if let before = lastTimeOfDay {
      let step = timeOfDay.microseconds - before.microseconds
      if step > 0, step <= Self.stepMicrosecondsMax {
        stepCount += 1
        stepMicroseconds += step
      }
    }
    lastTimeOfDay = timeOfDay
  }

  /// Epochs a second; `nil` where there were no two in a row.
  var rate: Double? { stepCount > 0 ? Double(stepCount) * 1e6 / Double(stepMicroseconds) : nil }

  /// Message types, the most frequent first.
  var types: [(type: MessageType, count: UInt64)] {
    counts.byType.sorted { ($1.count, $0.type.name) < ($0.count, $1.type.name) }
  }

  // MARK: Text

  /// Some lines, the first with the stream's name.
  func text(of name: String) -> String {
    var lines = ["\(name): \(counts.byteCount) bytes, \(counts.epochs) epochs\(span)"]
    if let receiver { lines.append("  receiver: \(receiver)") }
    lines.append("  accepted: \(counts.accepted)")
    for (type, count) in types { lines.append("    \(type.name) \(count)") }
    if counts.untypedCount > 0 { lines.append("    of further types \(counts.untypedCount)") }
    let reasons = RejectReason.allCases.filter { counts.rejected(for: $0) > 0 }
      .map { "\($0.name) \(counts.rejected(for: $0))" }
    let why = reasons.isEmpty ? "" : " (\(reasons.joined(separator: ", ")))"
    lines.append(
      "  rejected: \(counts.rejected)\(why), noise: \(counts.noiseByteCount) bytes, "
        + "late: \(counts.late), satellites dropped: \(counts.droppedSatellites)")
    return lines.joined(separator: "\n")
  }

  private var span: String {
    var text = ""
    if let rate {
      var output = OutputBuffer()
      output.append(trimmed: rate, decimals: 2)
      text += " at \(String(decoding: output.bytes, as: UTF8.self)) Hz"
    }
    if let first, let last { text += ", \(first.iso8601) to \(last.iso8601)" }
    return text
  }

  /// `u-blox NEO-M8N-0, ROM CORE 3.01, protocol 18.00`; `nil` where nothing is known.
  private var receiver: String? {
    guard identity != ReceiverIdentity() else { return nil }
    var words = ["\(identity.family.name)"]
    if let model = identity.model { words[0] += " \(model)" }
    if let firmware = identity.firmware { words.append(firmware) }
    if let hardware = identity.hardware { words.append("hardware \(hardware)") }
    if let version = identity.protocolVersion { words.append("protocol \(version)") }
    if let systems = identity.constellations { words.append(systems) }
    if let unique = identity.uniqueID { words.append("id \(unique)") }
    return words.joined(separator: ", ")
  }

  // MARK: JSON

  /// The summary: an object on a line of its own.
  func appendJSON(of name: String, to output: inout OutputBuffer) {
    output.append(#"{"type":"summary","file":"#)
    output.append(jsonString: name)
    output.append(member: "bytes", Int(clamping: counts.byteCount))
    output.append(member: "epochs", Int(clamping: counts.epochs))
    output.append(member: "epochs_per_second", rate, decimals: 3)
    output.append(member: "first", first?.iso8601)
    output.append(member: "last", last?.iso8601)
    output.append(member: "accepted", Int(clamping: counts.accepted))
    output.append(member: "rejected", Int(clamping: counts.rejected))
    output.append(member: "noise_bytes", Int(clamping: counts.noiseByteCount))
    output.append(member: "late", Int(clamping: counts.late))
    output.append(member: "dropped_satellites", Int(clamping: counts.droppedSatellites))
    append("by_protocol", to: &output) { output in
      for wireProtocol in WireProtocol.allCases {
        Self.append(wireProtocol.name, counts.accepted(of: wireProtocol), to: &output)
      }
    }
    append("rejected_by_reason", to: &output) { output in
      for reason in RejectReason.allCases {
        Self.append(reason.name, counts.rejected(for: reason), to: &output)
      }
    }
    append("by_type", to: &output) { output in
      for (type, count) in types {
        Self.separate(&output)
        output.append(jsonString: type.name)
        output.append(byte: UInt8(ascii: ":"))
        output.append(decimal: Int(clamping: count))
      }
    }
    output.append("}\n")
  }

  private func append(
    _ key: StaticString, to output: inout OutputBuffer, members: (inout OutputBuffer) -> Void
  ) {
    output.append(member: key)
    output.append(byte: UInt8(ascii: "{"))
    members(&output)
    output.append(byte: UInt8(ascii: "}"))
  }

  private static func append(
    _ name: StaticString, _ count: UInt64, to output: inout OutputBuffer
  ) {
    separate(&output)
    output.append(byte: UInt8(ascii: "\""))
    output.append(name)
    output.append("\":")
    output.append(decimal: Int(clamping: count))
  }

  private static func separate(_ output: inout OutputBuffer) {
    if output.bytes.last != UInt8(ascii: "{") { output.append(byte: UInt8(ascii: ",")) }
  }
}
