import Bytes

/// Cuts a stream into lines, in bounded memory. A line that is too long is told once and skipped.
package struct LineAssembler: Sendable {
  package enum Line: Equatable, Sendable {
    case text([UInt8])
    case tooLong
  }

  private let byteCountMax: Int
  private var partial: [UInt8] = []
  private var isSkipping = false

  /// - Parameter byteCountMax: Of a line, without its end.
  package init(byteCountMax: Int) { self.byteCountMax = byteCountMax }

  /// Takes bytes in.
  /// - Returns: The lines that ended with them, without their ends and without empty ones.
  package mutating func take(_ bytes: ByteView) -> [Line] {
    var lines: [Line] = []
    var start = 0
    for index in 0..<bytes.count where bytes[index] == 0x0a {
      add(bytes.extracting(start..<index), to: &lines)
      start = index + 1
      if !isSkipping, !partial.isEmpty, partial != [0x0d] { lines.append(.text(partial)) }
      partial.removeAll(keepingCapacity: true)
      isSkipping = false
    }
    add(bytes.extracting(start..<bytes.count), to: &lines)
    return lines
  }

  private mutating func add(_ piece: ByteView, to lines: inout [Line]) {
    guard !isSkipping else { return }
    guard partial.count + piece.count <= byteCountMax else {
      lines.append(.tooLong)
      isSkipping = true
      partial = []
      return
    }
    piece.withUnsafeBytes { partial.append(contentsOf: $0) }
  }
}
