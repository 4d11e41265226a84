import GNSS

/// Finds the speed of a serial line by listening. Nothing is ever written, and the framing is
/// always 8N1. Only frames whose checksum holds prove a speed; frame errors and the shape of the
/// garbage decide how soon it is left, and which one is tried next.
///
/// It begins fast: garbage from a sender that is too slow for the line tells how slow it is, from
/// one that is too fast it tells only that.
///
/// A silent line says nothing of its speed, so silence waits without a timer. A speed that stops
/// working, as when a receiver lost its settings, starts the hunt again.
package struct BaudHunt: Equatable, Sendable {
  package enum Event: Equatable, Sendable {
    case start
    case received(LineActivity)
    case timerFired
  }

  package enum Command: Equatable, Sendable {
    /// Set the line's speed in baud, drop what has come in, and begin the framing anew.
    case setSpeed(Int)
    /// Replaces the timer that was armed; `.never` disarms it.
    case armTimer(Monotonic)
    /// The speed is proven.
    case locked(baud: Int)
    /// No speed works: two passes found nothing but garbage. The hunt goes on at `until`.
    case gaveUp(until: Monotonic)
  }

  /// The best to begin with; the defaults of the receiver families (9600: u-blox to M8, M10, MTK,
  /// CASIC; 38,400: u-blox M9 and F9; 115,200: Airoha); then what users set, and rarities.
  package static let commonSpeeds = [
    115_200, 9600, 38_400, 57_600, 4800, 460_800, 230_400, 921_600, 19_200,
  ]
  /// What Linux gives a port that nobody has set: no hint of the receiver's speed.
  package static let unsetSpeed = 9600
  /// Within this after a change of speed, what comes in may be older than the change: PL2303 needs
  /// more than 100 ms. Good frames count nevertheless.
  package static let settlingTime = Duration.milliseconds(200)
  /// A pause in which a UART that joined in the middle of a byte finds the next start bit. Longer
  /// than bridges hold bytes back (FTDI: 16 ms).
  package static let pauseTime = Duration.milliseconds(50)
  /// A line that never pauses is judged after this nevertheless.
  package static let settlingTimeMax = Duration.milliseconds(1200)
  /// From the first garbage until its frame errors and its shape are judged.
  package static let judgingTime = Duration.milliseconds(100)
  /// From the first garbage until a speed is left that shows no frame errors, or none are counted:
  /// longer than the second between two epochs of most receivers.
  package static let listeningTime = Duration.milliseconds(1200)
  /// The same once one good frame came, but not yet a second.
  package static let hopefulTime = Duration.seconds(3)
  /// This much without one good frame is garbage, also where the line never pauses.
  package static let garbageByteCountMax = 2048
  package static let validFrameCountMin = 2
  package static let passCountMax = 2
  package static let restMin = Duration.seconds(30)
  package static let restMax = Duration.seconds(600)
  /// A proven speed at which only garbage came for so long is no longer right.
  package static let lossTime = Duration.seconds(5)
  package static let lossByteCountMin = 128

  private enum State: Equatable, Sendable {
    case idle
    /// Garbage does not count, until a pause after `from` or until `limit`. Needs no timer: on a
    /// silent line there is nothing to judge.
    case settling(from: Monotonic, limit: Monotonic)
    /// `since`: the first byte that counts.
    case listening(since: Monotonic)
    /// `garbageSince`: the first byte after the last good frame.
    case locked(garbageSince: Monotonic?)
    case resting(until: Monotonic)
  }

  /// In the order in which they are tried where nothing tells a better one.
  private let speeds: [Int]
  private var state = State.idle
  /// What came in since the line settled at this speed.
  private var heard = LineActivity.none
  private var lastByte = Monotonic.zero
  /// The speed that the line has.
  package private(set) var speed: Int
  private var untried: [Int]
  private var pass = 1
  private var rest = BaudHunt.restMin

  /// - Parameters:
  ///   - remembered: The speed that last worked with this receiver.
  ///   - current: The speed that the port has, which another program may have set.
  package init(remembered: Int?, current: Int) {
    var speeds: [Int] = []
    let hints = [remembered, current == Self.unsetSpeed ? nil : current].compactMap(\.self)
    for speed in hints + Self.commonSpeeds where speed > 0 && !speeds.contains(speed) {
      speeds.append(speed)
    }
    self.speeds = speeds
    speed = current
    untried = speeds
  }

  /// Watches a line whose speed is right.
  package init(proven speed: Int) {
    self.init(remembered: speed, current: speed)
    state = .locked(garbageSince: nil)
  }

  /// Whether the speed is proven.
  package var isLocked: Bool {
    if case .locked = state { true } else { false }
  }

  package mutating func handle(_ event: Event, at now: Monotonic) -> [Command] {
    switch event {
    case .start:
      (untried, pass, rest) = (speeds, 1, Self.restMin)
      // Nothing changes if the port has this speed already.
      return tune(to: speeds[0], settling: speed == speeds[0] ? .zero : Self.settlingTime, at: now)
    case .received(let activity): return receive(activity, at: now)
    case .timerFired: return takeTimer(at: now)
    }
  }

  private mutating func takeTimer(at now: Monotonic) -> [Command] {
    switch state {
    case .listening(let since): return judge(since: since, at: now)
    case .resting(let until) where now >= until:
      (untried, pass) = (speeds, 1)
      return tune(to: speeds[0], at: now)
    case .idle, .settling, .locked, .resting: return []
    }
  }

  private mutating func receive(_ activity: LineActivity, at now: Monotonic) -> [Command] {
    guard state != .idle else { return [] }
    let pause = now - lastByte
    lastByte = now
    if case .settling(let from, let limit) = state,
      now >= limit || (now >= from && pause >= Self.pauseTime)
    {
      state = .listening(since: now)
      heard.forgetGarbage()
    }
    heard.add(activity)
    if case .locked(let since) = state { return watch(activity, since: since ?? now, at: now) }
    if heard.validFrameCount >= Self.validFrameCountMin {
      (state, heard) = (.locked(garbageSince: nil), .none)
      return [.armTimer(.never), .locked(baud: speed)]
    }
    guard case .listening(let since) = state else { return [] }
    return judge(since: since, at: now)
  }

  /// Leaves the speed, or arms the timer for when to look again.
  private mutating func judge(since: Monotonic, at now: Monotonic) -> [Command] {
    let limit = since + (heard.validFrameCount > 0 ? Self.hopefulTime : Self.listeningTime)
    if now >= limit || isGarbage(after: now - since) { return next(at: now) }
    let firstLook = since + Self.judgingTime
    return [.armTimer(now < firstLook ? firstLook : limit)]
  }

  private func isGarbage(after span: Duration) -> Bool {
    guard heard.validFrameCount == 0 else { return false }
    if heard.byteCount >= Self.garbageByteCountMax { return true }
    guard span >= Self.judgingTime else { return false }
    // Nothing that a receiver sends has as few changes of level as this.
    if let ratio = heard.senderSpeedRatio, ratio <= 1.0 / 4 { return true }
    // At a wrong speed one byte in two to four has a bad stop bit; at the right one only the byte
    // that was joined half-way.
    guard let errors = heard.frameErrorCount else { return false }
    return errors > 0 && errors * 8 >= heard.byteCount
  }

  private mutating func next(at now: Monotonic) -> [Command] {
    let ratio = heard.senderSpeedRatio
    untried.removeAll { $0 == speed }
    guard untried.isEmpty else { return tune(to: bestUntried(ratio), at: now) }
    pass += 1
    guard pass > Self.passCountMax else {
      untried = speeds
      return tune(to: speeds[0], at: now)
    }
    let until = now + rest
    rest = min(rest * 2, Self.restMax)
    // The most likely speed, so that a receiver that comes to its senses is heard in the meantime.
    (speed, state, heard) = (speeds[0], .resting(until: until), .none)
    return [.setSpeed(speed), .gaveUp(until: until), .armTimer(until)]
  }

  private func bestUntried(_ ratio: Double?) -> Int {
    guard let ratio else { return untried[0] }
    guard ratio.isFinite else { return untried.first { $0 > speed } ?? untried[0] }
    let wanted = Double(speed) * ratio
    func distance(_ candidate: Int) -> Double {
      max(Double(candidate) / wanted, wanted / Double(candidate))
    }
    return untried.min { distance($0) < distance($1) } ?? untried[0]
  }

  private mutating func tune(
    to speed: Int, settling: Duration = BaudHunt.settlingTime, at now: Monotonic
  ) -> [Command] {
    state = .settling(from: now + settling, limit: now + Self.settlingTimeMax)
    (self.speed, heard, lastByte) = (speed, .none, now)
    return [.setSpeed(speed), .armTimer(.never)]
  }

  private mutating func watch(_ activity: LineActivity, since: Monotonic, at now: Monotonic)
    -> [Command]
  {
    guard activity.validFrameCount == 0 else {
      (state, heard) = (.locked(garbageSince: nil), .none)
      return []
    }
    state = .locked(garbageSince: since)
    guard now - since >= Self.lossTime, heard.byteCount >= Self.lossByteCountMin else { return [] }
    // This speed is left, and comes last.
    (untried, pass, rest) = (speeds, 1, Self.restMin)
    return next(at: now)
  }
}

extension LineActivity {
  /// Keeps the good frames alone.
  fileprivate mutating func forgetGarbage() {
    let frames = validFrameCount
    self = .none
    validFrameCount = frames
  }
}
