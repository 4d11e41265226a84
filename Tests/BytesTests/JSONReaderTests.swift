import Bytes
import Testing

@Suite("JSON reader") struct JSONReaderTests {
  static let values: [(text: String, value: JSONValue)] = [
    ("null", .null), (" true ", .bool(true)), ("\t\r\nfalse", .bool(false)),
    ("0", .integer(0)), ("-0", .integer(0)), ("-12", .integer(-12)),
    ("9223372036854775807", .integer(.max)), ("9223372036854775808", .number(0x1p63)),
    ("1.50", .number(1.5)), ("-2e3", .number(-2000)), ("1E-2", .number(0.01)),
    (#""""#, .string("")), (#""a\"\\\/\b\f\n\r\t""#, .string("a\"\\/\u{8}\u{c}\n\r\t")),
    (#""\u00e9\u20AC\ud83d\ude00""#, .string("é€😀")), (#""µ""#, .string("µ")),
    ("[]", .array([])), ("[1,[ ]]", .array([.integer(1), .array([])])), ("{}", .object([])),
    (
      #"{ "enable" : true , "raw":2}"#,
      .object([
        JSONMember(name: "enable", value: .bool(true)), JSONMember(name: "raw", value: .integer(2)),
      ])
    ),
  ]

  @Test("values", arguments: values)
  func value(text: String, expected: JSONValue) throws { #expect(try read(text) == expected) }

  static let wrong: [(text: String, error: JSONError)] = [
    ("", .incomplete), ("  ", .incomplete), ("tru", .incomplete), ("[1", .incomplete),
    (#"{"a""#, .incomplete), (#""a"#, .incomplete), (#""\"#, .incomplete), ("-", .incomplete),
    ("1.", .incomplete), ("1e", .incomplete), (#""\u12"#, .incomplete),
    ("tru}", .unexpected(offset: 3)), ("01", .unexpected(offset: 1)),
    ("+1", .unexpected(offset: 0)),
    (".5", .unexpected(offset: 0)), ("1 2", .unexpected(offset: 2)),
    ("[1,]", .unexpected(offset: 3)),
    (#"{"a":1,}"#, .unexpected(offset: 7)), ("{a:1}", .unexpected(offset: 1)),
    (#"{"a" 1}"#, .unexpected(offset: 5)), ("\"a\nb\"", .unexpected(offset: 2)),
    (#""\x""#, .unexpected(offset: 2)), (#""\u12g4""#, .unexpected(offset: 5)),
    (#""\udc00 ""#, .unexpected(offset: 7)), (#""\ud800\u0041""#, .unexpected(offset: 3)),
    ("NaN", .unexpected(offset: 0)), ("Infinity", .unexpected(offset: 0)),
    ("1e999", .unexpected(offset: 0)), ("'a'", .unexpected(offset: 0)),
  ]

  @Test("what is no JSON", arguments: wrong)
  func refused(text: String, error: JSONError) {
    #expect(throws: error) { try read(text) }
  }

  @Test("bytes that are no UTF-8")
  func notUTF8() {
    #expect(throws: JSONError.unexpected(offset: 0)) {
      try [0x22, 0xc3, 0x28, 0x22].withByteView { try JSONReader.value(of: $0) }
    }
  }

  @Test("depth and number of values are bounded")
  func bounds() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    _ = try read(nested(JSONReader.depthMax))
    #expect(throws: JSONError.tooDeep(offset: JSONReader.depthMax)) {
      try read(nested(JSONReader.depthMax + 1))
    }
    #expect(throws: JSONError.tooDeep(offset: JSONReader.depthMax)) {
      try read(String(repeating: "[", count: 1_000_000))
    }
    let most = JSONReader.valueCountMax - 1
    _ = try read("[0" + String(repeating: ",0", count: most - 1) + "]")
    #expect(throws: JSONError.tooMany(offset: 2 * most + 1)) {
      try read("[0" + String(repeating: ",0", count: most) + "]")
    }
  }

  @Test("members by name, the last of equal ones")
  func access() throws {
    let object = try read(#"{"a":1,"b":"x","a":2.5,"c":[true]}"#)
    #expect(object["a"]?.number == 2.5)
    #expect(object["a"]?.integer == nil)
    #expect(object["b"]?.string == "x")
    #expect(object["c"]?.array?.first?.bool == true)
    #expect(object["d"] == nil)
    #expect(JSONValue.integer(3)["a"] == nil)
    #expect(JSONValue.integer(3).number == 3)
  }

  private func read(_ text: String) throws -> JSONValue {
    try Array(text.utf8).withByteView { try JSONReader.value(of: $0) }
  }
}
