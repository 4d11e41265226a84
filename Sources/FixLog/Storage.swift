import Bytes

/// Why bytes could not be moved between memory and the medium.
package enum StorageError: Error, Hashable, Sendable {
  /// The medium failed (EIO).
  case inputOutput
  /// No room is left (ENOSPC, EDQUOT).
  case noSpace
  /// The file system became read-only (EROFS), as ext4 does after an error.
  case readOnly
  /// The place lies behind the end: the file is shorter than it was.
  case pastEnd
  /// Anything else, with the kernel's number and words for it.
  case other(code: Int32, text: String)

  /// What failed, without a name: for the end of a sentence.
  package var message: String {
    switch self {
    case .inputOutput: "the medium reports an error (EIO)"
    case .noSpace: "no space left on the device"
    case .readOnly: "the file system is read-only"
    case .pastEnd: "the file is shorter than it was"
    case .other(_, let text): text
    }
  }
}

/// Bytes that outlive a power cut once `sync` has returned: a file, a partition, or a simulated
/// disk.
///
/// All calls wait for the medium. The writer's orders and the reader's queries may use two
/// different objects on the same bytes, from two threads; one object is used by one thread at a
/// time.
package protocol Storage: AnyObject {
  /// The size as it is now.
  var byteCount: Int { get }
  /// Replaces what is in `buffer` with the `count` bytes at `offset`; throws where not all are
  /// there.
  func read(at offset: Int, count: Int, into buffer: inout [UInt8]) throws(StorageError)
  /// Writes all of `bytes` at `offset`. Nothing is known of the place until `sync` has returned.
  func write(at offset: Int, _ bytes: ByteView) throws(StorageError)
  /// Returns once everything written before is on the medium (fdatasync).
  func sync() throws(StorageError)
}

/// One step towards the medium: write, then sync. The owner of a `LogWriter` carries orders out one
/// at a time, on whichever thread may wait, and reports the outcome.
package struct StorageOrder: Equatable, Sendable {
  package let offset: Int
  package let bytes: [UInt8]

  /// Carries the order out. At no time is more than this one write unsynced.
  package func execute(on storage: any Storage) -> Result<Void, StorageError> {
    do throws(StorageError) {
      try write(to: storage)
      try storage.sync()
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  /// Writes without syncing: for memory-backed storage.
  package func write(to storage: any Storage) throws(StorageError) {
    var outcome: Result<Void, StorageError> = .success(())
    bytes.withByteView { view in
      do throws(StorageError) { try storage.write(at: offset, view) } catch {
        outcome = .failure(error)
      }
    }
    try outcome.get()
  }
}
