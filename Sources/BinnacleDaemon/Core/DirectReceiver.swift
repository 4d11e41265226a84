import Bytes
import GNSS
import LinuxIO
import ReceiverControl

/// One receiver without the daemon: the same core and the same pilot on a port that nobody else has
/// open, until an order is carried out.
package final class DirectReceiver {
  /// What is to be done.
  package enum Task: Equatable, Sendable {
    /// Find out what it is; nothing in it is changed.
    case show
    case order(ReceiverPilot.Order)
  }

  /// How it went.
  package enum Outcome: Equatable, Sendable {
    /// What `receiver show` prints.
    case done([JSONMember])
    case failed(String)
  }

  /// Longer than any plan, with every question asked three times at every rate.
  package static let patience = Duration.seconds(180)
  private static let token = EventLoop.Token(1)

  private let node: String
  private let loop: EventLoop
  private let clock = DaemonClock()
  private let memory: StateDirectory
  private var core: DaemonCore
  private var port: SerialPort?
  private var breakEnd = Monotonic.never
  private var failure: String?
  private var isDone = false
  private var hasOrdered = false

  package init(node: String, configuration: Configuration) throws(DaemonError) {
    self.node = node
    do throws(Errno) { loop = try EventLoop() } catch { throw .kernel("event loop", error) }
    memory = StateDirectory(besideLog: configuration.log.path)
    var settings = DaemonCore.Settings(
      bootTag: 0, bootID: "", version: "", buildDate: UTCTime(seconds: 0))
    settings.receivers = configuration.receivers
    settings.memories = memory.contents()
    settings.profiles = ReceiverProfile.shipped
    settings.configuresReceivers = false
    core = DaemonCore(settings, at: clock.now())
  }

  /// Opens the port, does the task and closes it.
  package func run(_ task: Task) throws(DaemonError) -> Outcome {
    let end = Clocks.monotonic() + Self.patience
    perform(core.appeared(node: node, at: clock.now()))
    while failure == nil, !isDone, Clocks.monotonic() < end {
      loop.deadline = min(min(core.deadline ?? .never, breakEnd), end)
      let events: [EventLoop.Event]
      do throws(Errno) { events = try loop.wait() } catch { throw .kernel("epoll", error) }
      for event in events { handle(event) }
      advance(task)
    }
    if let failure { return .failed(failure) }
    guard isDone else {
      return .failed("\(node): no receiver answers; 'binnacle doctor' looks for the cause")
    }
    return .done(core.members(of: 0, at: clock.now()))
  }

  private func handle(_ event: EventLoop.Event) {
    switch event {
    case .ready: read()
    case .deadline:
      if breakEnd <= Clocks.monotonic() {
        breakEnd = .never
        port?.setBreak(false)
      }
      perform(core.timer(at: clock.now()))
    case .signal(.terminate): failure = "\(node): ended before it was done"
    case .signal(.reload), .clockStepped, .wokenUp: break
    }
  }

  /// Gives the order once the receiver is known, and notices its end.
  private func advance(_ task: Task) {
    guard let pilot = core.receivers.first?.session.pilot, pilot.isSettled else { return }
    switch task {
    case .show: isDone = true
    case .order(let order):
      guard !hasOrdered else { return }
      hasOrdered = true
      perform(core.tell(.order(order), 0, at: clock.now()))
    }
  }

  private func read() {
    guard let port else { return }
    var buffer = [UInt8](repeating: 0, count: 4096)
    switch buffer.withUnsafeMutableBytes({ port.read(into: $0) }) {
    case .bytes(let count):
      let errors = port.lineErrors.map(LineErrors.init)
      perform(
        buffer.withByteView {
          core.receive(0, $0.extracting(0..<count), errors: errors, at: clock.now())
        })
    case .wouldBlock: break
    case .ended(let reason): failure = "\(node): \(reason.text)"
    }
  }

  private func perform(_ commands: [DaemonCore.Command]) {
    for command in commands {
      switch command {
      case .open: open()
      case .close: close()
      case .setSpeed(_, let baud):
        do throws(SerialPortError) { try port?.setSpeed(baud) } catch { failure = error.message }
        port?.flushInput()
      case .write(_, let bytes): _ = bytes.withByteView { port?.write($0) }
      case .dropInput: port?.flushInput()
      case .holdLineLow(_, let span):
        port?.setBreak(true)
        breakEnd = Clocks.monotonic() + span
      case .keep(let name, let bytes):
        do throws(Errno) { try memory.write(name, bytes) } catch {
          Journal.line("\(memory.path)/\(name): \(error.text); it cannot be restored later")
        }
      case .ordered(_, let failure):
        self.failure = failure.map { "\(node): \($0)" }
        isDone = failure == nil
      case .say(let text): Journal.line(text)
      // Nothing is logged or served, and no pins are configured for a port by hand.
      case .append, .publish, .serve, .answer, .pulseWakePin, .setSupply, .slept, .searchFailed:
        break
      }
    }
  }

  private func open() {
    do throws(SerialPortError) {
      let opened = try SerialPort(path: node)
      port = opened
      do throws(Errno) {
        try loop.add(opened.descriptor, token: Self.token)
      } catch {
        throw .cannotConfigure(path: node, error)
      }
      let speed = opened.isPseudoterminal ? nil : opened.speed
      perform(core.opened(0, speed: speed, at: clock.now()))
    } catch {
      failure = error.message
    }
  }

  private func close() {
    if let port { loop.remove(port.descriptor) }
    port = nil
  }
}
