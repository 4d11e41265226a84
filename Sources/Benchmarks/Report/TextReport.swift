import Bytes

extension Results {
  /// For people: a table for each input, then a line for each goal.
  var text: String {
    var lines = ["machine: \(machine.text)", "load while measuring: \(machine.loads)", ""]
    for table in tables {
      lines.append(table.name)
      let width = table.rows.map(\.contender.count).max() ?? 0
      for row in table.rows {
        lines.append(
          "  \(row.contender.padded(to: width))  \(row.samples.text(in: row.unit))")
      }
      lines.append("")
    }
    for goal in goals.sorted(by: { $0.id < $1.id }) { lines.append(goal.text) }
    if !missing.isEmpty { lines += [""] + missing.map { "missing: \($0)" } }
    return lines.map { $0 + "\n" }.joined()
  }
}

extension GoalResult {
  fileprivate var text: String {
    let name = "P\(id)".padded(to: 3)
    let parts = clauses.map(\.text).joined(separator: "; ")
    let remark = note.map { " (\($0))" } ?? ""
    return "\(name) \(verdict.text.padded(to: 12)) \(title): \(parts)\(remark)"
  }
}

extension Clause {
  fileprivate var text: String {
    guard !samples.isEmpty else { return "\(name): not measured" }
    guard !unit.isEmpty else { return "\(name): \(samples.median == 1 ? "yes" : "NO")" }
    let sign = isFloor ? ">=" : "<="
    return "\(name) \(samples.text(in: unit)), gate \(sign) \(gate.short), target \(sign) "
      + target.short
  }
}

extension Samples {
  /// `1.23 x [1.10-1.40]`
  fileprivate func text(in unit: String) -> String {
    guard values.count > 1 else { return "\(median.short) \(unit)" }
    return "\(median.short) \(unit) [\(min.short)-\(max.short)]"
  }
}

extension Double {
  /// Three digits, or all of a large number's whole ones.
  var short: String {
    guard isFinite else { return "-" }
    var output = OutputBuffer()
    let size = abs(self)
    output.append(trimmed: self, decimals: size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3)
    return output.text
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
