import Bytes

extension Results {
  /// For programs: one object.
  var json: String {
    var output = OutputBuffer()
    output.append(#"{"machine":"#)
    output.append(jsonString: machine.text)
    output.append(member: "load", machine.loads)
    output.append(member: "tables")
    output.append(byte: UInt8(ascii: "["))
    for (index, table) in tables.enumerated() {
      output.append(index == 0 ? #"{"name":"# : #",{"name":"#)
      output.append(jsonString: table.name)
      output.append(member: "rows")
      output.append(byte: UInt8(ascii: "["))
      for (index, row) in table.rows.enumerated() {
        output.append(index == 0 ? #"{"contender":"# : #",{"contender":"#)
        output.append(jsonString: row.contender)
        output.append(member: "unit", row.unit)
        output.append(row.samples)
        output.append("}")
      }
      output.append("]}")
    }
    output.append("]")
    output.append(member: "goals")
    output.append("[")
    for (index, goal) in goals.sorted(by: { $0.id < $1.id }).enumerated() {
      if index > 0 { output.append(",") }
      output.append(goal)
    }
    output.append("]")
    output.append(member: "missing")
    output.append("[")
    for (index, name) in missing.enumerated() {
      if index > 0 { output.append(",") }
      output.append(jsonString: name)
    }
    output.append("]}\n")
    return output.text
  }
}

extension OutputBuffer {
  fileprivate mutating func append(_ samples: Samples) {
    append(member: "median", samples.median, decimals: 6)
    append(member: "min", samples.min, decimals: 6)
    append(member: "max", samples.max, decimals: 6)
    append(member: "values")
    append("[")
    for (index, value) in samples.values.enumerated() {
      if index > 0 { append(",") }
      append(fixed: value, decimals: 6)
    }
    append("]")
  }

  fileprivate mutating func append(_ goal: GoalResult) {
    append(#"{"goal":"P"#)
    append(decimal: goal.id)
    append("\"")
    append(member: "title", goal.title)
    append(member: "verdict", goal.verdict.text)
    append(member: "note", goal.note)
    append(member: "clauses")
    append("[")
    for (index, clause) in goal.clauses.enumerated() {
      append(index == 0 ? #"{"name":"# : #",{"name":"#)
      append(jsonString: clause.name)
      append(member: "unit", clause.unit)
      append(clause.samples)
      append(member: "bound", clause.isFloor ? "at least" : "at most")
      append(member: "gate", clause.gate, decimals: 6)
      append(member: "target", clause.target, decimals: 6)
      append(member: "verdict", clause.verdict.text)
      append("}")
    }
    append("]}")
  }
}
