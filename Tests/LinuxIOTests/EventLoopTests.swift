import GNSS
import Glibc
import Testing

@testable import LinuxIO

@Suite("Event loop") struct EventLoopTests {
  @Test("tells of bytes and of the hang-up, by token")
  func descriptors() throws {
    let loop = try EventLoop()
    let terminal = TestTerminal()
    let port = try SerialPort(path: terminal.path)
    let token = EventLoop.Token(42)
    try loop.add(port.descriptor, token: token)

    terminal.send([1])
    #expect(
      try loop.wait() == [.ready(token, readable: true, writable: false, hungUp: false)])
    try loop.modify(port.descriptor, token: token, for: .writable)
    #expect(
      try loop.wait() == [.ready(token, readable: false, writable: true, hungUp: false)])

    try loop.modify(port.descriptor, token: token, for: .readable)
    terminal.unplug()
    guard case .ready(token, _, _, hungUp: true) = try loop.wait().first else {
      Issue.record("no hang-up")
      return
    }
  }

  @Test("a removed descriptor is silent; removing it again is no error")
  func removed() throws {
    let loop = try EventLoop()
    let terminal = TestTerminal()
    let port = try SerialPort(path: terminal.path)
    try loop.add(port.descriptor, token: .init(1))
    loop.remove(port.descriptor)
    loop.remove(port.descriptor)
    terminal.send([1])
    loop.deadline = Clocks.monotonic() + .milliseconds(20)
    #expect(try loop.wait() == [.deadline])
  }

  @Test("the deadline comes at its time, once", arguments: [-1000, 0, 30])
  func deadline(milliseconds: Int) throws {
    let loop = try EventLoop()
    let start = Clocks.monotonic()
    let due = start + .milliseconds(milliseconds)
    loop.deadline = due
    #expect(try loop.wait() == [.deadline])
    #expect(Clocks.monotonic() >= due)
    #expect(loop.deadline == nil)
    loop.wakeUp.signal()
    #expect(try loop.wait() == [.wokenUp])
  }

  @Test("a deadline that was moved or unset does not come")
  func movedDeadline() throws {
    let loop = try EventLoop()
    loop.deadline = Clocks.monotonic() + .milliseconds(5)
    loop.deadline = .never
    usleep(10_000)
    loop.wakeUp.signal()
    #expect(try loop.wait() == [.wokenUp])
    loop.deadline = .zero
    loop.deadline = nil
    loop.wakeUp.signal()
    #expect(try loop.wait() == [.wokenUp])
  }

  @Test("wake-ups from another thread are told as one")
  func wakeUp() throws {
    let loop = try EventLoop()
    let unmanaged = Unmanaged.passRetained(loop.wakeUp)
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { context in
        let wakeUp = Unmanaged<WakeUp>.fromOpaque(context!).takeRetainedValue()
        for _ in 0..<3 { wakeUp.signal() }
        return nil
      }, unmanaged.toOpaque())
    pthread_join(thread, nil)
    #expect(try loop.wait() == [.wokenUp])
    loop.deadline = Clocks.monotonic() + .milliseconds(10)
    #expect(try loop.wait() == [.deadline])
  }

  @Test(
    "signals are events",
    arguments: [
      (SIGTERM, EventLoop.Signal.terminate), (SIGINT, .terminate), (SIGHUP, .reload),
    ])
  func signals(number: CInt, signal: EventLoop.Signal) throws {
    let loop = try EventLoop()
    // To this thread alone: the test runner's other threads do not block the signal.
    pthread_kill(pthread_self(), number)
    #expect(try loop.wait() == [.signal(signal)])
  }

  @Test("sleeps without a wake-up while nothing happens")
  func idle() throws {
    let loop = try EventLoop()
    let before = try #require(sleepCount())
    loop.deadline = Clocks.monotonic() + .milliseconds(200)
    #expect(try loop.wait() == [.deadline])
    let count = try #require(sleepCount()) - before
    // A few are for locks inside the kernel and the allocator; a loop that polls has dozens.
    #expect(count < 10)
  }

  /// How often this thread has gone to sleep.
  private func sleepCount() -> Int? {
    smallFile("/proc/thread-self/status")?.split(separator: "\n")
      .first { $0.hasPrefix("voluntary_ctxt_switches:") }
      .flatMap { Int($0.drop { !$0.isNumber }) }
  }
}
