/// A reused buffer that output is composed in: text, JSON and binary records. It grows to the
/// largest thing ever written and then allocates no more.
public struct OutputBuffer: Sendable {
  /// What was written is at its start; the rest is room. An array that were appended to would ask
  /// for each part whether it may be changed, has room and may move, which costs more than the
  /// part.
  @usableFromInline var storage: [UInt8] = []
  @usableFromInline var end = 0

  public init() {}

  public init(capacity: Int) { storage.reserveCapacity(capacity) }

  public var count: Int { @inlinable get { end } }

  public var isEmpty: Bool { count == 0 }

  /// A copy of what was written.
  public var bytes: [UInt8] { Array(storage[..<count]) }

  /// Empties the buffer and keeps its memory.
  public mutating func removeAll() { end = 0 }

  /// Drops everything behind the first `count` bytes.
  public mutating func truncate(to count: Int) { end = min(end, max(count, 0)) }

  /// Makes room for `more` bytes at the end, which `fill` must write all.
  @inline(__always)
  mutating func append(count more: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
    let start = end
    makeRoom(more)
    storage.withUnsafeMutableBytes { all in
      fill(UnsafeMutableRawBufferPointer(rebasing: all[start..<(start + more)]))
    }
    end = start + more
  }

  /// Has `write` append at most `byteCount` bytes.
  @inlinable @inline(__always)
  public mutating func appendRow(upTo byteCount: Int, _ write: (inout RowWriter) -> Void) {
    let start = end
    makeRoom(byteCount + RowWriter.spareByteCount)
    end = storage.withUnsafeMutableBytes { all in
      guard let base = all.baseAddress else { return start }
      var row = RowWriter(base + start, byteCountMax: byteCount)
      write(&row)
      return start + row.finish(from: base + start)
    }
  }

  @inlinable @inline(__always)
  mutating func makeRoom(_ byteCount: Int) {
    if byteCount > storage.count &- end { grow(to: end + byteCount) }
  }

  @usableFromInline
  @inline(never)
  mutating func grow(to end: Int) {
    let room = max(end, storage.count * 2, Self.leastRoom)
    storage.append(contentsOf: repeatElement(0, count: room - storage.count))
  }

  private static let leastRoom = 64

  public mutating func append(byte: UInt8) {
    append(count: 1) { $0[0] = byte }
  }

  public mutating func append(_ text: StaticString) {
    append(count: text.utf8CodeUnitCount) { room in
      room.copyMemory(
        from: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
  }

  public mutating func append(text: String) {
    var text = text
    text.withUTF8 { utf8 in
      append(count: utf8.count) { $0.copyMemory(from: UnsafeRawBufferPointer(utf8)) }
    }
  }

  public mutating func append(bytes more: [UInt8]) {
    more.withUnsafeBytes { bytes in append(count: bytes.count) { $0.copyMemory(from: bytes) } }
  }

  public mutating func append(view: ByteView) {
    view.withUnsafeBytes { bytes in append(count: bytes.count) { $0.copyMemory(from: bytes) } }
  }

  public mutating func append(count: Int, of byte: UInt8) {
    append(count: max(count, 0)) { room in
      for index in room.indices { room[index] = byte }
    }
  }

  /// Pushes everything from `offset` on to the right, as for a column whose width is known only
  /// after it is written.
  public mutating func insert(count: Int, of byte: UInt8, at offset: Int) {
    let byteCount = max(count, 0)
    openGap(byteCount, at: offset)
    for index in offset..<(offset + byteCount) { storage[index] = byte }
  }

  /// Opens a gap, whose bytes are then to be set.
  private mutating func openGap(_ byteCount: Int, at offset: Int) {
    precondition(offset >= 0 && offset <= count, "insertion past the end")
    let end = count
    append(count: byteCount, of: 0)
    storage.withUnsafeMutableBytes { all in
      UnsafeMutableRawBufferPointer(rebasing: all[(offset + byteCount)..<(end + byteCount)])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: all[offset..<end]))
    }
  }

  public mutating func append<T: FixedWidthInteger>(littleEndian value: T) {
    withUnsafeBytes(of: value.littleEndian) { bytes in
      append(count: bytes.count) { $0.copyMemory(from: bytes) }
    }
  }

  /// An unsigned LEB128 number.
  public mutating func append(varint value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(byte: UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(byte: UInt8(truncatingIfNeeded: rest))
  }

  /// A signed number in zigzag form, so that small ones of either sign stay short.
  public mutating func append(zigzag value: Int64) {
    append(varint: UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  /// Puts an unsigned LEB128 number before the byte at `offset`: a length known only afterwards.
  public mutating func insert(varint value: UInt64, at offset: Int) {
    let byteCount = max((UInt64.bitWidth - value.leadingZeroBitCount + 6) / 7, 1)
    openGap(byteCount, at: offset)
    var rest = value
    for index in offset..<(offset + byteCount) {
      storage[index] = UInt8(truncatingIfNeeded: rest) & 0x7f | 0x80
      rest >>= 7
    }
    storage[offset + byteCount - 1] &= 0x7f
  }

  /// Overwrites bytes already written, as for a checksum or length known only later.
  public mutating func replace<T: FixedWidthInteger>(at offset: Int, littleEndian value: T) {
    precondition(offset >= 0 && MemoryLayout<T>.size <= count - offset, "write past the end")
    storage.withUnsafeMutableBytes {
      $0.storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self)
    }
  }

  /// Lends what was written for the duration of `body`.
  public func withByteView<R>(_ body: (ByteView) throws -> R) rethrows -> R {
    try storage.withByteView { try body($0.extracting(0..<count)) }
  }

  /// What was written, as text; for tests and messages.
  public var text: String { withByteView { $0.text } }
}
