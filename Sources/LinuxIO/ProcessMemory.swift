import Glibc

/// The memory that this process keeps resident.
package enum ProcessMemory {
  /// Gives back the pages of program code that were touched so far, most of which only the start
  /// needs. What is needed again is mapped again from the page cache, at a microsecond a page.
  /// Code alone, which nothing writes to: pages of data may hold what is nowhere else.
  package static func releaseCode() {
    for line in (smallFile("/proc/self/maps", byteLimit: 1 << 18) ?? "").split(separator: "\n") {
      // ADDRESS-ADDRESS PERMISSIONS OFFSET DEVICE INODE PATH: proc_pid_maps(5).
      let parts = line.split(separator: " ", maxSplits: 5)
      guard parts.count == 6, parts[1] == "r-xp", parts[4] != "0" else { continue }
      let range = parts[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      guard range.count == 2, range[0] < range[1] else { continue }
      madvise(
        UnsafeMutableRawPointer(bitPattern: range[0]), Int(range[1] - range[0]),
        CInt(MADV_DONTNEED))
    }
  }
}
