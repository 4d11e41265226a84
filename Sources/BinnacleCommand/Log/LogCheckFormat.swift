import BinnacleDaemon
import Bytes
import FixLog
import GNSS

/// How `log-check` prints what it found.
enum LogCheckFormat: String, CaseIterable {
  case text, json

  func write(_ check: LogCheck, of path: String, to output: inout OutputBuffer) {
    switch self {
    case .text: for line in Self.lines(check, path) { output.append(text: line + "\n") }
    case .json: Self.writeJSON(check, path, to: &output)
    }
  }

  /// The commit interval that the estimate of wear goes by: the default.
  private static let commitInterval = Configuration().log.commitInterval

  // MARK: Text

  private static func lines(_ check: LogCheck, _ path: String) -> [String] {
    let geometry = check.superblock.geometry
    var rows: [(name: String, text: String)] = []
    let origin = check.superblock.creator.isEmpty ? "" : " by \(check.superblock.creator)"
    let blocks = "\(geometry.blockCount) blocks of \(size(geometry.blockSize))"
    let day = check.superblock.created.iso8601.prefix(10)
    rows.append(("ring", "\(size(check.byteCount)), \(blocks), made \(day)\(origin)"))
    let untimed = check.untimedCount > 0 ? "; \(check.untimedCount) without a date" : ""
    rows.append(
      (
        "records",
        "\(check.fixCount) fixes, \(check.eventCount) events, \(check.clockCount) clock "
          + "records\(untimed)"
      ))
    if let earliest = check.earliest, let latest = check.latest {
      rows.append(("extent", "\(earliest.iso8601) to \(latest.iso8601)"))
    }
    for receiver in check.receivers {
      rows.append(("receiver", "\(receiver.descriptor.name): \(receiver.fixCount) fixes"))
    }
    let backwards = max(0, check.eraCount - 1)
    rows.append(
      ("writers", "opened \(check.incarnationCount)×; time went back \(backwards)×"))
    rows += estimates(check)
    if check.reportedLossCount > 0 {
      rows.append(("lost", "\(check.reportedLossCount) records, as the log itself tells"))
    }
    if check.omittedCount > 0 {
      rows.append(("unknown", "\(check.omittedCount) records of a newer program"))
    }
    rows += damages(check).map { ("damage", $0) }
    let width = 11
    return ["\(path): \(check.isDamaged ? "DAMAGED" : "whole")"]
      + rows.map { name, text in
        "  \(name)\(String(repeating: " ", count: max(1, width - name.utf8.count)))\(text)"
      }
  }

  private static func estimates(_ check: LogCheck) -> [(name: String, text: String)] {
    var rows: [(name: String, text: String)] = []
    if let bytes = check.bytesPerFix {
      let share = "\(check.blockCount) of \(check.superblock.geometry.blockCount) blocks in use"
      rows.append(("use", "\(fixed(bytes, 1)) bytes for a fix, all included; \(share)"))
    }
    if let retention = check.retention {
      rows.append(
        ("retention", "\(fixed(retention.inSeconds / 86_400, 1)) days of logging at this rate"))
    }
    if let bytes = check.bytesPerDay(commitInterval: commitInterval) {
      let amount = fixed(bytes / 1_048_576, 0)
      rows.append(
        ("wear", "\(amount) MiB for a day of logging, some four times that with ext4's journal"))
    }
    return rows
  }

  private static func damages(_ check: LogCheck) -> [String] {
    var texts: [String] = []
    let expected = check.superblock.geometry.byteCount
    if check.byteCount < expected {
      texts.append("the file is cut to \(check.byteCount) of \(expected) bytes: see --repair")
    }
    if check.superblockCount < 2 { texts.append("one copy of the superblock: see --repair") }
    if check.tornSlotCount == 2 {
      texts.append("both tail slots: records not yet in a full block are lost")
    }
    texts += check.gaps.map { "\(blocks($0.sequences)): \($0.cause.text)" }
    texts += check.malformedSequences.map { "block \($0): breaks off inside a record" }
    return texts
  }

