import Glibc

/// Hands time samples to chronyd's SOCK reference clocks. Each sample finds the socket by its path,
/// so a chronyd that was started again, or later than we, is served from the next sample on.
package final class ChronySocket {
  private let descriptor: CInt

  /// The last member of a sample tells its format: chrony's refclock_sock.c.
  private static let magic: Int32 = 0x534f_434b

  package init() throws(Errno) {
    let type = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    descriptor = try systemCall { socket(AF_UNIX, type, 0) }
  }

  deinit { close(descriptor) }

  /// Sends one sample.
  /// - Parameters:
  ///   - real: The true time, in nanoseconds since 1970.
  ///   - clock: What the system's clock showed then.
  ///   - path: Where chronyd listens.
  package func send(real: Int64, clock: Int64, to path: String) throws(Errno) {
    guard let address = SocketAddress(path: path) else { throw .noSuchFile }
    let (seconds, microseconds) = (clock / 1_000_000_000, clock % 1_000_000_000 / 1000)
    // The offset is from the time as it is sent, which has whole microseconds only.
    let sent = seconds * 1_000_000_000 + microseconds * 1000
    let sample = Sample(
      clock: timeval(tv_sec: Int(seconds), tv_usec: Int(microseconds)),
      offset: Double(real - sent) / 1e9, pulse: 0, leap: 0, padding: 0, magic: Self.magic)
    try systemCall {
      withUnsafeBytes(of: sample) { bytes in
        address.withSockaddr {
          sendto(descriptor, bytes.baseAddress!, bytes.count, CInt(MSG_NOSIGNAL), $0, $1)
        }
      }
    }
  }

  /// `struct sock_sample` of chrony's refclock_sock.c. `pulse` stays 0: our samples of pulses are
  /// numbered, so that chronyd need not guess the second.
  private struct Sample {
    var clock: timeval
    var offset: Double
    var pulse: Int32
    var leap: Int32
    var padding: Int32
    var magic: Int32
  }
}
