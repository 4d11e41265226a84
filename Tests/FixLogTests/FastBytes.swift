import Glibc

// Loops over bytes are slow without optimisation; these are the C library's.

/// Copies `source[from]` to `target`, starting at `offset`.
func copy(_ source: [UInt8], _ from: Range<Int>, to target: inout [UInt8], at offset: Int) {
  precondition(from.upperBound <= source.count && offset + from.count <= target.count)
  target.withUnsafeMutableBytes { target in
    source.withUnsafeBytes { source in
      guard let to = target.baseAddress, let start = source.baseAddress else { return }
      memcpy(to + offset, start + from.lowerBound, from.count)
    }
  }
}

func fillWithZeros(_ target: inout [UInt8], _ range: Range<Int>) {
  precondition(range.upperBound <= target.count)
  target.withUnsafeMutableBytes { target in
    guard let start = target.baseAddress else { return }
    memset(start + range.lowerBound, 0, range.count)
  }
}

func slice(_ source: [UInt8], _ range: Range<Int>) -> [UInt8] {
  var result = [UInt8](repeating: 0, count: range.count)
  copy(source, range, to: &result, at: 0)
  return result
}

func isSame(
  _ left: [UInt8], at leftOffset: Int, as right: [UInt8], at rightOffset: Int, count: Int
) -> Bool {
  guard leftOffset + count <= left.count, rightOffset + count <= right.count else { return false }
  return left.withUnsafeBytes { left in
    right.withUnsafeBytes { right in
      guard let a = left.baseAddress, let b = right.baseAddress else { return true }
      return memcmp(a + leftOffset, b + rightOffset, count) == 0
    }
  }
}
