import GNSS
import GNSSWire

/// A known receiver at work: the duty cycle and the sleep control.
extension ReceiverPilot {
  /// Lets the demand rule again.
  mutating func follow(at now: Monotonic) -> [Command] {
    phase = .following
    lastHeard = max(lastHeard, now)
    armSilence(at: now)
    if pendingOrder != nil {
      let commands = carryOut(at: now)
      if !isFollowing { return commands }
    }
    guard duty != nil else { return [] }
    let commands = steer(.demand(demand), at: now)
    guard isFollowing, isAwake else { return commands }
    return commands + steer(.awake, at: now)
  }

  /// Gives the duty cycle an event and does what it says.
  mutating func steer(_ event: DutyCycle.Event, at now: Monotonic) -> [Command] {
    var commands: [Command] = []
    for step in duty?.handle(event, at: now) ?? [] {
      switch step {
      case .armTimer(let instant): dutyTimer = instant
      case .noFix(let next): commands.append(.report(.noFix(next: next)))
      case .wake: commands += control(.wake, at: now)
      case .sleep(let span):
        if !isFollowing { (phase, taskTimer) = (.following, .never) }
        if isAwake { commands.append(.report(.fallingAsleep)) }
        commands += control(.sleep(for: span), at: now)
      case .run(let next):
        guard next != running else { break }
        running = next
        if isFollowing, isAwake, !isPreparing { commands += beginConfiguring(.pace, at: now) }
      }
    }
    return commands
  }

  /// Gives the sleep control an event and does what it says.
  mutating func control(_ event: SleepControl.Event, at now: Monotonic) -> [Command] {
    var commands: [Command] = []
    if case .sleep = event {
      (transfer, transferTimer, taskTimer) = (nil, .never, .never)
      (nmeaSince, trackingSince) = (nil, nil)
    }
    for step in sleep?.handle(event, at: now) ?? [] { commands += perform(step, at: now) }
    return commands
  }

  mutating func sleepTimerFired(at now: Monotonic) -> [Command] {
    sleepTimer = .never
    return control(.timerFired, at: now)
  }

  private mutating func perform(_ step: SleepControl.Command, at now: Monotonic) -> [Command] {
    switch step {
    case .send(let command):
      // From here on, not only once it is seen to sleep: the port may go in between.
      if command == .ubxStop || command == Airoha.powerOff { mayBeStopped = true }
      return write(command.bytes)
    case .sendWakeByte: return write([0xff])
    case .holdLineLow(let span): return [.holdLineLow(span)]
    case .pulseWakePin(let span): return [.pulseWakePin(span)]
    case .setSupply(let isOn): return [.setSupply(isOn)]
    case .dropInput: return [.dropInput]
    case .setBaud(let rate):
      link.baud = rate
      return [.setSpeed(rate)]
    case .armTimer(let instant):
      sleepTimer = instant
      return []
    case .asleep(let method): return fellAsleep(method, at: now)
    case .awake(let awakening): return woke(awakening, at: now)
    case .degraded:
      meter.turn(.tracking, profile: profile, at: now)
      lastHeard = now
      armSilence(at: now)
      return degrade(.cannotSleep) + steer(.sleepFailed, at: now)
    case .unresponsive: return degrade(.doesNotWake)
    case .lost: return seek(at: now)
    }
  }

  private mutating func fellAsleep(_ method: SleepMethod, at now: Monotonic) -> [Command] {
    let until = sleep?.due ?? .never
    (sleeping, hasFix) = ((method, now, until), false)
    sleepTimer = sleep?.deadline ?? .never
    meter.turn(.asleep(method), profile: profile, at: now)
    return [.report(.asleep(method, for: until - now))] + steer(.asleep, at: now)
  }

  private mutating func woke(
    _ awakening: SleepControl.Awakening, at now: Monotonic
  ) -> [Command] {
    let wasAsleep = sleeping != nil
    if sleeping?.method == .cutSupply, !isBackupProven { backupTrial.begin(at: now) }
    (sleeping, sleepTimer) = (nil, .never)
    (lastHeard, lastAwake, hasFix) = (now, now, false)
    // A word that came unasked does not tell that it navigates.
    mayBeStopped = mayBeStopped && awakening.isSelf
    link.baud = awakening.baud
    meter.turn(.searching, profile: profile, at: now)
    var commands: [Command] = wasAsleep ? [.report(.awake(isSelf: awakening.isSelf))] : []
    if awakening.isSelf { commands += degrade(.wakesItself) }
    if pendingOrder != nil { return commands + carryOut(at: now) }
    // Where the settings are gone, the plan that brings them back has the pace in it.
    isPreparing = awakening.needsConfiguration
    armSilence(at: now)
    commands += steer(.demand(demand), at: now) + steer(.awake, at: now)
    isPreparing = false
    guard awakening.needsConfiguration, isFollowing, isAwake else { return commands }
    return commands + configureAgain(at: now)
  }

  // MARK: What comes in

  mutating func hear(_ heard: Heard, at now: Monotonic) -> [Command] {
    (lastHeard, lastBytes) = (now, now)
    health.take(heard)
    if !isFollowing { return hearBeforeFollowing(heard, at: now) }
    if !isAwake { return control(.heard(heard), at: now) }
    if !degradations.isEmpty { degradations.remove(.silent) }
    var commands = transfer == nil ? [] : advanceTransfer(.heard(heard), at: now)
    if duty != nil, isFollowing, hasStartedAgain(heard, at: now) {
      commands += startedAgain(at: now)
    }
    return commands
  }

