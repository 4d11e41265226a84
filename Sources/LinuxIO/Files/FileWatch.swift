import Glibc

/// Tells that somebody wrote to one of a few files: inotify(7).
package final class FileWatch {
  /// For `EventLoop`.
  package let descriptor: CInt

  /// Files that cannot be watched are left out.
  package init(_ paths: [String]) throws(Errno) {
    descriptor = try systemCall { inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC)) }
    let interest = UInt32(IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF)
    for path in paths { inotify_add_watch(descriptor, path, interest) }
  }

  deinit { close(descriptor) }

  /// Forgets what happened so far. The events say no more than that something did.
  package func clear() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while read(descriptor, &buffer, buffer.count) > 0 {}
  }
}
