/// The lines of an INI file: `[section NAME]`, `key = value`, `#` or `;` comments. Knows nothing of
/// what the keys mean.
package struct INIFile: Equatable, Sendable {
  package struct Entry: Equatable, Sendable {
    package var key: String
    package var value: String
    package var line: Int
  }

  package struct Section: Equatable, Sendable {
    /// The first word in the brackets.
    package var kind: String
    /// The rest of them: which receiver or session is meant; empty where there is none.
    package var name: String
    package var line: Int
    package var entries: [Entry]
  }

  package var sections: [Section] = []

  /// A longer file is no configuration of ours.
  package static let byteCountMax = 1 << 20

  /// Reads `text`; `path` is for the errors only.
  package init(_ text: String, path: String) throws(ConfigurationError) {
    guard text.utf8.count <= Self.byteCountMax else {
      throw ConfigurationError(path: path, line: 1, problem: "larger than 1 MiB")
    }
    var number = 0
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    for raw in lines {
      number += 1
      let line = trimmed(raw)
      if line.isEmpty || line.hasPrefix("#") || line.hasPrefix(";") { continue }
      func wrong(_ problem: String) -> ConfigurationError {
        ConfigurationError(path: path, line: number, problem: problem)
      }
      if line.hasPrefix("[") {
        guard line.hasSuffix("]") else { throw wrong("'\(line)': the closing ] is missing") }
        let words = trimmed(line.dropFirst().dropLast())
        let kind = words.prefix { $0 != " " && $0 != "\t" }
        guard !kind.isEmpty else { throw wrong("'\(line)': a section needs a name") }
        sections.append(
          Section(
            kind: String(kind), name: trimmed(words.dropFirst(kind.count)), line: number,
            entries: []))
        continue
      }
      guard let equals = line.firstIndex(of: "=") else {
        throw wrong("'\(line)': expected key = value")
      }
      guard !sections.isEmpty else { throw wrong("'\(line)': stands before the first [section]") }
      let key = trimmed(line[..<equals])
      let value = trimmed(line[line.index(after: equals)...])
      let last = sections.count - 1
      if sections[last].entries.contains(where: { $0.key == key }) {
        throw wrong("\(key): given twice in this section")
      }
      sections[last].entries.append(Entry(key: key, value: value, line: number))
    }
  }
}

/// What is wrong in a configuration, and where.
package struct ConfigurationError: Error, Equatable {
  package var path: String
  package var line: Int
  package var problem: String

  package var message: String { "\(path):\(line): \(problem)" }
}

private func trimmed(_ text: some StringProtocol) -> String {
  let blank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
  var rest = text.drop(while: blank)
  while let last = rest.last, blank(last) { rest = rest.dropLast() }
  return String(rest)
}
