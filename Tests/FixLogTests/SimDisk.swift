import Bytes

@testable import FixLog

/// A disk in memory that knows what a power cut would leave: bytes that were synced, and writes
/// that were not. Reads see both, as through the kernel's page cache.
final class SimDisk: Storage {
  struct Write {
    let offset: Int
    let bytes: [UInt8]
  }

  static let pageByteCount = 4096
  private(set) var byteCount: Int
  /// Pages that are not all zero.
  private var durable: [Int: [UInt8]] = [:]
  private(set) var unsynced: [Write] = []
  private(set) var readCount = 0
  private(set) var writeCount = 0
  private(set) var syncCount = 0
  /// The most writes that were ever unsynced at once.
  private(set) var unsyncedMax = 0
  /// Called when a write has been taken, before it is synced.
  var onWrite: ((SimDisk) -> Void)?
  /// Called for each read, write and sync; gives the error to end it with.
  var fault: ((Call) -> StorageError?)?

  /// Called for each write with its offset.
  var writeFault: ((Int) -> StorageError?)?

  enum Call: Equatable { case read, write, sync }

  init(byteCount: Int) { self.byteCount = byteCount }

  /// What a power cut leaves of `disk` if of its unsynced writes just `parts` reached the medium.
  init(after disk: SimDisk, parts: [Write]) {
    (byteCount, durable) = (disk.byteCount, disk.durable)
    for part in parts { apply(part) }
  }

  func read(at offset: Int, count: Int, into buffer: inout [UInt8]) throws(StorageError) {
    readCount += 1
    if let error = fault?(.read) { throw error }
    guard offset >= 0, count >= 0, offset <= byteCount - count else { throw .pastEnd }
    if buffer.count != count { buffer = [UInt8](repeating: 0, count: count) }
    var position = offset
    while position < offset + count {
      let (page, start) = position.quotientAndRemainder(dividingBy: Self.pageByteCount)
      let taken = min(Self.pageByteCount - start, offset + count - position)
      let place = position - offset
      if let bytes = durable[page] {
        copy(bytes, start..<start + taken, to: &buffer, at: place)
      } else {
        fillWithZeros(&buffer, place..<place + taken)
      }
      position += taken
    }
    for write in unsynced { overlay(write, at: offset, on: &buffer) }
  }

  private func overlay(_ write: Write, at offset: Int, on buffer: inout [UInt8]) {
    let low = max(write.offset, offset)
    let high = min(write.offset + write.bytes.count, offset + buffer.count)
    guard low < high else { return }
    copy(
      write.bytes, low - write.offset..<high - write.offset, to: &buffer, at: low - offset)
  }

  func write(at offset: Int, _ bytes: ByteView) throws(StorageError) {
    writeCount += 1
    if let error = fault?(.write) ?? writeFault?(offset) { throw error }
    guard offset >= 0, offset <= byteCount - bytes.count else { throw .noSpace }
    unsynced.append(Write(offset: offset, bytes: bytes.copied()))
    unsyncedMax = max(unsyncedMax, unsynced.count)
    onWrite?(self)
  }

  func sync() throws(StorageError) {
    syncCount += 1
    if let error = fault?(.sync) { throw error }
    for write in unsynced { apply(write) }
    unsynced = []
  }

  /// Puts bytes on the medium, past all checks.
  func apply(_ write: Write) {
    var position = write.offset
    let end = write.offset + write.bytes.count
    while position < end {
      let (page, start) = position.quotientAndRemainder(dividingBy: Self.pageByteCount)
      let taken = min(Self.pageByteCount - start, end - position)
      var bytes = durable[page] ?? [UInt8](repeating: 0, count: Self.pageByteCount)
      let from = position - write.offset
      copy(write.bytes, from..<from + taken, to: &bytes, at: start)
      durable[page] = bytes
      position += taken
    }
  }

  /// The bytes as a power cut leaves them.
  func durableBytes(_ range: Range<Int>) -> [UInt8] {
    var bytes: [UInt8] = []
    let disk = SimDisk(after: self, parts: [])
    try? disk.read(at: range.lowerBound, count: range.count, into: &bytes)
    return bytes
  }

  /// Forgets the writes that were not synced: a failed sync, after which the kernel counts the
  /// pages as clean.
  func dropUnsynced() { unsynced = [] }

  /// Cuts or extends it, as if the file had been.
  func resize(to byteCount: Int) { self.byteCount = byteCount }
}

/// splitmix64: small, seeded, the same everywhere.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}
