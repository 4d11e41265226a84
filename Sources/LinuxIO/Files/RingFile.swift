import Bytes
import CLinux
import Glibc

/// Why a ring's file could not be used.
package enum RingFileError: Error, Equatable, Sendable {
  case cannotOpen(path: String, Errno)
  case cannotCreate(path: String, Errno)
  /// A directory, pipe or terminal.
  case notAFile(path: String)
  /// Another process writes to it.
  case inUse(path: String)

  package var message: String {
    switch self {
    case .cannotOpen(let path, .noSuchFile): "\(path): no such file"
    case .cannotOpen(let path, .accessDenied):
      "\(path): access denied; its owner may write, and the group binnacle read"
    case .cannotOpen(let path, let errno): "\(path): cannot open: \(errno.text)"
    case .cannotCreate(let path, .noSpace):
      "\(path): no space for the ring; free some, or set a smaller size in [log]"
    case .cannotCreate(let path, let errno): "\(path): cannot create: \(errno.text)"
    case .notAFile(let path): "\(path): neither a regular file nor a block device"
    case .inUse(let path): "\(path): another process writes to it; is the daemon running already?"
    }
  }
}

/// The file or partition that a ring lies in, read and written at offsets. One object may be used
/// by several threads.
package final class RingFile: Sendable {
  package enum Access: Sendable {
    case reading
    /// Locked: no other process can open it so.
    case writing
  }

  package let path: String
  private let descriptor: CInt
  private let device: UInt
  private let inode: UInt

  /// Opens what is there. Never creates, changes or cuts anything.
  package init(opening path: String, for access: Access) throws(RingFileError) {
    let flags = (access == .writing ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
    let opened: CInt
    do throws(Errno) {
      opened = try systemCall { open(path, flags) }
    } catch {
      throw .cannotOpen(path: path, error)
    }
    var status = stat()
    fstat(opened, &status)
    (self.path, descriptor) = (path, opened)
    (device, inode) = (UInt(status.st_dev), UInt(status.st_ino))
    guard [S_IFREG, S_IFBLK].contains(status.st_mode & S_IFMT) else { throw .notAFile(path: path) }
    if access == .writing, !lock() { throw .inUse(path: path) }
  }

  /// Makes a file of `byteCount` zeros under a name of its own, locked, for the owner alone. It
  /// gets its name, which must be free, and is opened to its group by `publish`; until then a crash
  /// leaves nothing that could be taken for a ring.
  package init(creating path: String, byteCount: Int) throws(RingFileError) {
    let draft = Self.draft(of: path)
    let opened: CInt
    do throws(Errno) {
      unlink(draft)
      opened = try systemCall { open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
    } catch {
      throw .cannotCreate(path: path, error)
    }
    var status = stat()
    fstat(opened, &status)
    (self.path, descriptor) = (path, opened)
    (device, inode) = (UInt(status.st_dev), UInt(status.st_ino))
    // Gives its error back instead of setting errno. Blocks, not just a length: no ENOSPC later.
    let failure = posix_fallocate(opened, 0, byteCount)
    guard failure == 0, lock() else {
      unlink(draft)
      throw .cannotCreate(path: path, failure == 0 ? .busy : Errno(rawValue: failure))
    }
  }

  deinit { close(descriptor) }

  private static func draft(of path: String) -> String { path + ".new" }

  /// Gives a created file its name and mode 0640, and makes both durable.
  package func publish() throws(RingFileError) {
    let draft = Self.draft(of: path)
    do throws(Errno) {
      try systemCall { fchmod(descriptor, 0o640) }
      try systemCall { fsync(descriptor) }
      try systemCall {
        renameat2(AT_FDCWD, draft, AT_FDCWD, path, UInt32(BINNACLE_RENAME_NOREPLACE))
      }
      try Self.syncDirectory(of: path)
    } catch {
      unlink(draft)
      throw .cannotCreate(path: path, error)
    }
  }

  /// Puts a created file in the place of the one that has the name, if there is one: the end of a
  /// conversion. It keeps that one's mode and, made by the superuser, its owner: the daemon is to
  /// write to it.
  package func replace() throws(RingFileError) {
    let draft = Self.draft(of: path)
    do throws(Errno) {
      var old = stat()
      let isOld = stat(path, &old) == 0
      if isOld, geteuid() == 0 {
        try systemCall { fchown(descriptor, old.st_uid, old.st_gid) }
      }
      try systemCall { fchmod(descriptor, isOld ? old.st_mode & 0o777 : 0o640) }
      try systemCall { fsync(descriptor) }
      try systemCall { rename(draft, path) }
      try Self.syncDirectory(of: path)
    } catch {
      unlink(draft)
      throw .cannotCreate(path: path, error)
    }
  }

  /// Gives a created file up before it got its name.
  package func discard() { unlink(Self.draft(of: path)) }

  /// Makes a file that was cut as long as it was, zeros at its end.
  package func extend(to byteCount: Int) throws(Errno) {
    guard self.byteCount < byteCount else { return }
    let failure = posix_fallocate(descriptor, 0, byteCount)
    guard failure == 0 else { throw Errno(rawValue: failure) }
    try systemCall { fsync(descriptor) }
  }

  private static func syncDirectory(of path: String) throws(Errno) {
    let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let directory = try systemCall { open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    defer { close(directory) }
    try systemCall { fsync(directory) }
  }

  /// An open file description lock: held by this object, not by the process, and gone with it.
  private func lock() -> Bool {
    var region = flock()
    region.l_type = Int16(F_WRLCK)
    return fcntl(descriptor, CInt(BINNACLE_F_OFD_SETLK), &region) == 0
  }

  /// As it is now, in bytes: somebody may have cut the file.
  package var byteCount: Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return 0 }
    guard status.st_mode & S_IFMT == S_IFBLK else { return Int(status.st_size) }
    return max(0, Int(lseek(descriptor, 0, SEEK_END)))
  }

  /// Whether the path still leads to this file: nobody moved, removed or replaced it.
  package var isInPlace: Bool {
    var status = stat()
    return stat(path, &status) == 0 && UInt(status.st_dev) == device && UInt(status.st_ino) == inode
  }

  /// Fills `buffer` with what is at `offset`; gives fewer bytes only at the end of the file.
  package func readBytes(
    at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(Errno) -> Int {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = try systemCall {
        pread(descriptor, rest.baseAddress!, rest.count, off_t(offset + done))
      }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// Writes all of `bytes`, waiting for the medium where it must.
  package func writeBytes(at offset: Int, _ bytes: ByteView) throws(Errno) {
    var done = 0
    while done < bytes.count {
      let rest = bytes.extracting(done..<bytes.count)
      done += try systemCall {
        rest.withUnsafeBytes {
          pwrite(descriptor, $0.baseAddress!, $0.count, off_t(offset + done))
        }
      }
    }
  }

  /// fdatasync(2).
  package func syncData() throws(Errno) { try systemCall { fdatasync(descriptor) } }
}
