import Glibc

/// An error number of the kernel.
package struct Errno: RawRepresentable, Error, Hashable, Sendable {
  package let rawValue: CInt
  package init(rawValue: CInt) { self.rawValue = rawValue }

  package static let addressInUse = Errno(rawValue: EADDRINUSE)
  package static let accessDenied = Errno(rawValue: EACCES)
  package static let badDescriptor = Errno(rawValue: EBADF)
  package static let badMessage = Errno(rawValue: EBADMSG)
  package static let brokenPipe = Errno(rawValue: EPIPE)
  package static let connectionAborted = Errno(rawValue: ECONNABORTED)
  package static let connectionRefused = Errno(rawValue: ECONNREFUSED)
  package static let exists = Errno(rawValue: EEXIST)
  package static let interrupted = Errno(rawValue: EINTR)
  package static let inputOutput = Errno(rawValue: EIO)
  package static let isDirectory = Errno(rawValue: EISDIR)
  package static let noDescriptors = Errno(rawValue: EMFILE)
  package static let noSystemDescriptors = Errno(rawValue: ENFILE)
  package static let noDevice = Errno(rawValue: ENODEV)
  package static let noSuchDevice = Errno(rawValue: ENXIO)
  package static let noSpace = Errno(rawValue: ENOSPC)
  package static let noSuchFile = Errno(rawValue: ENOENT)
  package static let busy = Errno(rawValue: EBUSY)
  package static let notPermitted = Errno(rawValue: EPERM)
  package static let quotaExceeded = Errno(rawValue: EDQUOT)
  package static let readOnly = Errno(rawValue: EROFS)
  package static let wouldBlock = Errno(rawValue: EAGAIN)

  /// The kernel's own words, such as "No such file or directory".
  package var text: String {
    // glibc keeps the text of unknown numbers in a buffer of the calling thread (since 2.32).
    guard let words = strerror(rawValue) else { return "error \(rawValue)" }
    return String(cString: words)
  }
}

/// Runs one system call, again where a signal interrupted it, and turns -1 into the error number.
/// errno is read on the line after the call, before anything else can overwrite it.
@discardableResult
package func systemCall<Result: SignedInteger>(_ call: () -> Result) throws(Errno) -> Result {
  while true {
    let result = call()
    guard result == -1 else { return result }
    let number = errno
    if number != EINTR { throw Errno(rawValue: number) }
  }
}
