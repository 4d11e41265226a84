import Bytes

/// What stands between `<` and `>`, read on demand.
struct XMLTag {
  /// With its namespace's prefix, as an end tag must repeat it.
  let name: ByteView
  let isEnd: Bool
  let isSelfClosing: Bool
  private let attributes: ByteView

  /// `nil` where there is no name.
  init?(_ content: ByteView) {
    isEnd = !content.isEmpty && content[0] == UInt8(ascii: "/")
    isSelfClosing = content.count > 1 && content[content.count - 1] == UInt8(ascii: "/")
    let start = isEnd ? 1 : 0
    let limit = content.count - (isSelfClosing ? 1 : 0)
    guard start < limit else { return nil }
    let body = content.extracting(start..<limit)
    let end = body.indices.first { Self.isSpace(body[$0]) } ?? body.count
    guard end > 0 else { return nil }
    name = body.extracting(0..<end)
    attributes = body.extracting(end..<body.count)
  }

  /// The name without its namespace's prefix.
  var localName: ByteView {
    guard let colon = name.firstIndex(of: UInt8(ascii: ":")) else { return name }
    return name.extracting((colon + 1)..<name.count)
  }

  /// The text of the first attribute of that name; `nil` where there is none, or what stands in
  /// front of it is no list of attributes.
  func attribute(_ wanted: StaticString) -> String? {
    var index = 0
    while true {
      index = skipSpace(from: index)
      let start = index
      while index < attributes.count, attributes[index] != UInt8(ascii: "="),
        !Self.isSpace(attributes[index])
      {
        index += 1
      }
      let key = attributes.extracting(start..<index)
      index = skipSpace(from: index)
      guard !key.isEmpty, index < attributes.count, attributes[index] == UInt8(ascii: "=") else {
        return nil
      }
      index = skipSpace(from: index + 1)
      guard index < attributes.count, Self.isQuote(attributes[index]),
        let end = attributes.firstIndex(of: attributes[index], from: index + 1)
      else { return nil }
      if key.elementsEqual(wanted) {
        return XMLText.decoded(attributes.extracting((index + 1)..<end))
      }
      index = end + 1
    }
  }

  private func skipSpace(from start: Int) -> Int {
    var index = start
    while index < attributes.count, Self.isSpace(attributes[index]) { index += 1 }
    return index
  }

  private static func isQuote(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
  }
}

/// Character data: entities resolved, spaces at both ends gone.
enum XMLText {
  /// The five entities of XML 1.0, section 4.6, and character references. Others stay as written.
  static func decoded(_ view: ByteView) -> String {
    var scalars = String.UnicodeScalarView()
    var rest = view.text.unicodeScalars[...]
    while let scalar = rest.first {
      rest = rest.dropFirst()
      guard scalar == "&", let end = rest.prefix(12).firstIndex(of: ";"),
        let named = entity(String(rest[..<end]))
      else {
        scalars.append(scalar)
        continue
      }
      scalars.append(named)
      rest = rest[rest.index(after: end)...]
    }
    return trimmed(String(scalars))
  }

  private static func entity(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.hasPrefix("#") else { return nil }
      let isHex = name.hasPrefix("#x")
      return UInt32(name.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10).flatMap(
        Unicode.Scalar.init)
    }
  }

  private static func trimmed(_ text: String) -> String {
    var rest = text.utf8[...]
    while let first = rest.first, XMLTag.isSpace(first) { rest = rest.dropFirst() }
    while let last = rest.last, XMLTag.isSpace(last) { rest = rest.dropLast() }
    return String(decoding: rest, as: UTF8.self)
  }
}
