import CLinux
import Glibc

/// A pseudo-terminal whose master end plays the device.
final class TestTerminal {
  private(set) var master: CInt
  let path: String

  init() {
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    var locked: CInt = 0
    var number: CInt = -1
    _ = ioctl(master, BINNACLE_TIOCSPTLCK, &locked)
    _ = ioctl(master, BINNACLE_TIOCGPTN, &number)
    path = "/dev/pts/\(number)"
  }

  deinit { unplug() }

  func send(_ bytes: [UInt8]) { _ = Glibc.write(master, bytes, bytes.count) }

  func received() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(master, &buffer, buffer.count)
    return Array(buffer.prefix(max(0, count)))
  }

  func unplug() {
    if master >= 0 { close(master) }
    master = -1
  }
}