  private static func blocks(_ range: Range<UInt64>) -> String {
    range.count == 1
      ? "block \(range.lowerBound)" : "blocks \(range.lowerBound) to \(range.upperBound - 1)"
  }

  private static func fixed(_ value: Double, _ decimals: Int) -> String {
    var output = OutputBuffer()
    output.append(fixed: value, decimals: decimals)
    return output.text
  }

  private static func size(_ byteCount: Int) -> String {
    byteCount < 1 << 20
      ? "\(byteCount >> 10) KiB" : "\(fixed(Double(byteCount) / 1_048_576, 1)) MiB"
  }

  // MARK: JSON

  private static func writeJSON(
    _ check: LogCheck, _ path: String, to output: inout OutputBuffer
  ) {
    output.append(#"{"log":"#)
    output.append(jsonString: path)
    output.append(member: "damaged", check.isDamaged)
    output.append(member: "bytes", check.byteCount)
    output.append(member: "block_bytes", check.superblock.geometry.blockSize)
    output.append(member: "ring_blocks", check.superblock.geometry.blockCount)
    output.append(member: "full_blocks", check.blockCount)
    output.append(member: "created", check.superblock.created.iso8601)
    output.append(member: "creator", check.superblock.creator)
    output.append(member: "fixes", check.fixCount)
    output.append(member: "events", check.eventCount)
    output.append(member: "clock_records", check.clockCount)
    output.append(member: "untimed", check.untimedCount)
    output.append(member: "omitted", check.omittedCount)
    output.append(member: "first", check.earliest?.iso8601)
    output.append(member: "last", check.latest?.iso8601)
    output.append(member: "openings", Int(check.incarnationCount))
    output.append(member: "eras", check.eraCount)
    output.append(member: "bytes_per_fix", check.bytesPerFix, decimals: 2)
    output.append(member: "retention_seconds", check.retention?.inSeconds, decimals: 0)
    output.append(
      member: "written_bytes_per_day", check.bytesPerDay(commitInterval: commitInterval),
      decimals: 0)
    output.append(member: "reported_losses", Int(clamping: check.reportedLossCount))
    output.append(member: "superblocks", check.superblockCount)
    output.append(member: "torn_slots", check.tornSlotCount)
    output.append(member: "receivers")
    append(check.receivers, to: &output) { receiver, output in
      output.append(#"{"name":"#)
      output.append(jsonString: receiver.descriptor.name)
      output.append(member: "fixes", receiver.fixCount)
      output.append("}")
    }
    output.append(member: "gaps")
    append(check.gaps, to: &output) { gap, output in
      output.append(#"{"cause":"#)
      output.append(jsonString: gap.cause.name)
      output.append(member: "first_block", Int(clamping: gap.sequences.lowerBound))
      output.append(member: "blocks", gap.blockCount)
      output.append("}")
    }
    output.append(member: "malformed")
    append(check.malformedSequences, to: &output) { sequence, output in
      output.append(decimal: Int(clamping: sequence))
    }
    output.append("}\n")
  }

  private static func append<Element>(
    _ elements: [Element], to output: inout OutputBuffer,
    _ write: (Element, inout OutputBuffer) -> Void
  ) {
    output.append("[")
    for (index, element) in elements.enumerated() {
      if index > 0 { output.append(",") }
      write(element, &output)
    }
    output.append("]")
  }
}

extension LogGap.Cause {
  /// The word for it in JSON.
  fileprivate var name: String {
    switch self {
    case .overtaken: "overtaken"
    case .damaged: "damaged"
    case .missing: "missing"
    case .orphan: "orphan"
    case .otherRing: "other_ring"
    }
  }

  fileprivate var text: String {
    switch self {
    case .overtaken: "overwritten while it was read"
    case .damaged: "fails its check"
    case .missing: "was not written, or the medium lost it"
    case .orphan: "does not belong to the log any more: the medium lost what followed"
    case .otherRing: "of another log"
    }
  }
}
