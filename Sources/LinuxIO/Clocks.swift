import Bytes
import CLinux
import GNSS
import Glibc

/// The kernel's clocks. Read here and handed on as values, so that all else runs on simulated time.
package enum Clocks {
  /// CLOCK_BOOTTIME: runs on in suspend and never steps.
  package static func monotonic() -> Monotonic {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Monotonic(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
  }

  /// CLOCK_REALTIME: whatever the kernel believes to be UTC, right or wrong.
  package static func utc() -> UTCTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return UTCTime(microseconds: Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_nsec) / 1000)
  }

  /// Lets the calling thread rest. For programs that have nothing else to do meanwhile.
  package static func sleep(_ span: Duration) {
    let nanoseconds = max(span.wholeNanoseconds, 0)
    var time = timespec(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    nanosleep(&time, nil)
  }

  /// Sets CLOCK_REALTIME; needs CAP_SYS_TIME.
  package static func set(_ time: UTCTime) throws(Errno) {
    var value = timespec()
    value.tv_sec = Int(time.microseconds / 1_000_000)
    value.tv_nsec = Int(time.microseconds % 1_000_000) * 1000
    try systemCall { clock_settime(CLOCK_REALTIME, &value) }
  }

  /// Whether something (NTP, PPS, PTP) keeps the kernel's clock in step with UTC: adjtimex(2) says
  /// neither `TIME_ERROR` nor `STA_UNSYNC`. A service that may not ask the kernel believes
  /// systemd-timesyncd, which has this file while it runs and has heard from a server.
  package static var isSynchronised: Bool {
    guard mayAskKernel else { return fileExists("/run/systemd/timesync/synchronized") }
    return kernelSaysSynchronised ?? false
  }

  private static let mayAskKernel = kernelSaysSynchronised != nil

  /// `nil` where the question is forbidden.
  private static var kernelSaysSynchronised: Bool? {
    var state = timex()
    let result = adjtimex(&state)
    guard result != -1 else { return nil }
    return result != TIME_ERROR && state.status & STA_UNSYNC == 0
  }
}

/// Tells one boot of the machine from another.
package struct BootID: Hashable, Sendable {
  /// The kernel's random UUID of this boot; empty where /proc is not mounted.
  package let text: String

  /// The first 64 bits of the UUID, for places too small for all of it; 0 where there is none.
  package var tag: UInt64 {
    UInt64(text.filter { $0 != "-" }.prefix(16), radix: 16) ?? 0
  }

  package static let current = BootID(
    text: smallFile("/proc/sys/kernel/random/boot_id")?.trimmingSpace ?? "")
}
