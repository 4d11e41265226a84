import Testing

@testable import Bytes

@Suite("Output buffer") struct OutputBufferTests {
  static let fixedCases: [(value: Double, decimals: Int, text: String)] = [
    (0, 3, "0.000"), (-0.0004, 3, "0.000"), (-0.0006, 3, "-0.001"), (1.5, 0, "2"),
    (-49.341666666667, 9, "-49.341666667"), (359.995, 2, "360.00"), (1e19, 3, "null"),
    (.nan, 1, "null"), (-.infinity, 1, "null"), (123, 12, "123.000000000000"),
  ]

  @Test("decimal fractions", arguments: fixedCases)
  func fixed(value: Double, decimals: Int, text: String) {
    var buffer = OutputBuffer()
    buffer.append(fixed: value, decimals: decimals)
    #expect(buffer.text == text)
  }

  static let trimmedCases: [(value: Double, decimals: Int, text: String)] = [
    (120, 3, "120"), (-0.5, 3, "-0.5"), (0.0004, 3, "0"), (100.01, 2, "100.01"), (.nan, 3, ""),
    (1e300, 0, ""),
  ]

  @Test("decimal fractions without zeros at the end", arguments: trimmedCases)
  func trimmed(value: Double, decimals: Int, text: String) {
    var buffer = OutputBuffer()
    buffer.append(trimmed: value, decimals: decimals)
    #expect(buffer.text == text)
  }

  @Test("members of a JSON object, unknown ones left out")
  func members() {
    var buffer = OutputBuffer()
    buffer.append(member: "a", fixed: 1.5, decimals: 2)
    buffer.append(member: "b", fixed: .infinity, decimals: 2)
    buffer.append(member: "c", -1.5, decimals: 2)
    buffer.append(member: "d", nil, decimals: 2)
    buffer.append(member: "e", true)
    buffer.append(member: "f", "\"")
    buffer.append(member: "g", name: "gps")
    buffer.append(member: "h", Int?.none)
    #expect(buffer.text == #","a":1.50,"c":-1.5,"e":true,"f":"\"","g":"gps""#)
  }

  @Test("integers at their ends", arguments: [Int64.min, -1, 0, 7, .max])
  func integers(value: Int64) {
    var buffer = OutputBuffer()
    buffer.append(decimal: value)
    #expect(buffer.text == String(value))
  }

  @Test("JSON strings keep the line whole")
  func json() {
    var buffer = OutputBuffer()
    buffer.append(jsonString: "a\"b\\c\u{0}\n\u{7f}é")
    #expect(buffer.text == #""a\"b\\c\u0000\n\u007fé""#)
  }

  @Test("numbers in LEB128 come back", arguments: [Int64.min, -65, -64, -1, 0, 1, 63, 64, .max])
  func zigzag(value: Int64) {
    var buffer = OutputBuffer()
    buffer.append(zigzag: value)
    let read = buffer.withByteView { view in
      var reader = ByteReader(view)
      return (reader.zigzag(), reader.isAtEnd)
    }
    #expect(read == (value, true))
  }

  @Test(
    "cut and over-long numbers are refused",
    arguments: [
      [0x80], [0x80, 0x80], [UInt8](repeating: 0x80, count: 11),
      [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02],
    ])
  func badVarint(bytes: [UInt8]) {
    let offset = bytes.withByteView { view in
      var reader = ByteReader(view)
      return reader.varint() == nil ? reader.offset : -1
    }
    #expect(offset == 0)
  }
}
