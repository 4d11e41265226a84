/// A value of JSON (RFC 8259), as a client sent it.
public enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  /// A number without fraction and exponent that fits.
  case integer(Int64)
  /// Any other number; always finite.
  case number(Double)
  case string(String)
  case array([JSONValue])
  /// In the order they were sent.
  case object([JSONMember])

  /// The member of an object; of several with that name the last. `nil` where there is none.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.name == name }?.value
  }

  public var bool: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  /// `nil` also for a number with a fraction.
  public var integer: Int64? {
    guard case .integer(let value) = self else { return nil }
    return value
  }

  /// A number of either form.
  public var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  public var string: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  public var array: [JSONValue]? {
    guard case .array(let values) = self else { return nil }
    return values
  }
}

/// A name and its value in a JSON object.
public struct JSONMember: Equatable, Sendable {
  public var name: String
  public var value: JSONValue

  public init(name: String, value: JSONValue) { (self.name, self.value) = (name, value) }
}

/// Why a text is no JSON that we take.
public enum JSONError: Error, Equatable, Sendable {
  /// The text ends inside a value.
  case incomplete
  /// What stands at the offset, in bytes, cannot stand there.
  case unexpected(offset: Int)
  /// Arrays and objects lie in each other deeper than `JSONReader.depthMax`.
  case tooDeep(offset: Int)
  /// There are more than `JSONReader.valueCountMax` values.
  case tooMany(offset: Int)

  /// One line for people.
  public var message: String {
    switch self {
    case .incomplete: "the JSON text ends too early"
    case .unexpected(let offset): "not JSON at byte \(offset + 1)"
    case .tooDeep(let offset): "nested too deep at byte \(offset + 1)"
    case .tooMany(let offset): "too many values at byte \(offset + 1)"
    }
  }
}
