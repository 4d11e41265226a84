/// Enough of an XML parser to see that every element is closed in the right order.
enum XMLBalance {
  /// The first fault; `nil` for a document with one root element.
  static func problem(in text: String) -> String? {
    var open: [Substring] = []
    var rootCount = 0
    var rest = Substring(text)
    while let start = rest.firstIndex(of: "<") {
      rest = rest[start...].dropFirst()
      guard let end = rest.firstIndex(of: ">") else { return "a tag does not end" }
      let tag = rest[..<end]
      rest = rest[end...].dropFirst()
      guard !tag.hasPrefix("?") else { continue }
      if tag.hasPrefix("/") {
        guard open.popLast() == tag.dropFirst() else {
          return "</\(tag.dropFirst())> closes another"
        }
      } else if !tag.hasSuffix("/") {
        if open.isEmpty { rootCount += 1 }
        open.append(tag.prefix { !$0.isWhitespace })
      }
    }
    guard open.isEmpty else { return "<\(open.joined(separator: "><"))> stays open" }
    return rootCount == 1 ? nil : "\(rootCount) root elements"
  }
}

extension String {
  /// The texts between each `start` and the `end` that follows it.
  func components(between start: String, and end: String) -> [String] {
    var found: [String] = []
    var rest = Substring(self)
    while let from = rest.firstRange(of: start)?.upperBound,
      let to = rest[from...].firstRange(of: end)
    {
      found.append(String(rest[from..<to.lowerBound]))
      rest = rest[to.upperBound...]
    }
    return found
  }
}
