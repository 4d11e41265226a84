import Bytes
import FixLog
import GNSS
import GNSSWire
import ReceiverControl

/// Our talk with one receiver, from its first appearance on: finds its speed, turns its bytes into
/// epochs, and lives on through unplugging, under whatever name the port comes back. Decides; the
/// daemon does.
package struct ReceiverSession: Sendable {
  package enum Phase: Sendable {
    /// There is no port.
    case absent
    /// The port is there but cannot be used before `until`.
    case waiting(until: Monotonic)
    /// The port is being opened.
    case opening
    /// The port is read; its speed may still be sought.
    case open
  }

  /// What is to be done.
  package enum Command: Sendable {
    case open(node: String)
    case close
    /// Set the line's speed in baud and drop what has come in.
    case setSpeed(Int)
    /// Send these bytes.
    case write([UInt8])
    /// An epoch is complete.
    case epoch(Epoch)
    case identified(ReceiverIdentity)
    case log(EventKind, [LogEvent.Field])
    case say(String)
  }

  /// The stable identity: udev path and serial number, or the path that the user gave.
  package let identity: String
  package private(set) var phase = Phase.absent
  package private(set) var node: String?
  /// Baud; `nil` where the port has no line speed or it is not known yet.
  package private(set) var baud: Int?
  package private(set) var decoder: StreamDecoder

  private var hasLineSpeed = true
  private let fixedBaud: Int?
  /// Seeks the speed, and watches it once found; `nil` where there is nothing to seek.
  private var hunt: BaudHunt?
  private var huntTimer = Monotonic.never
  private var lastCounts = (valid: UInt64(0), frameErrors: UInt32?.none)
  /// Whether a valid message was heard since the port was opened.
  private var isAttached = false
  private var openFailures = 0
  private let dates: DateSettings
  /// What the live sessions want; `nil`: nothing.
  package private(set) var demand: Demand?

  /// After a failure to open a port it is tried again after these; the last one repeats.
  private static let retryPauses: [Duration] = [1, 2, 5, 10, 30].map { .seconds($0) }

  /// - Parameter fixedBaud: The rate that the configuration gives; `nil` finds it out.
  package init(identity: String, dates: DateSettings, fixedBaud: Int?, demand: Demand?) {
    (self.identity, self.dates, self.fixedBaud) = (identity, dates, fixedBaud)
    self.demand = demand
    decoder = StreamDecoder(dates: dates)
  }

  /// When `timer(at:)` must be called; `nil` while only bytes or events can move it.
  package var deadline: Monotonic? {
    switch phase {
    case .absent, .opening: return nil
    case .waiting(let until): return until
    case .open:
      let due = min(decoder.deadline ?? .never, huntTimer)
      return due == .never ? nil : due
    }
  }

  /// What is wanted of the receiver from now on; `nil`: nothing.
  package mutating func want(_ demand: Demand?, at now: Monotonic) -> [Command] {
    self.demand = demand
    return []
  }

  // MARK: The port

  /// The port is there, under this name.
  package mutating func appeared(node: String, hasLineSpeed: Bool) -> [Command] {
    switch phase {
    case .opening, .open:
      // Told twice of the same port, as at the start; or it came back before it was seen to go.
      guard self.node != node else { return [] }
      let closing = end(reason: "moved to \(node)")
      return closing + open(node: node, hasLineSpeed: hasLineSpeed)
    case .absent, .waiting: return open(node: node, hasLineSpeed: hasLineSpeed)
    }
  }

  private mutating func open(node: String, hasLineSpeed: Bool) -> [Command] {
    (self.node, self.hasLineSpeed, openFailures) = (node, hasLineSpeed, 0)
    phase = .opening
    return [.open(node: node)]
  }

  /// The port was opened.
  /// - Parameter speed: What it is set to, in baud; `nil` for a pseudo-terminal.
  package mutating func opened(speed: Int?, at now: Monotonic) -> [Command] {
    guard case .opening = phase else { return [.close] }
    (phase, openFailures, isAttached) = (.open, 0, false)
    decoder = StreamDecoder(dates: dates)
    (hunt, huntTimer, lastCounts) = (nil, .never, (0, nil))
    guard hasLineSpeed, let speed else { return [] }
    if let fixedBaud {
      baud = fixedBaud
      return [.setSpeed(fixedBaud)]
    }
    var hunt = BaudHunt(remembered: baud, current: speed)
    let steps = hunt.handle(.start, at: now)
    self.hunt = hunt
    return take(steps)
  }

  /// The port could not be opened; it is tried again later.
  package mutating func openFailed(_ reason: String, at now: Monotonic) -> [Command] {
    guard case .opening = phase else { return [] }
    let pause = Self.retryPauses[min(openFailures, Self.retryPauses.count - 1)]
    defer { openFailures += 1 }
    phase = .waiting(until: now + pause)
    return openFailures == 0 ? [.say(reason)] : []
  }

  /// The device is gone.
  package mutating func removed() -> [Command] {
    let commands = end(reason: "unplugged")
    (phase, node) = (.absent, nil)
    return commands
  }

  /// Reading or writing told that no more bytes will come. If the device stays, it is tried again.
  package mutating func ended(_ reason: String, at now: Monotonic) -> [Command] {
    let commands = end(reason: reason)
    phase = node == nil ? .absent : .waiting(until: now + Self.retryPauses[0])
    return commands
  }

  private mutating func end(reason: String) -> [Command] {
    switch phase {
    case .absent, .waiting: return []
    case .opening, .open: break
    }
    guard isAttached else { return [.close] }
    isAttached = false
    return [
      .close, .say("\(identity): \(reason)"),
      .log(.detach, [.init(.receiver, .text(identity)), .init(.reason, .text(reason))]),
    ]
  }

  /// There is no such port yet; the daemon watches for it.
  package mutating func missing() { phase = .absent }

  // MARK: Bytes

  /// Takes in what was read.
  /// - Parameter frameErrors: The driver's count of framing errors; `nil` where it does not count.
  package mutating func receive(
    _ bytes: ByteView, frameErrors: UInt32?, at now: Monotonic
  ) -> [Command] {
    guard case .open = phase else { return [] }
    var commands: [Command] = []
    decoder.decode(bytes, at: now) { Self.take($0, into: &commands) }
    commands += attach()
    return commands + followHunt(bytes, frameErrors: frameErrors, at: now)
  }

  /// The deadline has passed.
  package mutating func timer(at now: Monotonic) -> [Command] {
    if case .waiting(let until) = phase {
      guard let node, until <= now else { return [] }
      phase = .opening
      return [.open(node: node)]
    }
    var commands: [Command] = []
    decoder.expire(at: now) { Self.take($0, into: &commands) }
    guard huntTimer <= now, var hunt else { return commands }
    huntTimer = .never
    let steps = hunt.handle(.timerFired, at: now)
    self.hunt = hunt
    return commands + take(steps)
  }

  private static func take(_ report: StreamReport, into commands: inout [Command]) {
    switch report {
    case .epoch(let epoch): commands.append(.epoch(epoch))
    case .receiver(let identity): commands.append(.identified(identity))
    case .reply: break
    }
  }

  /// Notices the first valid message.
  private mutating func attach() -> [Command] {
    guard !isAttached, decoder.counts.accepted > 0, hunt?.isLocked ?? true else { return [] }
    isAttached = true
    var fields: [LogEvent.Field] = [.init(.receiver, .text(identity))]
    if let node { fields.append(.init(.node, .text(node))) }
    if let baud { fields.append(.init(.baud, .number(Int64(baud)))) }
    let speed = baud.map { " at \($0) baud" } ?? ""
    return [
      .say("\(identity): receiving on \(node ?? "its port")\(speed)"), .log(.attach, fields),
    ]
  }

  // MARK: The line's speed

  private mutating func followHunt(
    _ bytes: ByteView, frameErrors: UInt32?, at now: Monotonic
  ) -> [Command] {
    guard var hunt else { return [] }
    let valid = decoder.counts.accepted
    let activity = LineActivity(
      byteCount: bytes.count,
      transitionCount: hunt.isLocked ? 0 : LineActivity.transitions(in: bytes),
      validFrameCount: Int(clamping: valid &- lastCounts.valid),
      frameErrorCount: frameErrors.map { Int($0 &- (lastCounts.frameErrors ?? $0)) })
    lastCounts = (valid, frameErrors)
    let steps = hunt.handle(.received(activity), at: now)
    self.hunt = hunt
    return take(steps) + attach()
  }

  private mutating func take(_ steps: [BaudHunt.Command]) -> [Command] {
    var commands: [Command] = []
    for step in steps {
      switch step {
      case .setSpeed(let rate):
        // What was half received at another speed is no part of what comes now.
        decoder = StreamDecoder(dates: dates)
        (baud, lastCounts.valid) = (rate, 0)
        commands.append(.setSpeed(rate))
      case .armTimer(let instant): huntTimer = instant
      case .locked(let rate): baud = rate
      case .gaveUp:
        commands.append(
          .say("\(identity): only noise at every speed; is it a receiver, and wired right?"))
      }
    }
    return commands
  }
}
