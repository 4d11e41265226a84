/// Why a log could not be opened.
package enum LogError: Error, Equatable, Sendable {
  /// The magic number is missing: some other file.
  case notARing
  /// Written by a newer program in a way that this one cannot read.
  case unknownVersion(major: UInt16)
  case unknownFeatures(UInt32)
  /// A writer would have to know these features; reading is possible.
  case readOnlyFeatures(UInt32)
  case damagedSuperblock
  /// The file is shorter than its superblock says.
  case truncated(byteCount: Int, expected: Int)
  /// A ring needs at least this many bytes.
  case tooSmall(byteCountMin: Int)
  case storage(StorageError)

  /// One line for people: what is wrong with the file at `path`, and what to do.
  package func message(path: String) -> String {
    switch self {
    case .notARing:
      "\(path): not a ring of Binnacle; nothing was written to it: name another file"
    case .unknownVersion(let major):
      "\(path): ring format \(major) is newer than this program knows; update binnacle"
    case .unknownFeatures(let bits):
      "\(path): the ring uses unknown features (0x\(String(bits, radix: 16))); update binnacle"
    case .readOnlyFeatures(let bits):
      "\(path): unknown features (0x\(String(bits, radix: 16))) forbid writing; update binnacle"
    case .damagedSuperblock:
      "\(path): both superblocks are damaged; 'binnacle log-check --repair' restores them"
    case .truncated(let byteCount, let expected):
      "\(path): cut to \(byteCount) of \(expected) bytes; see 'binnacle log-check --repair'"
    case .tooSmall(let byteCountMin):
      "\(path): a ring needs at least \(byteCountMin) bytes"
    case .storage(let error):
      "\(path): \(error.message)"
    }
  }
}
