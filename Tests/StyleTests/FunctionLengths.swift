/// Finds functions, initialisers and accessors by their first line, and their ends by indentation,
/// which the formatter keeps uniform.
enum FunctionLengths {
  /// Where each function starts, and how many lines it has from its signature to its brace.
  static func functions(in file: SourceFile) -> [(line: Int, count: Int)] {
    var found: [(line: Int, count: Int)] = []
    for (index, line) in file.lines.enumerated() where isSignature(line) {
      let indent = line.prefix { $0 == " " }
      let end = file.lines[index...].dropFirst().firstIndex { $0 == indent + "}" }
      // One on a single line has no brace of its own below; the next one belongs to its type.
      guard let end, !isComplete(line) else { continue }
      found.append((index + 1, end - index + 1))
    }
    return found
  }

  private static func isSignature(_ line: Substring) -> Bool {
    guard line.utf8.contains(UInt8(ascii: "(")) || line.contains("deinit") else { return false }
    let words = line.split(separator: " ")
    guard let first = words.first, !first.hasPrefix("//") else { return false }
    return words.contains { word in
      word == "func" || word.hasPrefix("init(") || word.hasPrefix("init?(") || word == "deinit"
        || word.hasPrefix("subscript(") || word.hasPrefix("subscript<")
    } && !words.contains { $0.hasPrefix("self.init") || $0.hasPrefix("super.init") }
  }

  private static func isComplete(_ line: Substring) -> Bool {
    line.contains("{") && line.hasSuffix("}")
  }
}
