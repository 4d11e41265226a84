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

  /// The digits of an integer with a point set into them, by the standard library's digits.
  private func text(_ value: Int64, decimals: Int, isTrimmed: Bool) -> String {
    var digits = String(value.magnitude)
    while digits.count <= decimals { digits = "0" + digits }
    let whole = digits.dropLast(decimals)
    var fraction = digits.suffix(decimals)
    while isTrimmed, fraction.last == "0" { fraction.removeLast() }
    return (value < 0 ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
  }

  @Test("numbers of every length, with and without zeros at the end", arguments: 0...12)
  func lengths(decimals: Int) {
    var value: Int64 = 1
    while value < 1_000_000_000_000_000_000 {
      for number in [value, -value, value - 1, value + 7, value * 9, 123 * (value / 456)] {
        var buffer = OutputBuffer()
        buffer.append(scaled: number, decimals: decimals)
        #expect(buffer.text == text(number, decimals: decimals, isTrimmed: false))
        // What fits into 50 bits comes back out of a fraction as it was.
        guard number.magnitude < 1 << 50 else { continue }
        let fraction = Double(number) / powerOfTen(decimals)
        buffer.removeAll()
        buffer.appendRow(upTo: 43) { row in
          row.append(separator: UInt8(ascii: ","), trimmed: fraction, decimals: decimals)
        }
        #expect(buffer.text == "," + text(number, decimals: decimals, isTrimmed: true))
      }
      value *= 10
    }
  }

  /// Halves, their neighbours, and what lies at the end of where fractions have bits.
  static let halves: [(value: Double, text: String)] = [
    (0.5, "1"), (1.5, "2"), (2.5, "3"), (0.5.nextDown, "0"), (2.5.nextDown, "2"),
    (2.5.nextUp, "3"), (0x1p51 + 0.5, "2251799813685249"), (0x1p52 - 0.5, "4503599627370496"),
    (0x1p52 - 1, "4503599627370495"), (0x1p52, "4503599627370496"),
    (0x1p53 + 2, "9007199254740994"),
  ]

  @Test("halves are rounded away from zero", arguments: halves)
  func half(value: Double, text: String) {
    var buffer = OutputBuffer()
    buffer.append(trimmed: value, decimals: 0)
    buffer.append(text: " ")
    buffer.append(fixed: -value, decimals: 0)
    #expect(buffer.text == text + " " + (text == "0" ? "" : "-") + text)
  }

  private func powerOfTen(_ exponent: Int) -> Double {
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }

  @Test("at least so many digits", arguments: 1...20)
  func width(width: Int) {
    for value in [0, 7, 99_999_999, 100_000_000, 1_234_567_890_123, Int.max] {
      var buffer = OutputBuffer()
      buffer.append(decimal: value, width: width)
      let digits = String(value)
      let zeros = String(repeating: "0", count: max(width - digits.count, 0))
      #expect(buffer.text == zeros + digits)
    }
  }

  @Test("elements of XML, unknown ones left out")
  func elements() {
    var buffer = OutputBuffer()
    buffer.append(element: "a", 12.50, decimals: 3)
    buffer.append(element: "b", nil, decimals: 3)
    buffer.append(element: "c", .nan, decimals: 3)
    buffer.append(open: "d")
    buffer.append(close: "d")
    #expect(buffer.text == "<a>12.5</a><d></d>")
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
