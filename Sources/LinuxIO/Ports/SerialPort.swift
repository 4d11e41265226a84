import Bytes
import CLinux
import Glibc

/// A serial port with a receiver behind it: raw bytes, never waiting, for this process alone.
///
/// Removal of the device, a hang-up and the end of a pseudo-terminal are not errors: `read` and
/// `write` then answer `.ended`, and the port is only good for being dropped.
package final class SerialPort {
  /// As it was opened.
  package let path: String
  /// For `EventLoop`.
  package let descriptor: CInt
  /// Whether the driver counts errors of the line; believed until it says that it does not.
  var countsErrors = true

  /// Opens the port and makes it raw: eight data bits, no parity, one stop bit, no flow control (it
  /// wedges some bridges), no modem control, DTR left alone on closing, no echo, no line editing.
  /// The speed stays as it is. Nothing is written to the device.
  package init(path: String) throws(SerialPortError) {
    self.path = path
    do {
      descriptor = try systemCall { open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC) }
    } catch {
      throw .cannotOpen(path: path, error)
    }
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else { throw .notSerial(path: path) }
    makeExclusive()
    cfmakeraw(&settings)
    settings.c_cflag &= ~tcflag_t(HUPCL | CSTOPB | PARENB) & ~Self.hardwareFlowControl
    settings.c_cflag |= tcflag_t(CLOCAL | CREAD | CS8)
    settings.c_iflag &= ~tcflag_t(IXON | IXOFF | IXANY)
    // One byte is enough to be told of, and a read of 0 bytes can only be a hang-up: with VMIN 0 it
    // would also mean "nothing yet".
    withUnsafeMutableBytes(of: &settings.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
    }
    do {
      try systemCall { tcsetattr(descriptor, TCSANOW, &settings) }
    } catch {
      throw .cannotConfigure(path: path, error)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// `CRTSCTS`, whose C form is an unsigned constant that Swift does not import.
  private static let hardwareFlowControl: tcflag_t = 0x8000_0000

  /// The major numbers of pseudo-terminals' slave ends: Documentation/admin-guide/devices.txt.
  private static let pseudoterminalMajors: ClosedRange<UInt32> = 136...143

  /// Whether a program is at the other end instead of a line: there is no speed then.
  package var isPseudoterminal: Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    let major = UInt32(truncatingIfNeeded: status.st_rdev >> 8 & 0xfff)
    return Self.pseudoterminalMajors.contains(major)
  }

  /// Keeps others (but root) from opening the port. Not on a pseudo-terminal: there the flag would
  /// outlive a killed process as long as the other end is open, and lock its successor out.
  private func makeExclusive() {
    if !isPseudoterminal { _ = ioctl(descriptor, UInt(TIOCEXCL)) }
  }

  // MARK: Bytes

  package enum ReadResult: Equatable, Sendable {
    case bytes(Int)
    case wouldBlock
    case ended(EndReason)
  }

  package enum WriteResult: Equatable, Sendable {
    /// How many bytes were taken: maybe fewer than were given.
    case bytes(Int)
    case wouldBlock
    case ended(EndReason)
  }

  /// Why there will be no more bytes.
  package enum EndReason: Equatable, Sendable {
    /// The other end hung up, or the device is gone and the driver said so in good order.
    case hungUp
    /// EIO, ENODEV or ENXIO: the device was pulled out, or a pseudo-terminal's other end closed.
    case removed
    case failed(Errno)

    fileprivate init(_ errno: Errno) {
      switch errno {
      case .inputOutput, .noDevice, .noSuchDevice: self = .removed
      default: self = .failed(errno)
      }
    }

    package var text: String {
      switch self {
      case .hungUp: "hung up"
      case .removed: "removed"
      case .failed(let errno): errno.text
      }
    }
  }

  package func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
    guard let start = buffer.baseAddress, !buffer.isEmpty else { return .bytes(0) }
    do throws(Errno) {
      let count = try systemCall { Glibc.read(descriptor, start, buffer.count) }
      return count > 0 ? .bytes(count) : .ended(.hungUp)
    } catch {
      return error == .wouldBlock ? .wouldBlock : .ended(EndReason(error))
    }
  }

  package func write(_ view: ByteView) -> WriteResult {
    guard !view.isEmpty else { return .bytes(0) }
    do throws(Errno) {
      return .bytes(
        try systemCall {
          view.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress!, $0.count) }
        })
    } catch {
      return error == .wouldBlock ? .wouldBlock : .ended(EndReason(error))
    }
  }

  /// Throws away what came in and was not read.
  package func flushInput() { tcflush(descriptor, TCIFLUSH) }

  /// Throws away what was written and is not yet on the line.
  package func flushOutput() { tcflush(descriptor, TCOFLUSH) }

  /// The bytes written that are not yet on the line: change the speed when there are none.
  package var pendingOutputByteCount: Int {
    var count: CInt = 0
    return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? Int(max(count, 0)) : 0
  }
}
