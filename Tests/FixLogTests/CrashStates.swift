@testable import FixLog

/// What a power cut during one write may leave at its place.
struct CrashStates {
  static let sectorByteCount = 512
  /// Flash pages of this size are erased and programmed as a whole. Bytes.
  static let flashPageByteCount = 16_384
  /// Subsets of sectors are enumerated where at most so many differ; else `sampleCount` are drawn.
  static let enumeratedSectorsMax = 8
  static let sampleCount = 64

  struct State {
    let name: String
    let parts: [SimDisk.Write]
    /// Whether more than the place written was hit: old neighbours may be gone then.
    var hitsNeighbours = false
  }

  let old: [UInt8]
  let write: SimDisk.Write

  init(_ disk: SimDisk, _ write: SimDisk.Write) {
    old = disk.durableBytes(write.offset..<write.offset + write.bytes.count)
    self.write = write
  }

  private var sectors: [Range<Int>] {
    stride(from: 0, to: write.bytes.count, by: Self.sectorByteCount).map {
      $0..<min($0 + Self.sectorByteCount, write.bytes.count)
    }
  }

  private func part(_ range: Range<Int>) -> SimDisk.Write {
    SimDisk.Write(offset: write.offset + range.lowerBound, bytes: slice(write.bytes, range))
  }

  /// Every subset of the sectors that change; nothing and everything among them.
  func sectorSubsets(_ random: inout SeededRandom) -> [State] {
    let changed = sectors.filter {
      !isSame(old, at: $0.lowerBound, as: write.bytes, at: $0.lowerBound, count: $0.count)
    }
    let total = 1 << min(changed.count, 62)
    let masks =
      changed.count <= Self.enumeratedSectorsMax
      ? Array(0..<total)
      : [0, total - 1]
        + (0..<Self.sampleCount).map { _ in Int.random(in: 0..<total, using: &random) }
    return masks.map { mask in
      let parts = changed.indices.filter { mask & 1 << $0 != 0 }.map { part(changed[$0]) }
      return State(name: "sectors \(String(mask, radix: 2))", parts: parts)
    }
  }

  /// Cut at every byte of the header and its surroundings, and around each sector's end.
  func prefixes() -> [State] {
    let bytes = Array(0...min(128, write.bytes.count))
    let ends = sectors.flatMap { [$0.upperBound - 1, $0.upperBound, $0.upperBound + 1] }
    return (bytes + ends).filter { $0 <= write.bytes.count }.map { count in
      State(name: "first \(count) bytes", parts: count == 0 ? [] : [part(0..<count)])
    }
  }

  private static let noise: [UInt8] = {
    var random = SeededRandom(seed: 99)
    return (0..<65_536).map { _ in UInt8.random(in: 0...255, using: &random) }
  }()

  /// The place erased or filled with noise.
  func garbage() -> [State] {
    let count = write.bytes.count
    let noise = slice(Self.noise, 0..<min(count, Self.noise.count))
    let erased = [UInt8](repeating: 0xff, count: count)
    return [
      State(name: "erased", parts: [SimDisk.Write(offset: write.offset, bytes: erased)]),
      State(name: "noise", parts: [SimDisk.Write(offset: write.offset, bytes: noise)]),
    ]
  }

  /// The whole flash page around the place is gone, neighbours included.
  func flashPage(diskByteCount: Int) -> State {
    let start = write.offset / Self.flashPageByteCount * Self.flashPageByteCount
    let count = min(Self.flashPageByteCount, diskByteCount - start)
    return State(
      name: "flash page",
      parts: [SimDisk.Write(offset: start, bytes: [UInt8](repeating: 0xff, count: count))],
      hitsNeighbours: true)
  }

  func all(diskByteCount: Int, _ random: inout SeededRandom) -> [State] {
    sectorSubsets(&random) + prefixes() + garbage()
      + [flashPage(diskByteCount: diskByteCount)]
  }

  /// A handful, for crashes during the work after a crash.
  func few(_ random: inout SeededRandom) -> [State] {
    let subsets = sectorSubsets(&random)
    let drawn = (0..<4).compactMap { _ in subsets.randomElement(using: &random) }
    return [State(name: "none", parts: []), State(name: "all", parts: [write])] + drawn
      + garbage()
  }
}
