import CChecksum

extension ByteView {
  /// Where a sentence's body ends that starts at `start`: at the first byte below `+` or above
  /// 0x7f, which is the star as a rule, and the exclusive-or of the bytes before. `nil` where that
  /// is not within the whole blocks of sixteen bytes that at most `limit` bytes have.
  @inlinable public func sentenceBody(from start: Int, limit: Int) -> (end: Int, sum: UInt8)? {
    precondition(start >= 0 && start <= count, "range past the end")
    let found = withUnsafeBytes {
      checksum_sentence($0.baseAddress.map { $0 + start }, Swift.min(limit, count &- start))
    }
    return found < 0 ? nil : (start &+ found &>> 8, UInt8(truncatingIfNeeded: found))
  }
}
