import CChecksum

/// CRC-32C (Castagnoli), reflected polynomial 0x82F63B78, as in RFC 3720 appendix B.4: the check of
/// every block of the log.
public struct CRC32C: Sendable {
  private var state: UInt32 = 0xffff_ffff

  public init() {}

  /// The checksum of what was added so far.
  public var value: UInt32 { ~state }

  public mutating func update(_ view: ByteView) {
    guard Self.hasInstruction else { return updateByTables(view) }
    state = view.withUnsafeBytes { checksum_crc32c(state, $0.baseAddress, $0.count) }
  }

  /// Whether the processor computes it itself, some six times as fast.
  private static let hasInstruction = checksum_crc32c_available() != 0

  /// Slicing by eight: eight table look-ups for eight bytes. For processors without the
  /// instruction.
  mutating func updateByTables(_ view: ByteView) {
    state = Self.tables.withUnsafeBufferPointer { table in Self.update(state, view, table) }
  }

  private static func update(
    _ start: UInt32, _ view: ByteView, _ table: UnsafeBufferPointer<UInt32>
  ) -> UInt32 {
    var crc = start
    var index = 0
    while view.count - index >= 8 {
      let low: UInt32 = view.littleEndian(at: index, as: UInt32.self) ^ crc
      let high: UInt32 = view.littleEndian(at: index + 4, as: UInt32.self)
      crc = table[1792 + Int(low & 255)] ^ table[1536 + Int((low >> 8) & 255)]
      crc ^= table[1280 + Int((low >> 16) & 255)] ^ table[1024 + Int(low >> 24)]
      crc ^= table[768 + Int(high & 255)] ^ table[512 + Int((high >> 8) & 255)]
      crc ^= table[256 + Int((high >> 16) & 255)] ^ table[Int(high >> 24)]
      index += 8
    }
    while index < view.count {
      crc = table[Int((crc ^ UInt32(view[index])) & 255)] ^ (crc >> 8)
      index += 1
    }
    return crc
  }

  public static func checksum(_ view: ByteView) -> UInt32 {
    var crc = CRC32C()
    crc.update(view)
    return crc.value
  }

  /// Eight tables of 256: entry k*256+n is byte n followed by k zero bytes.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 2048)
    for byte in 0..<256 {
      var crc = UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? 0x82f6_3b78 ^ (crc >> 1) : crc >> 1 }
      tables[byte] = crc
    }
    for index in 256..<2048 {
      let previous = tables[index - 256]
      tables[index] = tables[Int(previous & 255)] ^ (previous >> 8)
    }
    return tables
  }()
}
