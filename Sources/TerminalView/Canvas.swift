import Bytes

/// What a terminal can show.
package struct TerminalStyle: Equatable, Sendable {
  /// Whether it shows characters beyond ASCII.
  package var hasUnicode: Bool
  package var hasColour: Bool

  package init(hasUnicode: Bool, hasColour: Bool) {
    (self.hasUnicode, self.hasColour) = (hasUnicode, hasColour)
  }
}

/// The colours of ECMA-48's "select graphic rendition"; raw values are its parameters.
package enum Colour: UInt8, Sendable {
  case standard = 39
  case red = 31
  case green = 32
  case yellow = 33
  case blue = 94
  case magenta = 35
  case cyan = 36
  case grey = 90
}

/// A page of character cells that is drawn whole and sent as what changed since the last one.
package struct Canvas: Equatable, Sendable {
  struct Cell: Equatable, Sendable {
    var character: Unicode.Scalar = " "
    var colour = Colour.standard
    var isBold = false
    /// Dark on light, for title lines.
    var isReversed = false
  }

  /// More is not drawn, whatever the terminal says that it has.
  package static let columnCountMax = 400
  package static let rowCountMax = 200

  package let columnCount: Int
  package let rowCount: Int
  package let style: TerminalStyle
  private(set) var cells: [Cell]

  package init(columnCount: Int, rowCount: Int, style: TerminalStyle) {
    self.columnCount = min(max(columnCount, 0), Self.columnCountMax)
    self.rowCount = min(max(rowCount, 0), Self.rowCountMax)
    self.style = style
    cells = Array(repeating: Cell(), count: self.columnCount * self.rowCount)
  }

  /// Puts text into a row. What does not fit is cut off; what is no printing character, or cannot
  /// be shown here, is a question mark.
  package mutating func put(
    _ text: String, row: Int, column: Int, colour: Colour = .standard, isBold: Bool = false,
    isReversed: Bool = false
  ) {
    guard (0..<rowCount).contains(row) else { return }
    var place = column
    for scalar in text.unicodeScalars {
      defer { place += 1 }
      guard (0..<columnCount).contains(place) else { continue }
      let isShown = scalar.value >= 0x20 && (scalar.value < 0x7f || isPrinting(scalar))
      cells[row * columnCount + place] = Cell(
        character: isShown ? scalar : "?", colour: style.hasColour ? colour : .standard,
        isBold: isBold, isReversed: isReversed)
    }
  }

  private func isPrinting(_ scalar: Unicode.Scalar) -> Bool {
    style.hasUnicode && scalar.value >= 0xa0
  }

  /// The page as plain lines, without the blanks at their ends.
  package var lines: [String] {
    (0..<rowCount).map { row in
      var line = String.UnicodeScalarView()
      for cell in cells[row * columnCount..<(row + 1) * columnCount] { line.append(cell.character) }
      while line.last == " " { line.removeLast() }
      return String(line)
    }
  }

  /// What makes a terminal that shows `old` show this page; all of it where there is no such page,
  /// or one of another size.
  package func update(from old: Canvas?) -> [UInt8] {
    var output = OutputBuffer(capacity: 4096)
    let known = old.flatMap { $0.columnCount == columnCount && $0.rowCount == rowCount ? $0 : nil }
    if known == nil { output.append("\u{1b}[0m\u{1b}[2J") }
    var pen = Cell()
    for row in 0..<rowCount {
      var penColumn: Int?
      for column in 0..<columnCount {
        let cell = cells[row * columnCount + column]
        guard cell != (known?.cells[row * columnCount + column] ?? Cell()) else { continue }
        if penColumn != column { move(to: row, column, &output) }
        take(cell, over: &pen, &output)
        output.append(text: String(cell.character))
        penColumn = column + 1
      }
    }
    if pen != Cell() { output.append("\u{1b}[0m") }
    return output.bytes
  }

  private func move(to row: Int, _ column: Int, _ output: inout OutputBuffer) {
    output.append("\u{1b}[")
    output.append(decimal: row + 1)
    output.append(";")
    output.append(decimal: column + 1)
    output.append("H")
  }

  private func take(_ cell: Cell, over pen: inout Cell, _ output: inout OutputBuffer) {
    defer { pen = cell }
    guard
      cell.colour != pen.colour || cell.isBold != pen.isBold || cell.isReversed != pen.isReversed
    else { return }
    output.append("\u{1b}[0")
    if cell.isBold { output.append(";1") }
    if cell.isReversed { output.append(";7") }
    if cell.colour != .standard {
      output.append(";")
      output.append(decimal: Int(cell.colour.rawValue))
    }
    output.append("m")
  }
}
