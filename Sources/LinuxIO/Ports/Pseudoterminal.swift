import Bytes
import CLinux
import Glibc

/// A serial port that is not there: what is written here, a program that opens `path` reads.
///
/// The far end stays open on this side too, so that its readers may come and go without an end of
/// file for either side. How many there are is counted.
package final class Pseudoterminal {
  /// What a reader opens.
  package let path: String
  /// For `EventLoop`: readable when a program wrote to `path`.
  package let descriptor: CInt
  /// For `EventLoop`: readable when a program opened or closed `path`; then call `countReaders`.
  package let watch: CInt
  /// How many times `path` is open in programs other than this one.
  package private(set) var readerCount = 0
  private let farEnd: CInt
  /// The watch on `path`, as events name it.
  private var watched: CInt = -1

  /// Opens a new one, raw and non-blocking.
  package init() throws(Errno) {
    let master = try systemCall {
      open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    }
    descriptor = master
    var (locked, number): (CInt, CInt) = (0, -1)
    do throws(Errno) {
      try systemCall { ioctl(master, BINNACLE_TIOCSPTLCK, &locked) }
      try systemCall { ioctl(master, BINNACLE_TIOCGPTN, &number) }
    } catch {
      close(master)
      throw error
    }
    path = "/dev/pts/\(number)"
    farEnd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    watch = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
    // From here on `deinit` closes what was opened.
    guard farEnd >= 0, watch >= 0 else { throw Errno(rawValue: errno) }
    try makeRaw()
    let changes = UInt32(IN_OPEN | IN_CLOSE_WRITE | IN_CLOSE_NOWRITE)
    watched = try systemCall { inotify_add_watch(watch, path, changes) }
    // inotify(7) merges equal events that follow each other, and two opens would count as one. With
    // the folder watched too, its own event stands between them.
    try systemCall { inotify_add_watch(watch, "/dev/pts", changes) }
  }

  deinit { for end in [descriptor, farEnd, watch] where end >= 0 { close(end) } }

  private func makeRaw() throws(Errno) {
    var settings = termios()
    try systemCall { tcgetattr(farEnd, &settings) }
    cfmakeraw(&settings)
    try systemCall { tcsetattr(farEnd, TCSANOW, &settings) }
  }

  /// The speed in baud that the program at `path` set; there is no line that would carry it. 0
  /// where the kernel does not say.
  package var speed: Int {
    var settings = binnacle_termios2()
    guard ioctl(farEnd, BINNACLE_TCGETS2, &settings) == 0 else { return 0 }
    return Int(settings.c_ospeed)
  }

  /// Sets that speed before a program comes, as the one that it finds.
  package func setSpeed(_ baud: Int) throws(Errno) {
    var settings = binnacle_termios2()
    try systemCall { ioctl(farEnd, BINNACLE_TCGETS2, &settings) }
    let mask = UInt32(BINNACLE_CBAUD)
    settings.c_cflag &= ~(mask | mask << UInt32(BINNACLE_IBSHIFT))
    settings.c_cflag |= UInt32(BINNACLE_BOTHER)
    settings.c_ospeed = UInt32(clamping: baud)
    settings.c_ispeed = UInt32(clamping: baud)
    try systemCall { ioctl(farEnd, BINNACLE_TCSETS2, &settings) }
  }

  /// Brings `readerCount` up to date.
  package func countReaders() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Glibc.read(watch, &buffer, buffer.count)
      guard count > 0 else { return }
      buffer[..<count].withUnsafeBytes { take(events: $0) }
    }
  }

  private func take(events: UnsafeRawBufferPointer) {
    let headerByteCount = MemoryLayout<inotify_event>.size
    var offset = 0
    while events.count - offset >= headerByteCount {
      let event = events.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      offset += headerByteCount + Int(event.len)
      guard event.wd == watched else { continue }
      readerCount += event.mask & UInt32(IN_OPEN) != 0 ? 1 : -1
    }
  }

  /// Writes what fits; returns how many bytes that were.
  package func write(_ view: ByteView) throws(Errno) -> Int {
    guard !view.isEmpty else { return 0 }
    do throws(Errno) {
      return try systemCall {
        view.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress!, $0.count) }
      }
    } catch {
      if error == .wouldBlock { return 0 }
      throw error
    }
  }

  /// What a program wrote to `path`, at most 4096 bytes of it; empty where there is nothing.
  package func received() throws(Errno) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 4096)
    do throws(Errno) {
      let count = try systemCall { Glibc.read(descriptor, &bytes, bytes.count) }
      return Array(bytes[..<count])
    } catch {
      if error == .wouldBlock { return [] }
      throw error
    }
  }

  /// How many of the bytes written wait for a reader, as far as the kernel tells: 0 means none.
  package var unreadByteCount: Int {
    var count: CInt = 0
    return ioctl(farEnd, UInt(FIONREAD), &count) == 0 ? Int(max(count, 0)) : 0
  }
}
