import CLinux

/// How the C library keeps memory.
package enum Memory {
  /// Bytes from which a block is the kernel's own.
  private static let largeBlockByteCount: CInt = 256 << 10

  /// Has large blocks given back to the kernel when they are freed. By itself the C library keeps
  /// ever larger ones once a few were freed, as when an array grows: mallopt(3).
  package static func giveLargeBlocksBack() {
    mallopt(CInt(M_MMAP_THRESHOLD), largeBlockByteCount)
  }
}
