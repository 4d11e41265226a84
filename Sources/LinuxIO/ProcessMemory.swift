import Glibc

/// The memory that this process keeps resident.
package enum ProcessMemory {
  /// Gives back the pages of program code that were touched so far, most of which only the start
  /// needs. What is needed again is mapped again from the page cache, at a microsecond a page.
  /// Code alone, which nothing writes to: pages of data may hold what is nowhere else.
  package static func releaseCode() {
    // Found first and given back at one go: the code that reads the map is needed again only then.
    for range in code {
      madvise(
        UnsafeMutableRawPointer(bitPattern: range.lowerBound), Int(range.count),
        CInt(MADV_DONTNEED))
    }
  }

  /// Where the program's code and that of its libraries is mapped; a program loads no code later.
  private static let code: [Range<UInt>] = {
    var ranges: [Range<UInt>] = []
    for line in (smallFile("/proc/self/maps", byteLimit: 1 << 18) ?? "").split(separator: "\n") {
      // ADDRESS-ADDRESS PERMISSIONS OFFSET DEVICE INODE PATH: proc_pid_maps(5).
      let parts = line.split(separator: " ", maxSplits: 5)
      guard parts.count == 6, parts[1] == "r-xp", parts[4] != "0" else { continue }
      let ends = parts[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      if ends.count == 2, ends[0] < ends[1] { ranges.append(ends[0]..<ends[1]) }
    }
    return ranges
  }()
}
