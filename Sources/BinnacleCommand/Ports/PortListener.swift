import Bytes
import Diagnosis
import GNSS
import GNSSWire
import LinuxIO
import ReceiverControl

/// Listens to a port without writing a byte, to find out what is behind it.
enum PortListener {
  /// Bytes read at once.
  private static let readByteCount = 4096
  /// Enough to be sure that a receiver talks, and for its name where it says that by itself.
  private static let messageCountEnough = 20

  /// - Parameters:
  ///   - seconds: For how long at most; it ends sooner when a receiver was heard.
  ///   - baud: The only speed to try; `nil` seeks it.
  static func listen(
    to port: PortDescription, seconds: Int, baud: Int?
  ) throws(CommandError) -> Evidence.Heard {
    do throws(SerialPortError) {
      let line = try SerialPort(path: port.node)
      do throws(Errno) {
        var session = try Session(line, hasLineSpeed: port.hasLineSpeed, baud: baud)
        return try session.run(seconds: seconds)
      } catch {
        throw .cannotConfigure(path: port.node, error)
      }
    } catch {
      throw .failed(error.message)
    }
  }

  private struct Session {
    let line: SerialPort
    let loop: EventLoop
    var hunt: BaudHunt?
    var huntTimer = Monotonic.never
    var decoder = StreamDecoder(dates: DateSettings())
    var counts = Evidence.Heard()
    var isEnding = false
    var frameErrors: UInt32?
    var buffer = [UInt8](repeating: 0, count: PortListener.readByteCount)

    init(_ line: SerialPort, hasLineSpeed: Bool, baud: Int?) throws(Errno) {
      self.line = line
      loop = try EventLoop()
      try loop.add(line.descriptor, token: EventLoop.Token(0))
      frameErrors = line.lineErrors?.frame
      guard hasLineSpeed, !line.isPseudoterminal else { return }
      counts.baud = baud
      if let baud {
        try? line.setSpeed(baud)
      } else {
        hunt = BaudHunt(remembered: nil, current: line.speed)
      }
      line.flushInput()
    }

    mutating func run(seconds: Int) throws(Errno) -> Evidence.Heard {
      let (began, errors) = (Clocks.monotonic(), line.lineErrors)
      let end = began + .seconds(seconds)
      if var hunt {
        let steps = hunt.handle(.start, at: began)
        self.hunt = hunt
        take(steps)
      }
      while !isEnding, Clocks.monotonic() < end {
        loop.deadline = min(end, huntTimer)
        for event in try loop.wait() { handle(event) }
      }
      counts.seconds = Int((Clocks.monotonic() - began).components.seconds)
      if let before = errors, let after = line.lineErrors {
        counts.overrunCount = Int(after.overrun &- before.overrun)
        // While the speed is sought, errors are what it is sought by.
        counts.frameErrorCount =
          counts.isReceiver && hunt != nil ? nil : Int(after.frame &- before.frame)
      }
      return counts
    }

    private mutating func handle(_ event: EventLoop.Event) {
      switch event {
      case .ready: read()
      case .deadline:
        guard var hunt, huntTimer <= Clocks.monotonic() else { return }
        huntTimer = .never
        let steps = hunt.handle(.timerFired, at: Clocks.monotonic())
        self.hunt = hunt
        take(steps)
      case .signal: isEnding = true
      case .clockStepped, .wokenUp: break
      }
    }

    private mutating func read() {
      guard case .bytes(let count) = buffer.withUnsafeMutableBytes({ line.read(into: $0) }) else {
        isEnding = true
        return
      }
      let now = Clocks.monotonic()
      let before = decoder.counts.accepted
      let transitions = buffer.withByteView { view in
        let bytes = view.extracting(0..<count)
        decoder.decode(bytes, at: now) { _ in }
        return LineActivity.transitions(in: bytes)
      }
      counts.byteCount += count
      follow(count, transitions, valid: decoder.counts.accepted - before, at: now)
      note()
    }

    private mutating func follow(_ count: Int, _ transitions: Int, valid: UInt64, at now: Monotonic)
    {
      guard var hunt else { return }
      let errors = line.lineErrors?.frame
      let activity = LineActivity(
        byteCount: count, transitionCount: transitions, validFrameCount: Int(clamping: valid),
        frameErrorCount: errors.map { Int($0 &- (frameErrors ?? $0)) })
      frameErrors = errors
      let steps = hunt.handle(.received(activity), at: now)
      self.hunt = hunt
      take(steps)
    }

    private mutating func take(_ steps: [BaudHunt.Command]) {
      for step in steps {
        switch step {
        case .setSpeed(let baud):
          try? line.setSpeed(baud)
          line.flushInput()
          decoder = StreamDecoder(dates: DateSettings())
        case .armTimer(let instant): huntTimer = instant
        case .locked(let baud): counts.baud = baud
        case .gaveUp: isEnding = true
        }
      }
    }

    /// Takes over what the decoder knows, once the speed is proven.
    private mutating func note() {
      guard hunt?.isLocked ?? true else { return }
      let accepted = Int(clamping: decoder.counts.accepted)
      counts.messageCount = max(counts.messageCount, accepted)
      for known in WireProtocol.allCases where decoder.counts.accepted(of: known) > 0 {
        let name = "\(known.name)".uppercased()
        if !counts.protocols.contains(name) { counts.protocols.append(name) }
      }
      let identity = decoder.identity
      let family = identity.family == .unknown ? nil : "\(identity.family.name)"
      counts.name = [family, identity.model, identity.firmware].compactMap(\.self)
        .joined(separator: " ")
      if accepted >= PortListener.messageCountEnough { isEnding = true }
    }
  }
}
