/// Writes into room that an `OutputBuffer` lends for a row of many parts, which then cost less than
/// as many appends to the buffer.
public struct RowWriter {
  private let room: UnsafeMutableRawBufferPointer
  private var end = 0

  fileprivate init(_ room: UnsafeMutableRawBufferPointer) { self.room = room }

  /// What was written so far.
  fileprivate var byteCount: Int { end }

  /// A part beyond the room is a fault of the program: it would write into other memory.
  @inline(__always)
  private func check(_ byteCount: Int) {
    precondition(byteCount <= room.count - end, "the row is longer than its room")
  }

  public mutating func append(byte: UInt8) {
    check(1)
    room[end] = byte
    end += 1
  }

  public mutating func append(_ text: StaticString) {
    check(text.utf8CodeUnitCount)
    end = OutputBuffer.write(text, to: room, at: end)
  }

  /// A number of at least `width` (up to 20) digits, and `separator`, if any, behind it.
  public mutating func append(decimal value: Int, width: Int, then separator: UInt8?) {
    check(DecimalDigits.room + 1)
    end = OutputBuffer.write(Int64(value), atLeast: min(max(width, 1), 20), to: room, at: end)
    guard let separator else { return }
    room[end] = separator
    end += 1
  }

  /// Three numbers from 0 to 99 with two digits each, and `separator` between them: `05:06:07`.
  public mutating func append(
    pairs first: Int, _ second: Int, _ third: Int, separator: UInt8
  ) {
    check(8)
    precondition((0...99).contains(first) && (0...99).contains(second) && (0...99).contains(third))
    end = DecimalDigits.write(pairs: first, second, third, separator: separator, to: room, at: end)
  }

  /// `separator`, and the number without zeros at the end of its fraction, if it is known and no
  /// NaN.
  public mutating func append(separator: UInt8, trimmed value: Double?, decimals: Int) {
    check(DecimalDigits.room + 1)
    room[end] = separator
    end += 1
    guard let value, let scaled = OutputBuffer.scaled(value, decimals: decimals) else { return }
    end = OutputBuffer.write(scaled, decimals: decimals, isTrimmed: true, to: room, at: end)
  }
}

extension OutputBuffer {
  /// Has `write` append at most `byteCount` bytes; 43 of them must be left for a number, however
  /// short it is.
  public mutating func appendRow(upTo byteCount: Int, _ write: (inout RowWriter) -> Void) {
    append(upTo: byteCount) { room in
      var row = RowWriter(room)
      write(&row)
      return row.byteCount
    }
  }
}
