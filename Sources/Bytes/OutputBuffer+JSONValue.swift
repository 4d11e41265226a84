extension OutputBuffer {
  /// A whole JSON text. Numbers get as many digits as it takes to read the same number again.
  public mutating func append(json value: JSONValue) {
    switch value {
    case .null: append("null")
    case .bool(let value): append(value ? "true" : "false")
    case .integer(let value): append(decimal: value)
    case .number(let value):
      if value.isFinite { append(text: value.description) } else { append("null") }
    case .string(let text): append(jsonString: text)
    case .array(let values):
      append(byte: UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { append(byte: UInt8(ascii: ",")) }
        append(json: value)
      }
      append(byte: UInt8(ascii: "]"))
    case .object(let members):
      append(byte: UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { append(byte: UInt8(ascii: ",")) }
        append(jsonString: member.name)
        append(byte: UInt8(ascii: ":"))
        append(json: member.value)
      }
      append(byte: UInt8(ascii: "}"))
    }
  }
}

/// Members of an object that is being made; what is not known is left out.
extension [JSONMember] {
  public mutating func add(_ name: String, _ value: JSONValue?) {
    if let value { append(JSONMember(name: name, value: value)) }
  }

  public mutating func add(_ name: String, _ value: String?) {
    add(name, value.map { JSONValue.string($0) })
  }

  public mutating func add(_ name: String, _ value: Int?) {
    add(name, value.map { JSONValue.integer(Int64($0)) })
  }

  public mutating func add(_ name: String, _ value: Double?) {
    add(name, value.flatMap { $0.isFinite ? JSONValue.number($0) : nil })
  }

  public mutating func add(_ name: String, _ value: Bool?) {
    add(name, value.map { JSONValue.bool($0) })
  }
}
