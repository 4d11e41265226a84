import Bytes

/// Cuts the bytes of a client into requests, wherever TCP cut them.
///
/// A request starts with `?` and ends with `;`, with the brace that closes its object, or,
/// unfinished, with the line. Between requests white space and `;` are skipped, and so is a line
/// that does not start with `?`.
package struct RequestAssembler: Sendable {
  /// A longer request is refused, and the rest of its line skipped: what a client can make us keep.
  package static let requestByteCountMax = 4096

  private enum State {
    case betweenRequests(isLineStart: Bool)
    case skippingLine
    /// In a name, or in an argument that is no object.
    case word
    /// Behind the `=`.
    case argument
    case object(depth: Int)
    case string(depth: Int, isEscaped: Bool)
  }

  private var state = State.betweenRequests(isLineStart: true)
  /// The request so far.
  private var request: [UInt8] = []

  package init() {}

  /// Takes bytes of the client in.
  /// - Returns: The requests that they complete, in order.
  package mutating func take(_ bytes: ByteView) -> [Result<Request, RequestError>] {
    var completed: [Result<Request, RequestError>] = []
    for index in bytes.indices {
      if let result = take(bytes[index]) { completed.append(result) }
    }
    return completed
  }

  private mutating func take(_ byte: UInt8) -> Result<Request, RequestError>? {
    let isNewline = byte == UInt8(ascii: "\n")
    switch state {
    case .betweenRequests(let isLineStart):
      if isNewline {
        state = .betweenRequests(isLineStart: true)
      } else if byte == UInt8(ascii: "?") || (!isLineStart && !Self.separators.contains(byte)) {
        request.append(byte)
        state = .word
      } else if !Self.separators.contains(byte) {
        state = .skippingLine
      }
      return nil
    case .skippingLine:
      if isNewline { state = .betweenRequests(isLineStart: true) }
      return nil
    case .word, .argument, .object, .string:
      if isNewline { return complete(atLineEnd: true) }
    }
    guard request.count < Self.requestByteCountMax else {
      request = []
      state = .skippingLine
      return .failure(.tooLong)
    }
    request.append(byte)
    return advance(over: byte) ? complete(atLineEnd: false) : nil
  }

  /// - Returns: Whether the byte was the last one of the request.
  private mutating func advance(over byte: UInt8) -> Bool {
    switch (state, byte) {
    case (.word, UInt8(ascii: ";")), (.argument, UInt8(ascii: ";")): return true
    case (.word, UInt8(ascii: "=")): state = .argument
    case (.argument, UInt8(ascii: "{")): state = .object(depth: 1)
    case (.argument, UInt8(ascii: " ")), (.argument, UInt8(ascii: "\t")): break
    case (.argument, _): state = .word
    case (.object(let depth), UInt8(ascii: "{")): state = .object(depth: depth + 1)
    case (.object(1), UInt8(ascii: "}")): return true
    case (.object(let depth), UInt8(ascii: "}")): state = .object(depth: depth - 1)
    case (.object(let depth), UInt8(ascii: "\"")):
      state = .string(depth: depth, isEscaped: false)
    case (.string(let depth, isEscaped: true), _): state = .string(depth: depth, isEscaped: false)
    case (.string(let depth, _), UInt8(ascii: "\\")):
      state = .string(depth: depth, isEscaped: true)
    case (.string(let depth, _), UInt8(ascii: "\"")): state = .object(depth: depth)
    default: break
    }
    return false
  }

  private mutating func complete(atLineEnd: Bool) -> Result<Request, RequestError> {
    state = .betweenRequests(isLineStart: atLineEnd)
    while request.last == UInt8(ascii: "\r") { request.removeLast() }
    defer { request.removeAll(keepingCapacity: request.count <= RequestError.quotedByteCountMax) }
    return request.withByteView { text in
      do throws(RequestError) { return .success(try Request(parsing: text)) } catch {
        return .failure(error)
      }
    }
  }

  private static let separators: [UInt8] = [0x20, 0x09, 0x0d, UInt8(ascii: ";")]
}
