/// A page of the manual, in the man(7) macros, which every man program reads.
struct RoffPage {
  private(set) var text: String

  /// - Parameters:
  ///   - name: As `binnacle-run`.
  ///   - summary: One line, for whatis(1).
  init(_ name: String, section: Int, summary: String) {
    text = ".\\\" Made by 'binnacle manual' from the tables that the program itself reads.\n"
    let source = "binnacle \(Build.version)"
    text += ".TH \(name.uppercased()) \(section) \(Self.day) \"\(source)\" \"Binnacle\"\n"
    heading("NAME")
    text += "\(Self.escaped(name)) \\- \(Self.escaped(summary))\n"
  }

  private static let day = String(Build.date.iso8601.prefix(10))

  mutating func heading(_ title: String) { text += ".SH \(title)\n" }

  /// Text as `--help` prints it: paragraphs between blank lines; indented lines stay as they are.
  mutating func paragraphs(_ source: String) {
    for (index, paragraph) in Self.split(source).enumerated() {
      guard paragraph.contains(where: { $0.hasPrefix(" ") }) else {
        // A heading begins a paragraph already.
        text += (index > 0 ? ".PP\n" : "") + paragraph.map { Self.line($0) + "\n" }.joined()
        continue
      }
      literal(paragraph)
    }
  }

  /// Lines that stay as they are, indented.
  mutating func literal(_ lines: [String]) {
    text += ".PP\n.RS 4\n.nf\n" + lines.map { Self.line(Self.unindented($0)) + "\n" }.joined()
    text += ".fi\n.RE\n"
  }

  /// A term and what it means.
  mutating func item(_ term: String, _ meaning: String) {
    text += ".TP\n\(term)\n\(Self.line(meaning))\n"
  }

  mutating func synopsis(_ line: String) { text += "\(line)\n" }

  /// A word in bold, fit for a line of its own or in one.
  static func bold(_ word: String) -> String { "\\fB\(escaped(word))\\fR" }

  /// What stands for a value.
  static func italic(_ word: String) -> String { "\\fI\(escaped(word))\\fR" }

  /// A hyphen that is typed must stay one, and a backslash is none of roff's.
  static func escaped(_ text: String) -> String {
    String(
      text.flatMap { character -> [Character] in
        switch character {
        case "\\": Array("\\e")
        case "-": Array("\\-")
        default: [character]
        }
      })
  }

  /// A line that begins with a dot or an apostrophe would be a request.
  private static func line(_ text: String) -> String {
    let line = escaped(text)
    return line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
  }

  private static func unindented(_ line: String) -> String {
    line.hasPrefix("  ") ? String(line.dropFirst(2)) : line
  }

  private static func split(_ source: String) -> [[String]] {
    var paragraphs: [[String]] = [[]]
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty {
        paragraphs.append([])
      } else {
        paragraphs[paragraphs.count - 1].append(String(line))
      }
    }
    return paragraphs.filter { !$0.isEmpty }
  }
}
