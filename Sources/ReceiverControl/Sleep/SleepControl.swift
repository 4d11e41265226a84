import GNSS

/// Sends the receiver to sleep and gets it back. A sleep is believed when the receiver is silent, a
/// wake-up when it speaks; what fails falls back to the next method, and at last to staying awake,
/// which is reported. While it sleeps nothing is sent and its silence is no fault.
package struct SleepControl: Sendable {
  package enum Event: Equatable, Sendable {
    case sleep(for: Duration)
    case wake
    /// Anything checked came in.
    case heard(Heard)
    case timerFired
    /// The port went away and came back, or the receiver was found again: it is awake.
    case reattached
  }

  package enum Command: Equatable, Sendable {
    case send(ReceiverCommand)
    /// Make the receiver's input fall: a byte 0xFF.
    case sendWakeByte
    /// Hold the line low for this long: for receivers that a byte is too short for.
    case holdLineLow(Duration)
    case pulseWakePin(Duration)
    case setSupply(Bool)
    /// Drop what the host has read but not decoded: it is from before.
    case dropInput
    case setBaud(Int)
    /// Fire at this instant; takes the place of the timer armed before.
    case armTimer(Monotonic)
    /// It sleeps, by this method.
    case asleep(SleepMethod)
    /// It is awake and answers.
    case awake(Awakening)
    /// It will not sleep by any method: it stays awake.
    case degraded
    /// It does not react; its own timer is to bring it back at this instant.
    case unresponsive(until: Monotonic)
    /// It does not come back: hunt its speed, or wait for it to be plugged in again.
    case lost
  }

  /// How a receiver came back.
  package struct Awakening: Equatable, Sendable {
    /// It woke before it was told to, and well before its time.
    package var isSelf = false
    /// Its settings may be gone: run the plan again, which writes only what differs.
    package var needsConfiguration = false
    package var baud: Int
  }

  enum State: Equatable, Sendable {
    case awake
    /// Nothing is sent any more; the output drains.
    case quiescing
    /// Asked to sleep, `attempt` times; watched for silence.
    case unverified(attempt: Int)
    case asleep
    case waking(attempt: Int)
    /// Only its own timer can bring it back.
    case awaitingTimer
    case lost
  }

  let model: ReceiverModel
  var link: ReceiverLink
  var state = State.awake
  var methods: [SleepMethod]
  /// Index of the method in use.
  var current = 0
  var planned = Duration.zero
  /// When the sleep ends by the receiver's own timer.
  var due = Monotonic.never
  var deadline = Monotonic.never
  /// Until then what comes in was sent before the receiver fell asleep.
  var quietFrom = Monotonic.zero
  /// The rate at which it fell asleep, and at which it came back last time.
  var sleepBaud = 0
  var wakeBaud: Int?
  /// The rates to look for the receiver at, while waking.
  var baudRates: [Int] = []
  /// Whether a byte ends a sleep that should end by the receiver's timer; `nil`: not seen yet.
  var wakesByByte: Bool?
  package private(set) var selfWakeCount = 0
  private var selfWakesOfMethod = 0

  /// The output of a sleeping receiver ends after this, at the latest.
  package static let tail = Duration.milliseconds(700)
  /// As much silence proves the sleep: more than three epochs at 1 Hz.
  package static let silence = Duration.milliseconds(3500)
  package static let quiescing = Duration.milliseconds(100)
  package static let sleepTriesMax = 3
  /// A method that let go of the receiver this often is used no more.
  package static let selfWakesMax = 3
  package static let pingPatience = Duration.milliseconds(700)
  package static let pingsMax = 3

  package init(model: ReceiverModel, link: ReceiverLink) {
    (self.model, self.link) = (model, link)
    methods = SleepMethod.candidates(for: model, link: link)
  }

  /// The method that the next sleep uses; `nil` where there is none left.
  package var method: SleepMethod? { methods.indices.contains(current) ? methods[current] : nil }
  package var isAwake: Bool { state == .awake }

  /// Uses this method no more.
  mutating func exclude(_ method: SleepMethod) {
    guard let index = methods.firstIndex(of: method) else { return }
    methods.remove(at: index)
    if index < current { current -= 1 }
  }

  package mutating func handle(_ event: Event, at now: Monotonic) -> [Command] {
    if event == .timerFired, now < deadline { return [] }
    switch (state, event) {
    case (.awake, .sleep(let span)): return beginSleep(span, at: now)
    case (.quiescing, .timerFired): return requestSleep(attempt: 1, at: now)
    case (.quiescing, .wake):
      state = .awake
      return [.awake(Awakening(baud: link.baud))]
    case (.unverified(let attempt), .heard): return heardUnverified(attempt, at: now)
    case (.unverified, .timerFired): return confirmSleep(at: now)
    case (.unverified, .wake), (.asleep, .wake), (.asleep, .timerFired):
      return beginWaking(at: now)
    case (.asleep, .heard): return method?.isSilent ?? true ? wokeItself(at: now) : []
    case (.waking, .heard(let heard)): return heardWaking(heard, at: now)
    case (.waking(let attempt), .timerFired): return continueWaking(attempt, at: now)
    case (.awaitingTimer, .heard(let heard)): return heardWaking(heard, at: now)
    case (.awaitingTimer, .timerFired):
      baudRates = otherBaudRates
      return ping(attempt: 1, at: now)
    case (_, .reattached):
      state = .awake
      deadline = .never
      return []
    case (.lost, .heard):
      state = .awake
      return [.awake(Awakening(needsConfiguration: true, baud: link.baud))]
    case (.awake, _), (.quiescing, _), (.unverified, _), (.asleep, _), (.waking, _),
      (.awaitingTimer, _), (.lost, _):
      return []
    }
  }

  mutating func arm(_ instant: Monotonic) -> [Command] {
    deadline = instant
    return [.armTimer(instant)]
  }

  private mutating func beginSleep(_ span: Duration, at now: Monotonic) -> [Command] {
    guard let method else { return [.degraded] }
    planned = min(span, method.spanMax(wakesByByte: wakesByByte ?? false))
    due = now + planned
    state = .quiescing
    return arm(now + Self.quiescing)
  }

  private mutating func requestSleep(attempt: Int, at now: Monotonic) -> [Command] {
    guard let method else { return [.degraded] }
    state = .unverified(attempt: attempt)
    let left = max(due - now, .seconds(1))
    let orders = method.commands(for: left, link: link, model: model, wakesByByte: wakesByByte)
    var commands = orders.map { Command.send($0) }
    if method == .cutSupply { commands.append(.setSupply(false)) }
    quietFrom = now + Self.tail
    return commands + arm(method.isSilent ? quietFrom + Self.silence : quietFrom)
  }

  private mutating func heardUnverified(_ attempt: Int, at now: Monotonic) -> [Command] {
    guard now >= quietFrom, method?.isSilent ?? false else { return [] }
    if attempt < Self.sleepTriesMax { return requestSleep(attempt: attempt + 1, at: now) }
    return abandonMethod(at: now)
  }

  /// The method did not work: the next one, or none.
  private mutating func abandonMethod(at now: Monotonic) -> [Command] {
    current += 1
    selfWakesOfMethod = 0
    guard method != nil else {
      state = .awake
      deadline = .never
      return [.degraded]
    }
    return requestSleep(attempt: 1, at: now)
  }

  private mutating func confirmSleep(at now: Monotonic) -> [Command] {
    guard let method else { return [.degraded] }
    state = .asleep
    return [.asleep(method)] + arm(due)
  }

  /// Bytes from a sleeping receiver. Close to its time that is its own timer, else it cannot hold
  /// the sleep.
  private mutating func wokeItself(at now: Monotonic) -> [Command] {
    let isOnTime = now + max(.seconds(3), planned / 20) >= due
    if !isOnTime {
      selfWakeCount += 1
      selfWakesOfMethod += 1
      if selfWakesOfMethod >= Self.selfWakesMax {
        current += 1
        selfWakesOfMethod = 0
      }
    }
    state = .awake
    deadline = .never
    let mayLose = method?.mayLoseSettings ?? true
    return [
      .awake(Awakening(isSelf: !isOnTime, needsConfiguration: mayLose, baud: link.baud))
    ]
  }
}
