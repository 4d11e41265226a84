import GNSS

/// Waking: an edge, a while, and questions until one is answered; then other rates, as a receiver
/// that lost its settings speaks at its first rate again.
extension SleepControl {
  /// Long enough for receivers that need their input low for a millisecond.
  static let lowTime = Duration.milliseconds(5)
  static let pinPulse = Duration.milliseconds(20)
  /// How much longer than its time a receiver that only its timer wakes may take.
  static let timerSlack = Duration.seconds(8)

  var otherBaudRates: [Int] {
    guard link.hasBaud else { return [] }
    var rates: [Int] = []
    for rate in [sleepBaud] + model.defaultBaudRates
    where rate > 0 && rate != link.baud && !rates.contains(rate) {
      rates.append(rate)
    }
    return rates
  }

  mutating func beginWaking(at now: Monotonic) -> [Command] {
    guard let method else {
      state = .awake
      return [.awake(Awakening(baud: link.baud))]
    }
    sleepBaud = link.baud
    state = .waking(attempt: 0)
    let commands: [Command] = [.dropInput] + rouse(by: method, attempt: 0) + expectBaud()
    baudRates = otherBaudRates
    return commands + arm(now + method.wakeTime)
  }

  /// What came back at another rate the last time will do so again: its settings are gone.
  private mutating func expectBaud() -> [Command] {
    guard let wakeBaud, link.hasBaud, wakeBaud != link.baud else { return [] }
    link.baud = wakeBaud
    return [.setBaud(wakeBaud)]
  }

  private var ratesTried: Bool { link.baud != sleepBaud }

  private mutating func awaitTimer() -> [Command] {
    state = .awaitingTimer
    return arm(due + Self.timerSlack)
  }

  private func rouse(by method: SleepMethod, attempt: Int) -> [Command] {
    switch method.wakesBy {
    // A byte at 9600 baud is low for 104 us at most; what needs longer gets a break.
    case .edge, .timer: attempt == 0 ? [.sendWakeByte] : [.holdLineLow(Self.lowTime)]
    case .command(let command): [.send(command)]
    case .supply: [.setSupply(true)]
    case .pin: [.pulseWakePin(Self.pinPulse)]
    }
  }

  mutating func ping(attempt: Int, at now: Monotonic) -> [Command] {
    state = .waking(attempt: attempt)
    guard let ping = model.ping else { return arm(now + Self.silence) }
    return [.send(ping)] + arm(now + max(Self.pingPatience, Exchange.patience(atBaud: link.baud)))
  }

  /// Nobody answered so far.
  mutating func continueWaking(_ attempt: Int, at now: Monotonic) -> [Command] {
    guard let method else { return [.lost] }
    if attempt == 0 { return ping(attempt: 1, at: now) }
    if method.wakesBy == .timer, now < due + Self.timerSlack { return awaitTimer() }
    if attempt < Self.pingsMax {
      let roused = rouse(by: method, attempt: attempt)
      return roused + ping(attempt: attempt + 1, at: now)
    }
    if let rate = baudRates.first {
      baudRates.removeFirst()
      link.baud = rate
      return [.setBaud(rate)] + rouse(by: method, attempt: attempt) + ping(attempt: 1, at: now)
    }
    if method.hasTimer, now < due + Self.timerSlack {
      // It slept through all that should have woken it: the rate is still the one it had.
      let back: [Command] = ratesTried ? [.setBaud(sleepBaud)] : []
      link.baud = sleepBaud
      return back + [.unresponsive(until: due)] + awaitTimer()
    }
    // The method is not to be trusted with this receiver again, should it come back.
    current += 1
    state = .lost
    deadline = .never
    return [.lost]
  }

  /// Anything that a receiver says proves that it is awake.
  mutating func heardWaking(_ heard: Heard, at now: Monotonic) -> [Command] {
    // A receiver that was only stopped speaks all the time; its answer is what counts.
    if let method, !method.isSilent, model.ping?.verdict(of: heard) != .accepted { return [] }
    state = .awake
    deadline = .never
    wakeBaud = link.baud
    if method?.wakesBy == .timer, wakesByByte == nil {
      wakesByByte = now < due + (SleepMethod.trialMargin - Duration.seconds(1))
    }
    let mayLose = method?.mayLoseSettings ?? true
    return [.awake(Awakening(needsConfiguration: mayLose, baud: link.baud))]
  }
}
