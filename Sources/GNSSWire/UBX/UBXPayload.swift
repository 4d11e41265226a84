import Bytes

/// One number of a UBX payload: its type and where it lies, in bytes from the payload's start.
package struct UBXField<Raw: BitwiseCopyable>: Sendable {
  let offset: Int
  init(at offset: Int) { self.offset = offset }
}

/// A payload whose checksum the scanner verified, and whose length the reader of its message must.
package struct UBXPayload {
  let bytes: ByteView
  package init(_ bytes: ByteView) { self.bytes = bytes }

  package var count: Int { bytes.count }

  /// Traps past the end: the reader compares `count` first.
  @inline(__always)
  package subscript<Raw: FixedWidthInteger>(field: UBXField<Raw>) -> Raw {
    bytes.littleEndian(at: field.offset, as: Raw.self)
  }

  package subscript(field: UBXField<Float>) -> Float {
    Float(bitPattern: bytes.littleEndian(at: field.offset, as: UInt32.self))
  }

  package subscript(field: UBXField<Double>) -> Double {
    Double(bitPattern: bytes.littleEndian(at: field.offset, as: UInt64.self))
  }

  /// The `index`th block of `byteCount` bytes and as many before it as the head has: its fields lie
  /// where those of the first do, and are within it by one check for all.
  @inline(__always)
  func block(_ index: Int, of byteCount: Int, behind headByteCount: Int) -> UBXPayload {
    let start = index * byteCount
    return UBXPayload(bytes.extracting(start..<(start + headByteCount + byteCount)))
  }

  /// The same field of the `index`th block of `byteCount` bytes.
  package subscript<Raw: FixedWidthInteger>(
    field: UBXField<Raw>, block index: Int, of byteCount: Int
  ) -> Raw {
    bytes.littleEndian(at: field.offset + index * byteCount, as: Raw.self)
  }
}

/// Values that several messages share.
enum UBXScale {
  /// 1e-7 degrees to degrees, rounded once.
  static func degrees(e7 raw: Int32) -> Double { Double(raw) / 1e7 }
  /// Millimetres to metres.
  static func metres(millimetres raw: Int32) -> Double { Double(raw) / 1000 }

  /// An accuracy in millimetres (or mm/s) to metres. From 1000 km on it says that there is none:
  /// before the first fix the field is saturated.
  static func accuracy(millimetres raw: UInt32) -> Double? {
    raw < 1_000_000_000 ? Double(raw) / 1000 : nil
  }

  /// Dilution of precision in hundredths. 9999 says that there is none.
  static func dilution(_ raw: UInt16) -> Double? {
    (1..<9999).contains(raw) ? Double(raw) / 100 : nil
  }

  /// A direction in 1e-5 degrees to 0 up to but not 360 degrees.
  static func direction(e5 raw: Int32) -> Double {
    let turn = Int(raw) % 36_000_000
    return Double(turn < 0 ? turn + 36_000_000 : turn) / 1e5
  }
}
