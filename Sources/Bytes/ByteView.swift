/// Bytes lent by a caller, checked at every access in release builds too. Never store one past the
/// call that lent it.
public struct ByteView {
  @usableFromInline let bytes: UnsafeRawBufferPointer

  @inlinable public init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  @inlinable public var count: Int { bytes.count }
  @inlinable public var isEmpty: Bool { bytes.isEmpty }
  @inlinable public var indices: Range<Int> { 0..<bytes.count }

  @inlinable public subscript(index: Int) -> UInt8 {
    precondition(index >= 0 && index < bytes.count, "read past the end")
    return bytes[index]
  }

  /// The integer at `offset`, in the machine's order; give it to `init(littleEndian:)` or its twin.
  @inlinable public func load<T: BitwiseCopyable>(at offset: Int, as type: T.Type) -> T {
    precondition(offset >= 0 && MemoryLayout<T>.size <= count - offset, "read past the end")
    return bytes.loadUnaligned(fromByteOffset: offset, as: T.self)
  }

  @inlinable public func littleEndian<T: FixedWidthInteger & BitwiseCopyable>(
    at offset: Int, as type: T.Type
  ) -> T {
    T(littleEndian: load(at: offset, as: T.self))
  }

  @inlinable public func extracting(_ range: Range<Int>) -> ByteView {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "range past the end")
    return ByteView(UnsafeRawBufferPointer(rebasing: bytes[range]))
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
    for index in 0..<count where bytes[index] != text.utf8Start[index] { return false }
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
      for index in 0..<count where bytes[index] != utf8[index] { return false }
      return true
    }
  }

  /// A copy that outlives the call.
  @inlinable public func copied() -> [UInt8] { [UInt8](bytes) }

  /// The bytes as text for people; bytes that are no UTF-8 become U+FFFD.
  @inlinable public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// For `LinuxIO` alone, which hands the bytes to the kernel.
  @inlinable public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows
    -> R
  {
    try body(bytes)
  }
}

extension Array where Element == UInt8 {
  /// Lends the array's bytes for the duration of `body`.
  @inlinable public func withByteView<R>(_ body: (ByteView) throws -> R) rethrows -> R {
    try withUnsafeBytes { try body(ByteView($0)) }
  }
}
