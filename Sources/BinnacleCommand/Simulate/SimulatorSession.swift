import Bytes
import GNSS
import LinuxIO
import ReceiverSimulator

/// Sends a replay to a pseudo-terminal until it is over or somebody ends it.
final class SimulatorSession {
  /// A program that opened the port sets its speed next, and some throw away what has come by then.
  private static let settling = Duration.milliseconds(250)
  /// How long the last bytes may wait for their reader, and how often that is looked at.
  private static let drainLimit = Duration.seconds(10)
  private static let drainInterval = Duration.milliseconds(50)
  /// Bursts sent in a row before signals are looked at.
  private static let burstsInARow = 32

  private typealias Token = SimulatedPort.Token

  private let options: SimulateOptions
  private let port: SimulatedPort
  private var terminal: Pseudoterminal { port.terminal }
  private var loop: EventLoop { port.loop }
  private var source: ReplaySource
  private var pace: Pace
  /// What is left to send of the burst at hand, and when it is due.
  private var burst = OutputBuffer()
  private var sentByteCount = 0
  private var due = Duration.zero
  private var epochCount = 0
  /// Epochs that nobody heard.
  private var lostCount = 0

  init(_ options: SimulateOptions, source: ReplaySource, port: SimulatedPort) {
    (self.options, self.source, self.port) = (options, source, port)
    pace = Pace(
      speed: options.speed, from: Clocks.monotonic(), isPaused: options.waitsForReader)
  }

  /// Prints the port's path and sends everything.
  func run() throws(CommandError) {
    try port.announce()
    port.say(source.remark + (pace.isPaused ? "; begins when a program opens the port" : ""))
    let isComplete = try sendAll() ? drain() : false
    port.say(
      "\(epochCount) epochs sent"
        + (lostCount > 0 ? ", \(lostCount) of them while nobody read" : "")
        + (isComplete ? "" : ", then ended"))
  }

  private enum Progress {
    /// Nothing more can be sent until something happens.
    case waiting
    case sending
    case over
  }

  /// Returns false where it was ended before its end.
  private func sendAll() throws(CommandError) -> Bool {
    guard try fetch() else { return true }
    while true {
      switch try sendBursts() {
      case .over: return true
      case .sending: loop.deadline = Clocks.monotonic()
      case .waiting: break
      }
      guard try waitForEvents() else { return false }
    }
  }

  private func sendBursts() throws(CommandError) -> Progress {
    for _ in 0..<Self.burstsInARow {
      guard try sendBurst() else { return .waiting }
      guard try fetch() else { return .over }
    }
    return .sending
  }

  /// Finds out when the next burst is due; returns false behind the last.
  private func fetch() throws(CommandError) -> Bool {
    burst.removeAll()
    sentByteCount = 0
    if let count = options.count, epochCount >= count { return false }
    guard let next = try source.nextDue() else { return false }
    due = next
    return true
  }

  /// Sends as much of the burst as may be sent now; returns whether that was all of it.
  private func sendBurst() throws(CommandError) -> Bool {
    let instant = pace.instant(of: due)
    guard instant <= Clocks.monotonic() else {
      loop.deadline = instant
      return false
    }
    if burst.isEmpty { source.take(into: &burst) }
    if !options.waitsForReader, terminal.readerCount == 0 {
      lostCount += 1
    } else {
      guard try port.attempt({ () throws(Errno) in try write() }) else { return false }
    }
    epochCount += 1
    return true
  }

  /// Writes what is left of the burst; returns false where the port does not take all of it.
  private func write() throws(Errno) -> Bool {
    while sentByteCount < burst.count {
      let count = try burst.withByteView { view in
        Result { () throws(Errno) in
          try terminal.write(view.extracting(sentByteCount..<view.count))
        }
      }.get()
      guard count > 0 else {
        try loop.modify(terminal.descriptor, token: Token.terminal, for: [.readable, .writable])
        return false
      }
      sentByteCount += count
    }
    return true
  }

  /// Waits for what happens next; returns false when it is to end.
  private func waitForEvents() throws(CommandError) -> Bool {
    for event in try port.attempt({ () throws(Errno) in try loop.wait() }) {
      switch event {
      case .signal(.terminate): return false
      case .ready(Token.watch, _, _, _): readersChanged()
      case .ready(Token.terminal, let readable, let writable, _):
        if readable { try discardInput() }
        if writable {
          try port.attempt { () throws(Errno) in
            try loop.modify(terminal.descriptor, token: Token.terminal, for: .readable)
          }
        }
      case .ready, .deadline, .signal(.reload), .clockStepped, .wokenUp: break
      }
    }
    return true
  }

  private func readersChanged() {
    terminal.countReaders()
    guard options.waitsForReader else { return }
    let now = Clocks.monotonic()
    if terminal.readerCount == 0 {
      pace.pause(at: now)
    } else {
      pace.resume(at: now, delay: Self.settling)
    }
  }

  /// What a program writes to the port; this receiver obeys nothing.
  private func discardInput() throws(CommandError) {
    try port.attempt { () throws(Errno) in while try !terminal.received().isEmpty {} }
  }

  /// Waits until a reader has taken the last bytes: closing the port throws them away.
  private func drain() throws(CommandError) -> Bool {
    let end = Clocks.monotonic() + Self.drainLimit
    var emptyCount = 0
    while emptyCount < 2, Clocks.monotonic() < end, terminal.readerCount > 0 {
      loop.deadline = Clocks.monotonic() + Self.drainInterval
      guard try waitForEvents() else { return false }
      emptyCount = terminal.unreadByteCount == 0 ? emptyCount + 1 : 0
    }
    return true
  }
}
