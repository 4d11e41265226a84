import Bytes
import FixLog
import LinuxIO

/// Joins the file to the format: the only place where both are known.
extension RingFile: Storage {
  package func read(
    at offset: Int, count: Int, into buffer: inout [UInt8]
  ) throws(StorageError) {
    if buffer.count != count { buffer = [UInt8](repeating: 0, count: count) }
    var outcome: Result<Int, Errno> = .success(0)
    buffer.withUnsafeMutableBytes { bytes in
      do throws(Errno) { outcome = .success(try self.readBytes(at: offset, into: bytes)) } catch {
        outcome = .failure(error)
      }
    }
    switch outcome {
    case .success(count): return
    case .success: throw .pastEnd
    case .failure(let errno): throw StorageError(errno)
    }
  }

  /// Never beyond the end: a file that was cut is not made longer again behind a hole.
  package func write(at offset: Int, _ bytes: ByteView) throws(StorageError) {
    guard offset >= 0, offset <= byteCount - bytes.count else { throw .pastEnd }
    do throws(Errno) { try writeBytes(at: offset, bytes) } catch { throw StorageError(error) }
  }

  package func sync() throws(StorageError) {
    do throws(Errno) { try syncData() } catch { throw StorageError(error) }
  }
}

extension StorageError {
  package init(_ errno: Errno) {
    switch errno {
    case .inputOutput: self = .inputOutput
    case .noSpace, .quotaExceeded: self = .noSpace
    case .readOnly: self = .readOnly
    default: self = .other(code: errno.rawValue, text: errno.text)
    }
  }
}
