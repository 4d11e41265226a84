import Testing

@testable import Bytes

@Suite("Row writer") struct RowWriterTests {
  private func row(_ write: (inout RowWriter) -> Void) -> String {
    var buffer = OutputBuffer()
    buffer.append("<")
    buffer.appendRow(upTo: 100, write)
    buffer.append(">")
    return buffer.text
  }

  @Test("whole numbers of up to three digits, and those beyond")
  func whole() {
    for value in -5...1105 {
      #expect(row { $0.append(decimal: value) } == "<\(value)>")
      guard (0..<1000).contains(value) else { continue }
      let digits = Array("\(value + 1000)".dropFirst())
      #expect(row { $0.append(triple: value) } == "<\(String(digits))>")
      guard value < 100 else { continue }
      #expect(row { $0.append(pair: value) } == "<\(String(digits.dropFirst()))>")
    }
  }

  @Test("lists have commas between their items", arguments: [[], [7], [7, 8, 9]])
  func list(items: [Int]) {
    let text = row { line in
      line.append("[")
      line.append(list: items, upTo: 8) { $1.append(decimal: $0) }
      line.append("]")
    }
    #expect(text == "<[" + items.map(String.init).joined(separator: ",") + "]>")
  }

  @Test("truth values")
  func truth() {
    let text = row { line in
      line.append(true)
      line.append(false)
      line.append(true)
    }
    #expect(text == "<truefalsetrue>")
  }

  /// Where eight bytes are looked at at once, each place of them.
  @Test("a character to be escaped is found at each place of a text", arguments: 1...19)
  func escapes(length: Int) {
    for place in 0..<length {
      for byte: UInt8 in 0...0x7f {
        var bytes = [UInt8](repeating: UInt8(ascii: "~"), count: length)
        bytes[place] = byte
        var buffer = OutputBuffer()
        buffer.append(jsonString: String(decoding: bytes, as: UTF8.self))
        let before = String(repeating: "~", count: place)
        let after = String(repeating: "~", count: length - place - 1)
        #expect(buffer.text == "\"" + before + escaped(byte) + after + "\"")
      }
    }
  }

  /// RFC 8259, section 7, where the short forms are those of the line's ends, the tab, the quote
  /// and the backslash.
  private func escaped(_ byte: UInt8) -> String {
    switch byte {
    case 0x22: return #"\""#
    case 0x5c: return #"\\"#
    case 0x0a: return #"\n"#
    case 0x0d: return #"\r"#
    case 0x09: return #"\t"#
    case 0x20..<0x7f: return String(UnicodeScalar(byte))
    default:
      let digits = String(byte, radix: 16)
      return #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
}
