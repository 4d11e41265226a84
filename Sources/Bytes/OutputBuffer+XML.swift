/// Elements of XML.
extension OutputBuffer {
  /// `<tag>1.25</tag>` with at most `decimals` digits; nothing for an unknown value, and for one
  /// that is no number.
  public mutating func append(element tag: StaticString, _ value: Double?, decimals: Int) {
    guard let value else { return }
    let decimals = DecimalDigits.possible(decimals)
    appendRow(upTo: 2 * tag.utf8CodeUnitCount + 5 + DecimalDigits.room) { row in
      let isNumber = row.append(
        lead: { $0.append(open: tag) },
        number: { $0.append(trimmed: value, decimals: decimals) })
      if isNumber { row.append(close: tag) }
    }
  }

  public mutating func append(open tag: StaticString) {
    appendRow(upTo: tag.utf8CodeUnitCount + 2) { $0.append(open: tag) }
  }

  public mutating func append(close tag: StaticString) {
    appendRow(upTo: tag.utf8CodeUnitCount + 3) { $0.append(close: tag) }
  }
}

extension RowWriter {
  @inline(__always)
  fileprivate mutating func append(open tag: StaticString) {
    append(byte: UInt8(ascii: "<"))
    append(tag)
    append(byte: UInt8(ascii: ">"))
  }

  @inline(__always)
  fileprivate mutating func append(close tag: StaticString) {
    append("</")
    append(tag)
    append(byte: UInt8(ascii: ">"))
  }
}