  private mutating func hearBeforeFollowing(_ heard: Heard, at now: Monotonic) -> [Command] {
    switch phase {
    case .closed, .listening, .restarting, .following: []
    case .identifying(let machine): identify(machine, .heard(heard), at: now)
    case .configuring(let machine, let purpose):
      configure(machine, purpose, .heard(heard), at: now)
    }
  }

  /// Signs that the receiver has lost its settings.
  private mutating func hasStartedAgain(_ heard: Heard, at now: Monotonic) -> Bool {
    switch heard {
    case .sentence(let text):
      // What it says at its start, and else to no one.
      guard lastConfigured.map({ now - $0 >= Self.restartTime }) ?? false,
        now - lastAwake >= Self.lateAnswers
      else { return false }
      return ["PMTK010,001", "PMTK011,", "GPTXT,01,01,02,IC=AT"].contains { text.hasPrefix($0) }
        || text.hasPrefix("PAIR021,") && model?.family == .airoha
    case .ubxNavigation:
      nmeaSince = nil
      return false
    case .frames(.nmea) where hasSilencedNMEA:
      let since = nmeaSince ?? now
      nmeaSince = since
      return now - since >= Self.nmeaPatience
    default: return false
    }
  }

  private mutating func startedAgain(at now: Monotonic) -> [Command] {
    nmeaSince = nil
    restarts.removeAll { now - $0 > Self.restartWindow }
    guard restarts.count < Self.restartCountMax else { return degrade(.restartsOften) }
    restarts.append(now)
    (hasFix, trackingSince, mayNeedAid) = (false, nil, true)
    return [.report(.restarted)] + configureAgain(at: now)
  }

  mutating func take(_ epoch: Epoch, at now: Monotonic) -> [Command] {
    let hasPosition = epoch.fix.hasPosition
    if hasPosition { hasFix = true }
    let learned = watchBackup(epoch.fix, at: now)
    guard isFollowing || isReconfiguring, isAwake else { return learned }
    lastHeard = now
    if duty != nil {
      let state: EnergyMeter.State =
        hasPosition ? (running.isCyclic ? .cyclic : .tracking) : .searching
      if meter.state != state { meter.turn(state, profile: profile, at: now) }
    }
    trackingSince = hasPosition ? trackingSince ?? now : nil
    let commands = learned + steer(.epoch(DutyCycle.Observation(epoch)), at: now)
    guard isFollowing, isAwake else { return commands }
    return commands + saveDatabase(at: now) + askHealth(at: now)
  }

  // MARK: Silence

  /// How long an awake receiver may be silent.
  private var silenceMax: Duration { max(Self.silence, running.interval * Self.silentEpochs) }

  private mutating func armSilence(at now: Monotonic) {
    let isWatched = isAwake && duty != nil
    taskTimer = isWatched ? lastHeard + silenceMax : .never
  }

  mutating func watchSilence(at now: Monotonic) -> [Command] {
    guard isAwake, duty != nil, now - lastHeard >= silenceMax else {
      armSilence(at: now)
      return []
    }
    return seek(at: now)
  }

  // MARK: The navigation database

  private mutating func saveDatabase(at now: Monotonic) -> [Command] {
    guard transfer == nil, let trackingSince, now - trackingSince >= Self.databaseTracking,
      now >= databaseDue, let model, model.databaseOwner != nil, isFast,
      model.ublox?.generation ?? .five >= .eight
    else { return [] }
    databaseDue = now + Self.databaseInterval
    transfer = DatabaseTransfer()
    return advanceTransfer(.start, at: now)
  }

  /// Some 20 kB are on their way for less than a few seconds.
  private var isFast: Bool { !link.hasBaud || link.baud >= 38_400 }

  mutating func advanceTransfer(
    _ event: DatabaseTransfer.Event, at now: Monotonic
  ) -> [Command] {
    var commands: [Command] = []
    for step in transfer?.handle(event, at: now) ?? [] {
      switch step {
      case .send(let command): commands += write(command.bytes)
      case .armTimer(let instant): transferTimer = instant
      case .saved(let messages):
        (transfer, transferTimer) = (nil, .never)
        if !messages.isEmpty, let owner = model?.databaseOwner {
          commands.append(.keepDatabase(owner: owner, messages: messages))
        }
        commands += remember()
      case .restored: (transfer, transferTimer) = (nil, .never)
      }
    }
    return commands
  }
}

extension DutyCycle.Observation {
  /// Satellites from this strength on carry a fix.
  private static let strongSignal: UInt8 = 28

  package init(_ epoch: Epoch) {
    let fix = epoch.fix
    self.init(
      position: fix.hasPosition ? fix.position : nil, accuracy: fix.horizontalAccuracy,
      speed: fix.speed)
    guard !epoch.satellites.isEmpty || epoch.satellitesAreFresh else { return }
    var (strong, ephemerides, tells) = (0, 0, false)
    for satellite in epoch.satellites {
      if satellite.cn0 ?? 0 >= Self.strongSignal { strong += 1 }
      if let has = satellite.hasEphemeris {
        tells = true
        if has, satellite.isUsed { ephemerides += 1 }
      }
    }
    strongCount = strong
    if tells { ephemerisCount = ephemerides }
  }
}
