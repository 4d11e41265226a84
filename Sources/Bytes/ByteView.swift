/// Bytes lent by a caller, checked at every access in release builds too. Never store one past the
/// call that lent it.
public struct ByteView {
  /// `nil` only where there are no bytes.
  @usableFromInline let start: UnsafeRawPointer?
  public let count: Int

  @inlinable public init(_ bytes: UnsafeRawBufferPointer) {
    self.init(start: bytes.baseAddress, count: bytes.count)
  }

  @inlinable init(start: UnsafeRawPointer?, count: Int) {
    (self.start, self.count) = (start, count)
  }

  @inlinable public var isEmpty: Bool { count == 0 }
  @inlinable public var indices: Range<Int> { 0..<count }

  @inlinable public subscript(index: Int) -> UInt8 {
    precondition(index >= 0 && index < count, "read past the end")
    return byte(unchecked: index)
  }

  /// The integer at `offset`, in the machine's order; give it to `init(littleEndian:)` or its twin.
  @inlinable public func load<T: BitwiseCopyable>(at offset: Int, as type: T.Type) -> T {
    precondition(offset >= 0 && MemoryLayout<T>.size <= count - offset, "read past the end")
    return load(unchecked: offset, as: T.self)
  }

  @inlinable public func littleEndian<T: FixedWidthInteger & BitwiseCopyable>(
    at offset: Int, as type: T.Type
  ) -> T {
    T(littleEndian: load(at: offset, as: T.self))
  }

  @inlinable @inline(__always) public func extracting(_ range: Range<Int>) -> ByteView {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "range past the end")
    return ByteView(start: start.map { $0 + range.lowerBound }, count: range.count)
  }

  /// Where `byte` first stands at or after `start`; `nil` if nowhere.
  @inlinable public func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
    var index = start
    while index < count {
      if self[index] == byte { return index }
      index += 1
    }
    return nil
  }

  @inlinable public func elementsEqual(_ text: StaticString) -> Bool {
    guard text.utf8CodeUnitCount == count else { return false }
    for index in 0..<count where self[index] != text.utf8Start[index] { return false }
    return true
  }

  @inlinable public func starts(with text: StaticString) -> Bool {
    count >= text.utf8CodeUnitCount
      && extracting(0..<text.utf8CodeUnitCount).elementsEqual(text)
  }

  @inlinable public func elementsEqual(text: String) -> Bool {
    var text = text
    return text.withUTF8 { utf8 in
      guard utf8.count == count else { return false }
      for index in 0..<count where self[index] != utf8[index] { return false }
      return true
    }
  }

  /// A copy that outlives the call.
  @inlinable public func copied() -> [UInt8] { withUnsafeBytes { [UInt8]($0) } }

  /// The bytes as text for people; bytes that are no UTF-8 become U+FFFD.
  @inlinable public var text: String {
    withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }

  /// For `LinuxIO` alone, which hands the bytes to the kernel.
  @inlinable public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows
    -> R
  {
    try body(UnsafeRawBufferPointer(start: start, count: count))
  }
}

/// Reads without a check of their own, for loops that prove once what holds for many bytes. The
/// proof stands at each call; debug builds check it.
extension ByteView {
  /// - Precondition: `0 <= index < count`
  @inlinable @inline(__always) public func byte(unchecked index: Int) -> UInt8 {
    load(unchecked: index, as: UInt8.self)
  }

  /// Eight bytes, the first of them in the lowest.
  /// - Precondition: `0 <= offset <= count - 8`
  @inlinable @inline(__always) public func word(unchecked offset: Int) -> UInt64 {
    UInt64(littleEndian: load(unchecked: offset, as: UInt64.self))
  }

  @inlinable @inline(__always) func load<T: BitwiseCopyable>(
    unchecked offset: Int, as type: T.Type
  ) -> T {
    assert(offset >= 0 && MemoryLayout<T>.size <= count - offset)
    // There are bytes, so there is a base.
    return start.unsafelyUnwrapped.loadUnaligned(fromByteOffset: offset, as: T.self)
  }
}

extension Array where Element == UInt8 {
  /// Lends the array's bytes for the duration of `body`.
  @inlinable public func withByteView<R>(_ body: (ByteView) throws -> R) rethrows -> R {
    try withUnsafeBytes { try body(ByteView($0)) }
  }
}
