import CLinux
import GNSS
import Glibc

/// The daemon's one place to wait: descriptors, the next deadline, signals, steps of the clock and
/// calls from other threads. While none of these happens the process sleeps without a wake-up.
package final class EventLoop {
  /// The caller's own name for a descriptor.
  package struct Token: Hashable, Sendable {
    package let rawValue: UInt32
    package init(_ rawValue: UInt32) { self.rawValue = rawValue }
  }

  /// What to wait for on a descriptor. A hang-up is always told.
  package struct Interest: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
    package static let readable = Interest(rawValue: EPOLLIN.rawValue)
    package static let writable = Interest(rawValue: EPOLLOUT.rawValue)
  }

  package enum Signal: Sendable {
    /// SIGTERM or SIGINT: end in good order.
    case terminate
    /// SIGHUP: read the configuration again.
    case reload
  }

  package enum Event: Equatable, Sendable {
    /// Something happened to a descriptor. After a hang-up there may still be bytes to read.
    case ready(Token, readable: Bool, writable: Bool, hungUp: Bool)
    /// The deadline has passed; it is then unset.
    case deadline
    case signal(Signal)
    /// Somebody set the real-time clock.
    case clockStepped
    /// `WakeUp.signal` was called, once or several times.
    case wokenUp
  }

  /// Events taken in one wait; what is beyond them comes with the next.
  private static let eventLimit = 64

  /// Wakes the loop up from other threads.
  package let wakeUp: WakeUp
  private let poll: CInt
  private let clockWatch: CInt
  private let signals: CInt
  private var ready = [epoll_event](repeating: epoll_event(), count: EventLoop.eventLimit)
  private var events: [Event] = []
  /// Whether the kernel and its filters know epoll_pwait2(2), of Linux 5.11.
  private var waitsExactly = true

  /// Sets up the loop and blocks its signals in the calling thread, and so in the threads that this
  /// one starts: call it first thing. SIGPIPE is ignored from then on.
  package init() throws(Errno) {
    signal(SIGPIPE, SIG_IGN)
    var handled = sigset_t()
    sigemptyset(&handled)
    for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&handled, number) }
    pthread_sigmask(SIG_BLOCK, &handled, nil)

    wakeUp = try WakeUp()
    poll = try systemCall { epoll_create1(CInt(EPOLL_CLOEXEC)) }
    clockWatch = try systemCall {
      timerfd_create(CLOCK_REALTIME, CInt(TFD_NONBLOCK | TFD_CLOEXEC))
    }
    signals = try systemCall {
      signalfd(-1, &handled, CInt(SFD_NONBLOCK | SFD_CLOEXEC))
    }
    for (descriptor, source) in [
      (clockWatch, Source.clockWatch), (signals, .signals), (wakeUp.descriptor, .wakeUp),
    ] {
      try control(EPOLL_CTL_ADD, descriptor, .readable, data: source.rawValue)
    }
    try armClockWatch()
  }

  deinit { for descriptor in [poll, clockWatch, signals] { close(descriptor) } }

  /// When `.deadline` is due, on `Clocks.monotonic`; `nil` for never. The wait itself keeps it, as
  /// setting a timer costs a system call and most deadlines move on with the next bytes. In suspend
  /// the wait stands still, but the clock watch ends it on resuming.
  package var deadline: Monotonic?

  package func add(_ descriptor: CInt, token: Token, for interest: Interest = .readable)
    throws(Errno)
  {
    try control(EPOLL_CTL_ADD, descriptor, interest, data: UInt64(token.rawValue))
  }

  package func modify(_ descriptor: CInt, token: Token, for interest: Interest) throws(Errno) {
    try control(EPOLL_CTL_MOD, descriptor, interest, data: UInt64(token.rawValue))
  }

  /// Call it before the descriptor is closed. One that the loop does not know is no error.
  package func remove(_ descriptor: CInt) {
    epoll_ctl(poll, EPOLL_CTL_DEL, descriptor, nil)
  }

  /// Sleeps until something happens.
  ///
  /// An event may be about a descriptor that the handling of an earlier one removed: look the token
  /// up, and never use a token twice.
  package func wait() throws(Errno) -> [Event] {
    events.removeAll(keepingCapacity: true)
    let count = try waitForEvents()
    for index in 0..<Int(count) { take(ready[index]) }
    if let deadline, deadline <= Clocks.monotonic() {
      self.deadline = nil
      events.append(.deadline)
    }
    return events
  }

  private func waitForEvents() throws(Errno) -> CInt {
    let (poll, limit) = (poll, CInt(Self.eventLimit))
    var span: Int64?
    if let deadline, deadline != .never {
      // A deadline may be anything; the clock is not.
      span = max(max(deadline, .zero).nanoseconds - Clocks.monotonic().nanoseconds, 0)
    }
    if waitsExactly {
      do throws(Errno) {
        guard let span else {
          return try systemCall { epoll_pwait2(poll, &ready, limit, nil, nil) }
        }
        var time = timespec(
          tv_sec: Int(span / 1_000_000_000), tv_nsec: Int(span % 1_000_000_000))
        return try systemCall { epoll_pwait2(poll, &ready, limit, &time, nil) }
      } catch {
        guard error.rawValue == ENOSYS || error == .notPermitted else { throw error }
        waitsExactly = false
      }
    }
    // Rounded up: to wake before the deadline would be to wake twice.
    let milliseconds = span.map { CInt(clamping: ($0 + 999_999) / 1_000_000) }
    return try systemCall { epoll_wait(poll, &ready, limit, milliseconds ?? -1) }
  }

  /// Descriptors of the loop's own, told from the caller's 32-bit tokens by the upper half.
  private enum Source: UInt64 {
    case clockWatch = 0x1_0000_0000
    case signals, wakeUp
  }

  private func take(_ event: epoll_event) {
    guard let source = Source(rawValue: event.data.u64) else {
      events.append(
        .ready(
          Token(UInt32(truncatingIfNeeded: event.data.u64)),
          readable: event.events & EPOLLIN.rawValue != 0,
          writable: event.events & EPOLLOUT.rawValue != 0,
          hungUp: event.events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0))
      return
    }
    switch source {
    case .clockWatch:
      _ = drain(clockWatch)
      try? armClockWatch()
      events.append(.clockStepped)
    case .signals: takeSignals()
    case .wakeUp:
      if drain(wakeUp.descriptor) { events.append(.wokenUp) }
    }
  }

  private func takeSignals() {
    var info = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    while read(signals, &info, size) == size {
      events.append(.signal(CInt(info.ssi_signo) == SIGHUP ? .reload : .terminate))
    }
  }

  /// Takes the eight-byte count of a timer or event descriptor; false where there was none.
  private func drain(_ descriptor: CInt) -> Bool {
    var count: UInt64 = 0
    return read(descriptor, &count, 8) == 8
  }

  /// A timer on the real-time clock that never expires, cancelled by the kernel when the clock is
  /// set: timerfd_create(2), `TFD_TIMER_CANCEL_ON_SET`.
  private func armClockWatch() throws(Errno) {
    var spec = itimerspec()
    spec.it_value.tv_sec = .max / 1_000_000_000
    let flags = CInt(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)
    try systemCall { timerfd_settime(clockWatch, flags, &spec, nil) }
  }

  private func control(_ operation: CInt, _ descriptor: CInt, _ interest: Interest, data: UInt64)
    throws(Errno)
  {
    var event = epoll_event()
    event.events = interest.rawValue
    event.data.u64 = data
    try systemCall { epoll_ctl(poll, operation, descriptor, &event) }
  }
}

/// Wakes an `EventLoop` up from any thread.
package final class WakeUp: Sendable {
  fileprivate let descriptor: CInt

  fileprivate init() throws(Errno) {
    descriptor = try systemCall { eventfd(0, CInt(EFD_NONBLOCK | EFD_CLOEXEC)) }
  }

  deinit { close(descriptor) }

  /// Several calls before the loop comes round are told as one.
  package func signal() {
    var one: UInt64 = 1
    _ = write(descriptor, &one, 8)
  }
}
