import Testing

@testable import TerminalView

@Suite("Canvas") struct CanvasTests {
  static let plain = TerminalStyle(hasUnicode: false, hasColour: false)
  static let rich = TerminalStyle(hasUnicode: true, hasColour: true)

  @Test("text stays within the page, and cannot steer the terminal")
  func clipping() {
    var canvas = Canvas(columnCount: 5, rowCount: 2, style: Self.plain)
    canvas.put("abcdefgh", row: 0, column: 2)
    canvas.put("xyz", row: 1, column: -1)
    canvas.put("out", row: 2, column: 0)
    canvas.put("out", row: -1, column: 0)
    canvas.put("\u{1b}[2J", row: 1, column: 2)
    #expect(canvas.lines == ["  abc", "yz?[2"])
  }

  @Test("what the terminal cannot show is a question mark")
  func ascii() {
    var canvas = Canvas(columnCount: 6, rowCount: 1, style: Self.plain)
    canvas.put("7°\u{9b}Jé", row: 0, column: 0)
    #expect(canvas.lines == ["7??J?"])
    var unicode = Canvas(columnCount: 6, rowCount: 1, style: Self.rich)
    unicode.put("7°\u{9b}Jé", row: 0, column: 0)
    #expect(unicode.lines == ["7°?Jé"])
  }

  @Test("only what changed is sent, by ECMA-48's cursor and rendition sequences")
  func updates() {
    var old = Canvas(columnCount: 10, rowCount: 3, style: Self.rich)
    old.put("speed 1.2", row: 1, column: 0)
    var new = old
    #expect(new.update(from: old).isEmpty)
    new.put("3", row: 1, column: 8)
    new.put("!", row: 2, column: 0, colour: .red, isBold: true)
    let text = String(decoding: new.update(from: old), as: UTF8.self)
    #expect(text == "\u{1b}[2;9H3\u{1b}[3;1H\u{1b}[0;1;31m!\u{1b}[0m")
    let whole = String(decoding: new.update(from: nil), as: UTF8.self)
    #expect(whole.hasPrefix("\u{1b}[0m\u{1b}[2J\u{1b}[2;1Hspeed"))
  }

  @Test("a terminal that claims to be huge, or nothing, gets what is reasonable")
  func sizes() {
    let huge = Canvas(columnCount: .max, rowCount: .max, style: Self.plain)
    #expect(huge.columnCount == 400 && huge.rowCount == 200)
    let none = Canvas(columnCount: -3, rowCount: 0, style: Self.plain)
    #expect(none.lines.isEmpty)
  }
}
