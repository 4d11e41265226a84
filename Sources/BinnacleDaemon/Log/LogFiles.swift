import Bytes
import FixLog
import GNSS
import LinuxIO

/// Why there is no log to write to. One line for people.
package enum LogFilesError: Error, Equatable, Sendable {
  case file(RingFileError)
  case log(path: String, LogError)

  package var message: String {
    switch self {
    case .file(let error): error.message
    case .log(let path, let error): error.message(path: path)
    }
  }
}

/// The ring's file and its mirror in memory, opened for writing: what the daemon logs to.
package struct LogFiles: Sendable {
  package let ring: RingFile
  /// Absent where it cannot be had: a killed process then loses what was not committed yet.
  package let mirror: MirrorFile?

  /// What a new ring is made with.
  package struct NewRing: Sendable {
    package var byteCount = RingGeometry.defaultByteCount
    /// 16 random bytes.
    package var ringID: RingID
    package var created: UTCTime
    /// Program and version.
    package var creator: String

    package init(ringID: RingID, created: UTCTime, creator: String) {
      (self.ringID, self.created, self.creator) = (ringID, created, creator)
    }
  }

  /// Opens the ring at `path`, or makes one where there is no file. Making writes all of it once,
  /// which takes seconds on a card; the file gets its name only when it is whole. A file that is no
  /// ring is never written to.
  ///
  /// - Parameter mirrorPath: On tmpfs, so that it cannot be of an earlier boot.
  package init(
    path: String, mirrorPath: String, new: @autoclosure () -> NewRing
  ) throws(LogFilesError) {
    if fileExists(path) {
      do throws(RingFileError) { ring = try RingFile(opening: path, for: .writing) } catch {
        throw .file(error)
      }
    } else {
      ring = try Self.makeRing(path, new())
    }
    do throws(LogError) {
      let geometry = try Superblock(readingFrom: ring).geometry
      mirror = Self.mirror(at: mirrorPath, byteCount: TailMirror.byteCount(of: geometry))
    } catch {
      throw .log(path: path, error)
    }
  }

  /// Finds the end of the log. Blocks for a few reads.
  package func recover() throws(LogFilesError) -> RecoveredLog {
    do throws(LogError) { return try RecoveredLog(opening: ring, mirror: mirror) } catch {
      throw .log(path: ring.path, error)
    }
  }

  private static func makeRing(_ path: String, _ new: NewRing) throws(LogFilesError) -> RingFile {
    guard let geometry = RingGeometry(byteCount: new.byteCount) else {
      throw .log(path: path, .tooSmall(byteCountMin: RingGeometry.byteCountMin))
    }
    let superblock = Superblock(
      geometry: geometry, ringID: new.ringID, created: new.created, creator: new.creator)
    let file: RingFile
    do throws(RingFileError) {
      file = try RingFile(creating: path, byteCount: geometry.byteCount)
    } catch {
      throw .file(error)
    }
    for order in RingFormatter.orders(superblock) {
      if case .failure(let error) = order.execute(on: file) {
        file.discard()
        throw .log(path: path, .storage(error))
      }
    }
    do throws(RingFileError) { try file.publish() } catch { throw .file(error) }
    return file
  }

  /// The mirror of the last run, or a new one where there is none of the right size.
  private static func mirror(at path: String, byteCount: Int) -> MirrorFile? {
    if let file = try? RingFile(opening: path, for: .writing), file.byteCount == byteCount {
      return MirrorFile(file, byteCount: byteCount)
    }
    guard let file = try? RingFile(creating: path, byteCount: byteCount) else { return nil }
    return (try? file.replace()) == nil ? nil : MirrorFile(file, byteCount: byteCount)
  }
}

/// The mirror's file, of the size that it was made with. It is written for every epoch; nobody
/// looks whether it was cut meanwhile, as that harms nobody: what it lacks then are zeros.
package final class MirrorFile: Storage, Sendable {
  package let byteCount: Int
  private let file: RingFile
  package var path: String { file.path }

  init(_ file: RingFile, byteCount: Int) { (self.file, self.byteCount) = (file, byteCount) }

  package func read(
    at offset: Int, count: Int, into buffer: inout [UInt8]
  ) throws(StorageError) {
    try file.read(at: offset, count: count, into: &buffer)
  }

  package func write(at offset: Int, _ bytes: ByteView) throws(StorageError) {
    guard offset >= 0, offset <= byteCount - bytes.count else { throw .pastEnd }
    do throws(Errno) { try file.writeBytes(at: offset, bytes) } catch { throw StorageError(error) }
  }

  package func sync() throws(StorageError) { try file.sync() }
}
