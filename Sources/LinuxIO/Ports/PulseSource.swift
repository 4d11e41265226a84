import CLinux
import Glibc

/// The pulse of a receiver as the kernel stamps it: LinuxPPS. It is asked for the last pulse, never
/// waited for, so that it wakes nobody.
package final class PulseSource {
  package enum Edge: Sendable { case assert, clear }

  /// One pulse.
  package struct Pulse: Equatable, Sendable {
    /// By the system's clock, in nanoseconds since 1970.
    package var clock: Int64
    /// Counts the pulses; wraps.
    package var sequence: UInt32

    package init(clock: Int64, sequence: UInt32) {
      (self.clock, self.sequence) = (clock, sequence)
    }
  }

  package let path: String
  private let descriptor: CInt

  /// - Parameter path: `/dev/pps0`
  package init(path: String) throws(Errno) {
    self.path = path
    descriptor = try systemCall { open(path, O_RDONLY | O_CLOEXEC) }
  }

  deinit { close(descriptor) }

  /// The last pulse; `nil` before the first, and where the device has gone.
  package func last(_ edge: Edge) -> Pulse? {
    var data = pps_fdata()  // a timeout of zero: what is known now
    guard (try? systemCall { ioctl(descriptor, BINNACLE_PPS_FETCH, &data) }) != nil else {
      return nil
    }
    let (time, sequence) =
      edge == .assert
      ? (data.info.assert_tu, data.info.assert_sequence)
      : (data.info.clear_tu, data.info.clear_sequence)
    guard sequence != 0 else { return nil }
    return Pulse(clock: time.sec &* 1_000_000_000 &+ Int64(time.nsec), sequence: sequence)
  }

  /// The kernel's pulse device that is fed by this terminal's line; `nil` where there is none.
  package static func device(ofTerminal node: String) -> String? {
    for number in 0..<deviceCountMax {
      guard let path = smallFile("/sys/class/pps/pps\(number)/path")?.trimmingSpace else {
        continue
      }
      if path == node { return "/dev/pps\(number)" }
    }
    return nil
  }

  /// PPS devices beyond this number are not looked at.
  private static let deviceCountMax = 16

  /// Has the kernel stamp the changes of the terminal's carrier detect line: N_PPS. What the line
  /// receives is read as before. The pulse device is there when this returns.
  package static func attach(toLineOf descriptor: CInt) throws(Errno) {
    var discipline = CInt(BINNACLE_N_PPS)
    try systemCall { ioctl(descriptor, UInt(TIOCSETD), &discipline) }
  }
}
