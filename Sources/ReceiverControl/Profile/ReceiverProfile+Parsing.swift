import GNSSWire

/// What is wrong in a profile, and where.
package struct ProfileError: Error, Equatable {
  package var path: String
  package var line: Int
  package var problem: String

  package var message: String { "\(path):\(line): \(problem)" }
}

extension ReceiverProfile {
  /// A longer file is no profile.
  package static let byteCountMax = 64 << 10

  /// Reads a profile: `key = value` lines under `[sections]`, `#` comments. A figure is
  /// `number unit | source`.
  ///
  /// - Parameters:
  ///   - id: The file's name without its ending.
  ///   - path: For the errors.
  package init(_ text: String, id: String, path: String) throws(ProfileError) {
    self.init(id: id)
    guard text.utf8.count <= Self.byteCountMax else {
      throw ProfileError(path: path, line: 1, problem: "larger than 64 KiB")
    }
    var section = ""
    var seen: Set<String> = []
    var number = 0
    for raw in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      let line = trimmed(raw)
      if line.isEmpty || line.hasPrefix("#") { continue }
      if line.hasPrefix("["), line.hasSuffix("]") {
        section = String(line.dropFirst().dropLast())
        continue
      }
      guard let equals = line.firstIndex(of: "=") else {
        throw ProfileError(path: path, line: number, problem: "'\(line)': expected key = value")
      }
      let key = "\(section).\(trimmed(line[..<equals]))"
      guard seen.insert(key).inserted else {
        throw ProfileError(path: path, line: number, problem: "\(key): given twice")
      }
      if let problem = take(key, trimmed(line[line.index(after: equals)...])) {
        throw ProfileError(path: path, line: number, problem: "\(key): \(problem)")
      }
    }
    if let missing = Self.required.first(where: { !seen.contains($0) }) {
      throw ProfileError(path: path, line: number, problem: "\(missing): missing")
    }
  }

  private static let required = [
    "receiver.name", "receiver.family", "current.supply", "current.acquisition",
    "current.tracking", "fix.hot", "fix.warm", "fix.cold",
  ]

  /// Where each figure goes, its unit, and what it may be.
  private struct FigureKey {
    let unit: String
    let range: ClosedRange<Double>
    let path: WritableKeyPath<ReceiverProfile, Figure>

    init(
      _ unit: String, _ range: ClosedRange<Double>, _ path: WritableKeyPath<ReceiverProfile, Figure>
    ) {
      (self.unit, self.range, self.path) = (unit, range, path)
    }
  }

  private static func figureKey(_ key: String) -> FigureKey? {
    switch key {
    case "current.supply": FigureKey("V", 1...15, \.supply)
    case "current.acquisition": FigureKey("mA", 0.1...1000, \.acquisition)
    case "current.tracking": FigureKey("mA", 0.1...1000, \.tracking)
    case "fix.hot": FigureKey("s", 0.1...600, \.hotStart)
    case "fix.warm": FigureKey("s", 0.1...600, \.warmStart)
    case "fix.cold": FigureKey("s", 0.1...1800, \.coldStart)
    case "rate.shortest": FigureKey("ms", 20...10_000, \.shortestInterval)
    default: nil
    }
  }

  /// - Returns: What is wrong with it.
  private mutating func take(_ key: String, _ value: String) -> String? {
    if let known = Self.figureKey(key) {
      return figure(value, known.unit, known.range) { self[keyPath: known.path] = $0 }
    }
    switch key {
    case "receiver.name": name = value
    case "receiver.models": models = list(value)
    case "receiver.family":
      guard let known = ChipFamily.allCases.first(where: { "\($0.name)" == value }) else {
        return "'\(value)' is no family; there are "
          + ChipFamily.allCases.map { "\($0.name)" }.joined(separator: ", ")
      }
      family = known
    case "port.baud":
      baudRates = list(value).compactMap { Int($0) }.filter { (1200...4_000_000).contains($0) }
      if baudRates.count != list(value).count { return "'\(value)' is no list of rates" }
    case "current.cyclic": return figure(value, "mA", 0.1...1000) { cyclic = $0 }
    default:
      guard key.hasPrefix("sleep."), let method = SleepMethod(rawValue: String(key.dropFirst(6)))
      else { return "unknown key" }
      return figure(value, "mA", 0...100) { sleep.append((method, $0)) }
    }
    return nil
  }

  private func figure(
    _ text: String, _ unit: String, _ range: ClosedRange<Double>, set: (Figure) -> Void
  ) -> String? {
    guard let bar = text.firstIndex(of: "|") else {
      return "no source; write 'number \(unit) | source', or '| \(Self.unverified)'"
    }
    let words = text[..<bar].split(separator: " ")
    let source = trimmed(text[text.index(after: bar)...])
    guard words.count == 2, words[1] == unit, let value = Double(words[0]), range.contains(value)
    else {
      return "'\(trimmed(text[..<bar]))' is not a number of \(unit) from \(range.lowerBound) to "
        + "\(range.upperBound)"
    }
    guard !source.isEmpty else { return "the source is empty" }
    set(Figure(value: value, source: source))
    return nil
  }

  private func list(_ text: String) -> [String] {
    text.split(separator: ",").map { trimmed($0) }.filter { !$0.isEmpty }
  }
}

private func trimmed(_ text: some StringProtocol) -> String {
  var rest = text.drop { $0 == " " || $0 == "\t" }
  while let last = rest.last, last == " " || last == "\t" { rest = rest.dropLast() }
  return String(rest)
}
