import GNSS
import LinuxIO
import ReceiverControl

// When ports are left unread for a while, so that one wake-up serves for many pieces.
extension Daemon {
  /// After bytes went to a receiver its answers are read as they come, for so long.
  static let answerTime = Duration.seconds(3)

  /// When a port is to be read again; `nil` while all are.
  var holdDeadline: Monotonic? {
    var earliest: Monotonic?
    for port in ports.values {
      guard let end = port.forecast.holdEnd else { continue }
      earliest = min(earliest ?? end, end)
    }
    return earliest
  }

  /// Reads what is due. What bytes are there must be known before an epoch is closed for want of
  /// any.
  func endHolds(at now: Monotonic) {
    for (slot, open) in ports {
      guard let end = open.forecast.holdEnd, end <= now else { continue }
      open.forecast.holdEnded(at: now)
      updateInterest(slot)
      read(slot)
    }
  }

  /// Bytes were read and are yet to be taken in.
  func noteRead(_ byteCount: Int, _ open: OpenPort, at now: Monotonic) {
    open.lastRead = now
    open.forecast.received(byteCount, at: now)
  }

  /// Bytes went to the receiver.
  func noteWrite(_ slot: DaemonCore.Slot) {
    ports[slot]?.answersUntil = Clocks.monotonic() + Self.answerTime
  }

  /// An epoch was closed: by bytes that were just read, or for want of any.
  func notePace(_ epoch: Epoch, _ slot: DaemonCore.Slot) {
    guard let open = ports[slot] else { return }
    if beingRead == slot {
      open.forecast.closed(epoch, at: open.lastRead)
    } else {
      open.forecast.missed()
    }
  }

  /// Leaves the port alone if what was read last says that it may be, and nobody waits for what
  /// comes before the epoch's end: an answer, or a client that gets the receiver's own bytes.
  func pace(_ slot: DaemonCore.Slot, at now: Monotonic) {
    guard let open = ports[slot] else { return }
    if open.forecast.holdEnd != nil, now < open.answersUntil || gpsd.passesBytes {
      open.forecast.missed()
    }
    if let end = open.forecast.holdEnd { core.leaveUnread(slot, until: end) }
    updateInterest(slot)
  }

  /// Has the loop tell what is wanted of the port now.
  func updateInterest(_ slot: DaemonCore.Slot) {
    guard let open = ports[slot] else { return }
    var interest: EventLoop.Interest = open.forecast.holdEnd == nil ? .readable : []
    if !open.pending.isEmpty { interest.insert(.writable) }
    guard interest != open.interest else { return }
    open.interest = interest
    try? loop.modify(open.port.descriptor, token: open.token, for: interest)
  }

  /// Whether the user prefers few wake-ups to prompt reports of this receiver.
  func savesPower(_ session: ReceiverSession) -> Bool {
    options.configuration.receivers.contains {
      $0.savesPower && ($0.name == session.identity || $0.name == session.node)
    }
  }
}
