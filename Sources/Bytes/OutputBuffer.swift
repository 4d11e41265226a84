/// A reused buffer that output is composed in: text, JSON and binary records. It grows to the
/// largest thing ever written and then allocates no more.
public struct OutputBuffer: Sendable {
  public private(set) var bytes: [UInt8] = []

  @inlinable public init() {}

  public init(capacity: Int) { bytes.reserveCapacity(capacity) }

  @inlinable public var count: Int { bytes.count }
  @inlinable public var isEmpty: Bool { bytes.isEmpty }

  /// Empties the buffer and keeps its memory.
  public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Drops everything behind the first `count` bytes.
  public mutating func truncate(to count: Int) {
    if count < bytes.count { bytes.removeLast(bytes.count - max(count, 0)) }
  }

  public mutating func append(byte: UInt8) { bytes.append(byte) }

  public mutating func append(_ text: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  public mutating func append(text: String) { bytes.append(contentsOf: text.utf8) }

  public mutating func append(bytes more: [UInt8]) { bytes.append(contentsOf: more) }

  public mutating func append(view: ByteView) {
    view.withUnsafeBytes { bytes.append(contentsOf: $0) }
  }

  public mutating func append(count: Int, of byte: UInt8) {
    bytes.append(contentsOf: repeatElement(byte, count: max(count, 0)))
  }

  /// Pushes everything from `offset` on to the right, as for a column whose width is known only
  /// after it is written.
  public mutating func insert(count: Int, of byte: UInt8, at offset: Int) {
    bytes.insert(contentsOf: repeatElement(byte, count: max(count, 0)), at: offset)
  }

  public mutating func append<T: FixedWidthInteger>(littleEndian value: T) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// An unsigned LEB128 number.
  public mutating func append(varint value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// A signed number in zigzag form, so that small ones of either sign stay short.
  public mutating func append(zigzag value: Int64) {
    append(varint: UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  /// Puts an unsigned LEB128 number before the byte at `offset`: a length known only afterwards.
  public mutating func insert(varint value: UInt64, at offset: Int) {
    precondition(offset >= 0 && offset <= bytes.count, "insertion past the end")
    var (rest, position) = (value, offset)
    while rest >= 0x80 {
      bytes.insert(UInt8(truncatingIfNeeded: rest) | 0x80, at: position)
      position += 1
      rest >>= 7
    }
    bytes.insert(UInt8(truncatingIfNeeded: rest), at: position)
  }

  /// Overwrites bytes already written, as for a checksum or length known only later.
  public mutating func replace<T: FixedWidthInteger>(at offset: Int, littleEndian value: T) {
    precondition(offset >= 0 && MemoryLayout<T>.size <= bytes.count - offset, "write past the end")
    bytes.withUnsafeMutableBytes {
      $0.storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self)
    }
  }

  /// Lends what was written for the duration of `body`.
  public func withByteView<R>(_ body: (ByteView) throws -> R) rethrows -> R {
    try bytes.withByteView(body)
  }

  /// What was written, as text; for tests and messages.
  public var text: String { String(decoding: bytes, as: UTF8.self) }
}
