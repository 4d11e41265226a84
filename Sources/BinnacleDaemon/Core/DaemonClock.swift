import GNSS
import LinuxIO

/// Reads both clocks. Whether the system's is kept in step costs a system call and changes slowly,
/// so that it is asked once a second.
final class DaemonClock {
  private var isSynchronised = false
  private var askedAt: Monotonic?

  private static let answerAge = Duration.seconds(1)

  func now() -> Now {
    let monotonic = Clocks.monotonic()
    if askedAt.map({ monotonic - $0 >= Self.answerAge }) ?? true {
      (isSynchronised, askedAt) = (Clocks.isSynchronised, monotonic)
    }
    return Now(monotonic: monotonic, system: Clocks.utc(), isSynchronised: isSynchronised)
  }
}
