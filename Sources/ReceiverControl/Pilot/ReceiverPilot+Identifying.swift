import GNSS
import GNSSWire

/// From the open port to a known receiver, and back to it when it is lost.
extension ReceiverPilot {
  mutating func opened(_ baud: Int, isProven: Bool, at now: Monotonic) -> [Command] {
    link.baud = baud
    (seekRates, seekCount, seekPause) = ([], 0, Self.seekPauseMin)
    (lastHeard, lastBytes, nmeaSince, trackingSince) = (now, now, nil, nil)
    (hasSilencedNMEA, hasFix, mayNeedAid, transfer) = (false, false, true, nil)
    (health, healthDue) = (ReceiverHealth(), now)
    meter.turn(.searching, profile: profile, at: now)
    var commands = sleep.map { _ in recovered(at: now) } ?? []
    guard isProven else {
      phase = .listening
      taskTimer = now + Self.openPatience
      return commands
    }
    commands += beginIdentifying(at: now)
    return commands
  }

  mutating func closed(at now: Monotonic) -> [Command] {
    phase = .closed
    (taskTimer, sleepTimer, dutyTimer, transferTimer) = (.never, .never, .never, .never)
    (transfer, sleeping) = (nil, nil)
    degradations.remove(.silent)
    meter.turn(.off, profile: profile, at: now)
    guard let order = pendingOrder else { return [] }
    pendingOrder = nil
    return [.report(.failed(order, reason: "the receiver is gone"))]
  }

  mutating func lineFound(_ baud: Int, at now: Monotonic) -> [Command] {
    link.baud = baud
    sleep?.link.baud = baud
    switch phase {
    case .listening, .following: return beginIdentifying(at: now)
    case .closed, .identifying, .configuring, .restarting: return []
    }
  }

  mutating func lineLost(at now: Monotonic) -> [Command] {
    guard isFollowing else { return [] }
    listen(at: now)
    return []
  }

  /// Waits for the line, and asks in the silence after a while.
  mutating func listen(at now: Monotonic) {
    phase = .listening
    taskTimer = now + seekPause
    seekPause = min(seekPause * 2, Self.seekPauseMax)
  }

  mutating func beginIdentifying(at now: Monotonic) -> [Command] {
    let port = Identification.Port(
      baud: link.baud, mayAsk: setup.mayWrite, isAssigned: setup.mayWrite)
    let machine = Identification(port: port, remembered: model ?? facts?.model)
    return identify(machine, .start, at: now)
  }

  mutating func identify(
    _ machine: Identification, _ event: Identification.Event, at now: Monotonic
  ) -> [Command] {
    var machine = machine
    let steps = machine.handle(event, at: now)
    phase = .identifying(machine)
    var commands: [Command] = []
    for step in steps {
      switch step {
      case .send(let command): commands += write(command.bytes)
      case .armTimer(let instant): taskTimer = instant
      case .identified(let model, let isRemembered):
        commands += identified(model, isRemembered: isRemembered, at: now)
      case .silent: commands += heardNothing(at: now)
      }
    }
    return commands
  }

  private mutating func identified(
    _ found: ReceiverModel, isRemembered: Bool, at now: Monotonic
  ) -> [Command] {
    let isSame = model == found
    model = found
    degradations.subtract([.silent, .losesContact])
    (seekRates, seekCount, seekPause) = ([], 0, Self.seekPauseMin)
    if !isRemembered || facts == nil { facts = ReceiverFacts(model: found, baud: link.baud) }
    facts?.model = found
    facts?.baud = link.baud
    if !isSame || sleep == nil {
      link.keepsBackup = mayCutSupply
      sleep = setup.mayWrite ? SleepControl(model: found, link: link) : nil
      duty = nil
    }
    sleep?.link.baud = link.baud
    var commands = isSame ? [] : [Command.report(.identified(found, isRemembered: isRemembered))]
    if let passive = whyPassive(found) { return commands + followPassively(passive, at: now) }
    if duty == nil {
      duty = DutyCycle(power: power, fixTimes: facts?.fixTimes ?? FixTimes())
      if supply != .battery { _ = duty?.handle(.supply(supply), at: now) }
    }
    let isFirst = facts?.found == nil
    commands += beginConfiguring(isFirst ? .first : .again, at: now)
    return commands
  }

