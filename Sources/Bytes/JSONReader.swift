/// Reads one JSON text (RFC 8259) of a client's. What it takes in memory is bounded by the length
/// of the text, which is the caller's to limit, and by the two bounds here.
public struct JSONReader {
  /// Arrays and objects in each other; what is deeper is refused.
  public static let depthMax = 16
  /// Values in all, those inside others included; what has more is refused.
  public static let valueCountMax = 4096

  private let view: ByteView
  private var cursor = 0
  private var valueCount = 0

  private init(_ view: ByteView) { self.view = view }

  /// The value that `view` holds, with nothing but white space around it.
  public static func value(of view: ByteView) throws(JSONError) -> JSONValue {
    var reader = JSONReader(view)
    let value = try reader.value(depth: 0)
    reader.skipSpace()
    guard reader.cursor == view.count else { throw .unexpected(offset: reader.cursor) }
    return value
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    skipSpace()
    valueCount += 1
    guard valueCount <= Self.valueCountMax else { throw .tooMany(offset: cursor) }
    switch try peek() {
    case UInt8(ascii: "{"): return .object(try members(depth: depth))
    case UInt8(ascii: "["): return .array(try elements(depth: depth))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func members(depth: Int) throws(JSONError) -> [JSONMember] {
    guard depth < Self.depthMax else { throw .tooDeep(offset: cursor) }
    cursor += 1
    var members: [JSONMember] = []
    skipSpace()
    if take(UInt8(ascii: "}")) { return members }
    while true {
      skipSpace()
      guard try peek() == UInt8(ascii: "\"") else { throw .unexpected(offset: cursor) }
      let name = try string()
      skipSpace()
      try expect(UInt8(ascii: ":"))
      members.append(JSONMember(name: name, value: try value(depth: depth + 1)))
      skipSpace()
      if take(UInt8(ascii: "}")) { return members }
      try expect(UInt8(ascii: ","))
    }
  }

  private mutating func elements(depth: Int) throws(JSONError) -> [JSONValue] {
    guard depth < Self.depthMax else { throw .tooDeep(offset: cursor) }
    cursor += 1
    var elements: [JSONValue] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return elements }
    while true {
      elements.append(try value(depth: depth + 1))
      skipSpace()
      if take(UInt8(ascii: "]")) { return elements }
      try expect(UInt8(ascii: ","))
    }
  }

  /// A string in quotes. Bytes that are no UTF-8, control characters and half surrogate pairs are
  /// refused.
  private mutating func string() throws(JSONError) -> String {
    let start = cursor
    cursor += 1
    var text: [UInt8] = []
    while true {
      let byte = try peek()
      cursor += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(validating: text, as: UTF8.self) else {
          throw .unexpected(offset: start)
        }
        return string
      case UInt8(ascii: "\\"): try escape(into: &text)
      case 0..<0x20: throw .unexpected(offset: cursor - 1)
      default: text.append(byte)
      }
    }
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
    let byte = try peek()
    cursor += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0c)
    case UInt8(ascii: "n"): text.append(0x0a)
    case UInt8(ascii: "r"): text.append(0x0d)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text += UTF8.encode(try escapedScalar()).map { Array($0) } ?? []
    default: throw .unexpected(offset: cursor - 1)
    }
  }

  /// What follows `\u`: four digits, or two surrogates in an escape each.
  private mutating func escapedScalar() throws(JSONError) -> Unicode.Scalar {
    let start = cursor
    let high = try hexDigits()
    if let scalar = Unicode.Scalar(high) { return scalar }
    try expect(UInt8(ascii: "\\"))
    try expect(UInt8(ascii: "u"))
    let low = try hexDigits()
    guard (0xd800..<0xdc00).contains(high), (0xdc00..<0xe000).contains(low),
      let scalar = Unicode.Scalar(0x1_0000 + (high - 0xd800) << 10 + (low - 0xdc00))
    else { throw .unexpected(offset: start) }
    return scalar
  }

  private mutating func hexDigits() throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(try peek())).hexDigitValue else {
        throw .unexpected(offset: cursor)
      }
      value = value << 4 | UInt32(digit)
      cursor += 1
    }
    return value
  }

  private mutating func number() throws(JSONError) -> JSONValue {
    let start = cursor
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try digits() }
    var isInteger = true
    if take(UInt8(ascii: ".")) {
      isInteger = false
      try digits()
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      isInteger = false
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits()
    }
    let text = view.extracting(start..<cursor).text
    if isInteger, let value = Int64(text) { return .integer(value) }
    guard let value = Double(text), value.isFinite else { throw .unexpected(offset: start) }
    return .number(value)
  }

  /// One digit at least.
  private mutating func digits() throws(JSONError) {
    guard (48...57).contains(try peek()) else { throw .unexpected(offset: cursor) }
    while cursor < view.count, (48...57).contains(view[cursor]) { cursor += 1 }
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError)
    -> JSONValue
  {
    for index in 0..<word.utf8CodeUnitCount { try expect(word.utf8Start[index]) }
    return value
  }

  private mutating func expect(_ byte: UInt8) throws(JSONError) {
    guard try peek() == byte else { throw .unexpected(offset: cursor) }
    cursor += 1
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard cursor < view.count, view[cursor] == byte else { return false }
    cursor += 1
    return true
  }

  private func peek() throws(JSONError) -> UInt8 {
    guard cursor < view.count else { throw .incomplete }
    return view[cursor]
  }

  private mutating func skipSpace() {
    while cursor < view.count, [0x20, 0x09, 0x0a, 0x0d].contains(view[cursor]) { cursor += 1 }
  }
}
