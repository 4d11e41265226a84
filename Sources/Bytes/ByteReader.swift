/// A cursor over lent bytes. Every read says whether it fitted: nothing here traps on input.
public struct ByteReader {
  @usableFromInline let view: ByteView
  @usableFromInline var cursor: Int

  @inlinable public init(_ view: ByteView) {
    self.view = view
    cursor = 0
  }

  @inlinable public var offset: Int { cursor }
  @inlinable public var remaining: Int { view.count - cursor }
  @inlinable public var isAtEnd: Bool { cursor == view.count }

  @inlinable public mutating func byte() -> UInt8? {
    guard cursor < view.count else { return nil }
    defer { cursor += 1 }
    return view[cursor]
  }

  /// A little-endian integer; `nil`, taking nothing, where it does not fit.
  @inlinable public mutating func littleEndian<T: FixedWidthInteger & BitwiseCopyable>(
    _ type: T.Type
  ) -> T? {
    guard remaining >= MemoryLayout<T>.size else { return nil }
    defer { cursor += MemoryLayout<T>.size }
    return view.littleEndian(at: cursor, as: T.self)
  }

  @inlinable public mutating func bytes(_ byteCount: Int) -> ByteView? {
    guard byteCount >= 0, byteCount <= remaining else { return nil }
    defer { cursor += byteCount }
    return view.extracting(cursor..<(cursor + byteCount))
  }

  /// An unsigned LEB128 number of at most ten bytes; `nil` where it is cut short or over 64 bits.
  @inlinable @inline(__always) public mutating func varint() -> UInt64? {
    // Most take one byte.
    guard cursor < view.count, view[cursor] < 0x80 else { return longVarint() }
    defer { cursor &+= 1 }
    return UInt64(view[cursor])
  }

  @usableFromInline mutating func longVarint() -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    var index = cursor
    while index < view.count, shift < 64 {
      let byte = view[index]
      index += 1
      if shift == 63, byte > 1 { return nil }
      value |= UInt64(byte & 0x7f) << shift
      if byte & 0x80 == 0 {
        cursor = index
        return value
      }
      shift += 7
    }
    return nil
  }

  /// A signed number in zigzag form.
  @inlinable public mutating func zigzag() -> Int64? {
    guard let raw = varint() else { return nil }
    return Int64(bitPattern: raw >> 1) ^ -Int64(bitPattern: raw & 1)
  }
}
