import CLinux
import Glibc

/// What concerns the line itself: its speed, and the errors on it.
extension SerialPort {
  /// The speed in baud, as the driver has it; 0 where it does not say.
  package var speed: Int {
    var settings = binnacle_termios2()
    guard ioctl(descriptor, BINNACLE_TCGETS2, &settings) == 0 else { return 0 }
    return Int(settings.c_ospeed)
  }

  /// Sets any speed, also one that termios has no constant for, in both directions at once. What
  /// the line carries at that moment is garbled: see `pendingOutputByteCount` and `flushInput`.
  package func setSpeed(_ baud: Int) throws(SerialPortError) {
    guard let rate = UInt32(exactly: baud), rate > 0 else {
      throw .speedRefused(path: path, baud: baud)
    }
    var settings = binnacle_termios2()
    guard ioctl(descriptor, BINNACLE_TCGETS2, &settings) == 0 else {
      throw .cannotConfigure(path: path, Errno(rawValue: errno))
    }
    let mask = UInt32(BINNACLE_CBAUD)
    settings.c_cflag &= ~(mask | mask << UInt32(BINNACLE_IBSHIFT))
    // Input bits of zero: the same speed as for output.
    settings.c_cflag |= UInt32(BINNACLE_BOTHER)
    settings.c_ospeed = rate
    settings.c_ispeed = rate
    guard ioctl(descriptor, BINNACLE_TCSETS2, &settings) == 0 else {
      throw .speedRefused(path: path, baud: baud)
    }
  }

  /// Holds the line to the device low, or lets it go (tty_ioctl(4): TIOCSBRK, TIOCCBRK). A
  /// pseudo-terminal has no line, and takes no notice.
  package func setBreak(_ isLow: Bool) {
    _ = ioctl(descriptor, UInt(isLow ? TIOCSBRK : TIOCCBRK))
  }

  /// What the driver counted since the port's driver was loaded: linux/serial.h, `TIOCGICOUNT`.
  package struct LineErrors: Equatable, Sendable {
    /// Stop bits that were none: a wrong speed shows here within milliseconds.
    package let frame: UInt32
    package let parity: UInt32
    package let breaks: UInt32
    /// Bytes lost in the UART, because the machine was too slow to fetch them.
    package let overrun: UInt32
    /// Bytes lost in the kernel, because we were too slow to read them.
    package let bufferOverrun: UInt32
  }

  /// `nil` where the driver does not count: pseudo-terminals, and USB receivers without a line.
  package var lineErrors: LineErrors? {
    guard countsErrors else { return nil }
    var counts = serial_icounter_struct()
    guard ioctl(descriptor, UInt(TIOCGICOUNT), &counts) == 0 else {
      if errno == ENOTTY || errno == EINVAL { countsErrors = false }
      return nil
    }
    return LineErrors(
      frame: UInt32(bitPattern: counts.frame), parity: UInt32(bitPattern: counts.parity),
      breaks: UInt32(bitPattern: counts.brk), overrun: UInt32(bitPattern: counts.overrun),
      bufferOverrun: UInt32(bitPattern: counts.buf_overrun))
  }
}