  private func whyPassive(_ found: ReceiverModel) -> Passive? {
    if !setup.mayWrite { return .byConfiguration }
    if isRestored { return .restored }
    if !configures { return .notAsked }
    if sleep?.method == .cutSupply { return nil }
    if found.traits.contains(.readOnly) { return .answersNothing }
    return found.ping == nil ? .unknownFamily : nil
  }

  private mutating func followPassively(_ passive: Passive, at now: Monotonic) -> [Command] {
    phase = .following
    duty = nil
    (taskTimer, sleepTimer, dutyTimer) = (.never, .never, .never)
    let commands = remember() + [Command.report(.passive(passive))]
    return pendingOrder == nil ? commands : commands + carryOut(at: now)
  }

  /// The profile of what was identified.
  package var profile: ReceiverProfile? {
    model.flatMap { model in setup.profiles.first { $0.matches(model) } }
  }

  /// What the duty cycle reckons with; without a profile, figures of no receiver in particular.
  private var power: ReceiverPower {
    var power =
      profile?.power
      ?? ReceiverPower(
        acquisition: 25, tracking: 20, cyclic: nil, shortestInterval: .seconds(1), canSleep: true)
    power.canSleep = sleep?.method != nil
    return power
  }

  mutating func remember() -> [Command] {
    guard setup.mayWrite, var facts else { return [] }
    if let duty { facts.fixTimes = duty.fixTimes }
    facts.baud = link.baud
    self.facts = facts
    return [.remember(facts)]
  }

  // MARK: A silent receiver

  /// The time to listen is over: where nothing came at all, the receiver may be asleep.
  mutating func seekWhereSilent(at now: Monotonic) -> [Command] {
    // Noise is for those who seek the rate.
    guard setup.mayWrite, now - lastBytes >= Self.silence else {
      taskTimer = now + Self.silence
      return []
    }
    return seek(at: now)
  }

  /// Rouses whatever is there, and asks at each rate that it may have.
  mutating func seek(at now: Monotonic) -> [Command] {
    let known = model ?? facts?.model
    let first = [link.baud, facts?.baud ?? link.baud]
    let others = known.map { $0.defaultBaudRates } ?? [9600, 38_400, 115_200]
    // It may have obeyed an order to change the rate and been cut off before it said so.
    let tried = facts?.badBauds.sorted() ?? []
    var rates: [Int] = []
    for rate in link.hasBaud && !setup.hasFixedBaud ? first + others + tried : [link.baud]
    where !rates.contains(rate) {
      rates.append(rate)
    }
    seekRates = Array(rates.dropFirst())
    seekCount += 1
    (hasFix, mayNeedAid) = (false, true)
    (transfer, transferTimer, sleepTimer, dutyTimer) = (nil, .never, .never, .never)
    var commands = recovered(at: now)
    if link.canCutSupply { commands.append(.setSupply(true)) }
    if link.wakePin != nil { commands.append(.pulseWakePin(SleepControl.pinPulse)) }
    commands += write([0xff])
    commands.append(.holdLineLow(SleepControl.lowTime))
    return commands + beginIdentifying(at: now)
  }

  private mutating func heardNothing(at now: Monotonic) -> [Command] {
    guard let rate = seekRates.first else {
      let commands = seekCount > 0 ? degrade(.silent) : []
      let isFirst = seekCount == 0 && setup.mayWrite
      listen(at: now)
      if isFirst { taskTimer = now + Self.pauseBeforeSeeking }
      return commands + [.hunt]
    }
    seekRates.removeFirst()
    link.baud = rate
    return [.setSpeed(rate)] + beginIdentifying(at: now)
  }

  /// Between the first silence and the first search.
  private static var pauseBeforeSeeking: Duration { .seconds(2) }

  /// The receiver counts as awake again; the duty cycle hears of it when it answers.
  mutating func recovered(at now: Monotonic) -> [Command] {
    sleeping = nil
    _ = sleep?.handle(.reattached, at: now)
    sleepTimer = .never
    return []
  }
}
