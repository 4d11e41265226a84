import Bytes
import GNSS
import LinuxIO
import ReceiverSimulator

/// Lets a simulated receiver live on a pseudo-terminal: it hears what programs write to it, answers
/// at the pace of its port, sleeps and wakes, until its journey is over or somebody ends it.
final class LiveReceiverSession {
  private typealias Token = SimulatedPort.Token

  /// How often bytes on their way out are looked at.
  private static let sendInterval = Duration.milliseconds(20)

  private let options: SimulateOptions
  private let plan: LiveReceiver
  private let port: SimulatedPort
  private var receiver: SimulatedReceiver?
  /// Runs from the switch-on, at the pace that was asked for.
  private var pace: Pace
  private var begin = Monotonic.zero
  private var shown: String?
  private var epochCount = 0
  /// Bytes that nobody took, and times that the host spoke at another speed.
  private var lostByteCount = 0
  private var misheardCount = 0

  init(_ options: SimulateOptions, _ plan: LiveReceiver, port: SimulatedPort) {
    (self.options, self.plan, self.port) = (options, plan, port)
    pace = Pace(speed: options.speed, from: .zero, isPaused: true)
  }

  /// Prints the port's path and lets the receiver live.
  func run() throws(CommandError) {
    try port.attempt { () throws(Errno) in try port.terminal.setSpeed(plan.kind.baud) }
    try port.announce()
    port.say(
      "\(plan.kind.name) at \(plan.kind.baud) baud, \(plan.remark)"
        + (options.waitsForReader ? "; switched on when a program opens the port" : ""))
    if !options.waitsForReader { switchOn() }
    while !isOver {
      try live()
      guard try waitForEvents() else { break }
    }
    var end = "\(epochCount) epochs"
    if lostByteCount > 0 { end += ", \(lostByteCount) bytes that nobody read" }
    if misheardCount > 0 { end += ", misheard \(misheardCount) times at another speed" }
    port.say(end)
  }

  private func switchOn() {
    begin = Clocks.monotonic()
    pace = Pace(speed: options.speed, from: begin, isPaused: false)
    receiver = plan.receiver(clockStart: Clocks.utc())
    report()
  }

  /// The receiver's own time, from its switch-on.
  private var now: Monotonic {
    let nanoseconds = Double((Clocks.monotonic() - begin).wholeNanoseconds) * options.speed
    return Monotonic(nanoseconds: Int64(exactly: nanoseconds.rounded()) ?? .max)
  }

  private var isOver: Bool {
    guard let receiver else { return false }
    if let count = options.count, receiver.epochCount >= count, !receiver.isSending { return true }
    return !options.isLooping && now - .zero > receiver.journey.length
  }

  /// Lets its time go by, and passes on what it has sent.
  private func live() throws(CommandError) {
    guard var receiver else {
      port.loop.deadline = nil
      return
    }
    let now = now
    let bytes = receiver.send(baud: speed, at: now)
    epochCount = receiver.epochCount
    self.receiver = receiver
    report()
    try deliver(bytes)
    var next = pace.instant(of: receiver.nextEvent - .zero)
    if receiver.isSending { next = min(next, Clocks.monotonic() + Self.sendInterval) }
    if !options.isLooping { next = min(next, pace.instant(of: receiver.journey.length)) }
    port.loop.deadline = next
  }

  /// What the program at the port set it to. A port without a speed hears everything.
  private var speed: Int {
    let speed = port.terminal.speed
    return speed > 0 ? speed : receiver?.baud ?? 0
  }

  /// A UART does not wait for its reader: what does not fit is lost.
  private func deliver(_ bytes: [UInt8]) throws(CommandError) {
    guard !bytes.isEmpty else { return }
    guard port.terminal.readerCount > 0 else {
      lostByteCount += bytes.count
      return
    }
    let terminal = port.terminal
    let count = try port.attempt { () throws(Errno) in
      try bytes.withByteView { view in
        Result { () throws(Errno) in try terminal.write(view) }
      }.get()
    }
    lostByteCount += bytes.count - count
  }

  /// Waits for what happens next; returns false when it is to end.
  private func waitForEvents() throws(CommandError) -> Bool {
    for event in try port.attempt({ () throws(Errno) in try port.loop.wait() }) {
      switch event {
      case .signal(.terminate): return false
      case .ready(Token.watch, _, _, _):
        port.terminal.countReaders()
        if receiver == nil, port.terminal.readerCount > 0 { switchOn() }
      case .ready(Token.terminal, _, _, _): try hear()
      case .ready, .deadline, .signal(.reload), .clockStepped, .wokenUp: break
      }
    }
    return true
  }

  private func hear() throws(CommandError) {
    while true {
      let bytes = try port.attempt { () throws(Errno) in try port.terminal.received() }
      guard !bytes.isEmpty else { return }
      let speed = speed
      if let receiver, speed != receiver.baud, !receiver.kind.isNativeUSB { misheardCount += 1 }
      receiver?.receive(bytes, baud: speed, at: now)
    }
  }

  /// Tells what became of the receiver, in one line for each change.
  private func report() {
    guard let receiver else { return }
    let state = LiveReceiver.state(of: receiver)
    guard state != shown else { return }
    shown = state
    let tenths = Int((now - .zero).inSeconds * 10)
    port.say("\(tenths / 10).\(tenths % 10) s: \(state)")
  }
}
