import Bytes

/// Splits a stream of XML into tags and text, byte by byte, in constant memory.
///
/// Comments, processing instructions and document types are skipped; entities that a document type
/// declares are never expanded, so that a small file cannot grow. XML 1.0, sections 2 and 3.
struct XMLTokenizer {
  enum Token {
    /// What stands between `<` and `>`.
    case tag
    /// Character data with its entities; a long one is cut at `textByteCountMax`.
    case text
  }

  /// A longer tag is refused. Real ones hold a dozen attributes.
  static let tagByteCountMax = 16_384
  /// What stands behind in a longer text is dropped: numbers and times are all that is read.
  static let textByteCountMax = 256

  private enum State {
    case text
    case markup(quote: UInt8?)
    case comment(dashCount: Int)
    case instruction(endsNext: Bool)
    case cdata(bracketCount: Int)
    case documentType(depth: Int, quote: UInt8?)
  }

  private var state = State.text
  private var isDelivered = false
  /// The bytes of the token that `take` returned last; valid until it is called again.
  private(set) var content: [UInt8] = []
  /// Where the stream stands, from 1.
  private(set) var line = 1

  /// Whether everything that was opened was closed again.
  var isBetweenTags: Bool {
    if case .text = state { true } else { false }
  }

  /// Takes the next byte of the stream; returns what it completes.
  mutating func take(_ byte: UInt8) throws(GPXError) -> Token? {
    if byte == UInt8(ascii: "\n") { line += 1 }
    if isDelivered {
      content.removeAll(keepingCapacity: true)
      isDelivered = false
    }
    switch state {
    case .text:
      guard byte == UInt8(ascii: "<") else {
        appendText(byte)
        return nil
      }
      state = .markup(quote: nil)
      isDelivered = true
      return content.isEmpty ? nil : .text
    case .markup(let quote):
      return try takeMarkup(byte, quote: quote)
    case .cdata(let bracketCount):
      return takeCDATA(byte, bracketCount: bracketCount)
    case .comment, .instruction, .documentType:
      skip(byte)
      return nil
    }
  }

  private mutating func takeMarkup(_ byte: UInt8, quote: UInt8?) throws(GPXError) -> Token? {
    if quote == nil, byte == UInt8(ascii: ">") {
      state = .text
      isDelivered = true
      return .tag
    }
    guard content.count < Self.tagByteCountMax else { throw .malformed(line: line, .longTag) }
    content.append(byte)
    if let quote {
      if byte == quote { state = .markup(quote: nil) }
      return nil
    }
    switch byte {
    case UInt8(ascii: "<"): throw .malformed(line: line, .unclosedTag)
    case UInt8(ascii: "\""), UInt8(ascii: "'"): state = .markup(quote: byte)
    case UInt8(ascii: "?") where content.count == 1: enter(.instruction(endsNext: false))
    case UInt8(ascii: "-") where content.elementsEqual("!--".utf8):
      enter(.comment(dashCount: 0))
    case UInt8(ascii: "[") where content.elementsEqual("![CDATA[".utf8):
      enter(.cdata(bracketCount: 0))
    case UInt8(ascii: "E") where content.elementsEqual("!DOCTYPE".utf8):
      enter(.documentType(depth: 0, quote: nil))
    default: break
    }
    return nil
  }

  private mutating func takeCDATA(_ byte: UInt8, bracketCount: Int) -> Token? {
    switch (byte, bracketCount) {
    case (UInt8(ascii: ">"), 2):
      state = .text
      isDelivered = true
      return content.isEmpty ? nil : .text
    case (UInt8(ascii: "]"), 2): appendText(byte)
    case (UInt8(ascii: "]"), _): state = .cdata(bracketCount: bracketCount + 1)
    default:
      for _ in 0..<bracketCount { appendText(UInt8(ascii: "]")) }
      // A mark that is to be taken literally must not be read as an entity later.
      if byte == UInt8(ascii: "&") { for mark in "&amp;".utf8 { appendText(mark) } }
      if byte != UInt8(ascii: "&") { appendText(byte) }
      state = .cdata(bracketCount: 0)
    }
    return nil
  }

  private mutating func skip(_ byte: UInt8) {
    let isEnd = byte == UInt8(ascii: ">")
    switch state {
    case .comment(let dashCount):
      if isEnd, dashCount == 2 { return enter(.text) }
      state = .comment(dashCount: byte == UInt8(ascii: "-") ? min(dashCount + 1, 2) : 0)
    case .instruction(let endsNext):
      state = isEnd && endsNext ? .text : .instruction(endsNext: byte == UInt8(ascii: "?"))
    case .documentType(let depth, let quote?):
      if byte == quote { state = .documentType(depth: depth, quote: nil) }
    case .documentType(let depth, nil):
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        state = .documentType(depth: depth, quote: byte)
      case UInt8(ascii: "["): state = .documentType(depth: depth &+ 1, quote: nil)
      case UInt8(ascii: "]"): state = .documentType(depth: depth &- 1, quote: nil)
      default: if isEnd, depth <= 0 { state = .text }
      }
    case .text, .markup, .cdata: break
    }
  }

  private mutating func enter(_ next: State) {
    content.removeAll(keepingCapacity: true)
    state = next
  }

  private mutating func appendText(_ byte: UInt8) {
    if content.count < Self.textByteCountMax { content.append(byte) }
  }
}
