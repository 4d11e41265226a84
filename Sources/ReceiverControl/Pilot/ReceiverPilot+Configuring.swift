import GNSS
import GNSSWire

/// Plans and orders.
extension ReceiverPilot {
  /// The rate that the fastest pace of the demand needs; `nil` leaves it.
  private var wantedBaud: Int? {
    guard let model, link.hasBaud, !setup.hasFixedBaud else { return nil }
    let shortest = max(profile?.power.shortestInterval ?? .seconds(1), .milliseconds(200))
    let settings = ReceiverSettings(interval: shortest)
    let rate = ConfigurationPlan.recommendedBaud(
      for: settings, model: model, current: link.baud)
    return rate.flatMap { facts?.badBauds.contains($0) ?? false ? nil : $0 }
  }

  private var settings: ReceiverSettings {
    ReceiverSettings(
      interval: running.interval, activity: demand?.activity ?? .other,
      isCyclic: running.isCyclic, baud: wantedBaud)
  }

  mutating func configureAgain(at now: Monotonic) -> [Command] {
    beginConfiguring(facts?.found == nil ? .first : .again, at: now)
  }

  mutating func beginConfiguring(_ purpose: Purpose, at now: Monotonic) -> [Command] {
    guard let model else { return seek(at: now) }
    let plan: ConfigurationPlan
    switch purpose {
    case .first, .again:
      let whole = ConfigurationPlan(
        for: settings, model: model, link: link, isFirst: purpose == .first)
      let wanted = purpose == .first ? whole : whole.withoutObservation
      plan = mayBeStopped && !hasFix ? wanted.startingNavigation(of: model) : wanted
    case .pace: plan = ConfigurationPlan(pace: settings, model: model, link: link)
    case .restore:
      plan = ConfigurationPlan(
        restoring: facts?.found ?? FoundConfiguration(), model: model, link: link)
    case .aiding: return follow(at: now)
    }
    settledRunning = running
    if purpose != .pace { hasSilencedNMEA = false }
    return run(plan, purpose, at: now)
  }

  mutating func run(
    _ plan: ConfigurationPlan, _ purpose: Purpose, at now: Monotonic
  ) -> [Command] {
    let machine = ConfigurationExecutor(
      plan, baud: link.baud, unsupported: facts?.unsupported ?? [])
    return configure(machine, purpose, .start, at: now)
  }

  mutating func configure(
    _ machine: ConfigurationExecutor, _ purpose: Purpose, _ event: ConfigurationExecutor.Event,
    at now: Monotonic
  ) -> [Command] {
    var machine = machine
    let steps = machine.handle(event, at: now)
    phase = .configuring(machine, purpose)
    var commands: [Command] = []
    for step in steps {
      switch step {
      case .send(let command): commands += write(command.bytes)
      case .setBaud(let rate):
        link.baud = rate
        commands.append(.setSpeed(rate))
      case .armTimer(let instant): taskTimer = instant
      case .finished(let report): commands += configured(report, purpose, at: now)
      }
    }
    return commands
  }

  private mutating func configured(
    _ report: ConfigurationReport, _ purpose: Purpose, at now: Monotonic
  ) -> [Command] {
    link.baud = report.baud
    sleep?.link.baud = report.baud
    facts?.unsupported.formUnion(report.unsupported)
    var commands: [Command] = []
    if let bad = report.badBaud {
      facts?.badBauds.insert(bad)
      commands += degrade(.staysSlow)
    }
    guard report.isReachable || purpose == .aiding else {
      return commands + lostContact(report, purpose, at: now)
    }
    switch purpose {
    case .first, .again:
      if purpose == .first { facts?.found = report.found }
      hasSilencedNMEA = report.lines.last { $0.name == "NMEA off" }?.outcome == .verified
      configuration = report
      (lastConfigured, mayBeStopped) = (now, false)
      if report.isComplete {
        degradations.remove(.incompletelyConfigured)
      } else {
        commands += degrade(.incompletelyConfigured)
      }
      commands += remember() + [.report(.configured(report, purpose))]
      commands += finish(.configure)
      return commands + askForAid(at: now) + catchUp(at: now)
    case .pace: return commands + follow(at: now) + catchUp(at: now)
    case .aiding:
      commands += follow(at: now)
      return isFollowing && isAwake ? commands + restoreDatabase(at: now) : commands
    case .restore:
      (isRestored, duty, configuration) = (true, nil, nil)
      commands += [.report(.configured(report, purpose))] + finish(.restore)
      commands.append(.report(.passive(.restored)))
      return commands + follow(at: now)
    }
  }

  /// The pace may have changed while it was set.
  private mutating func catchUp(at now: Monotonic) -> [Command] {
    guard isFollowing, isAwake, duty != nil, settledRunning != running else { return [] }
    return beginConfiguring(.pace, at: now)
  }

  private mutating func lostContact(
    _ report: ConfigurationReport, _ purpose: Purpose, at now: Monotonic
  ) -> [Command] {
    var commands = degrade(.losesContact)
    if let order = pendingOrder {
      pendingOrder = nil
      commands.append(.report(.failed(order, reason: "the receiver stopped answering")))
    }
    return commands + seek(at: now)
  }

  /// Ends the order, if it is this one that was given.
  private mutating func finish(_ order: Order) -> [Command] {
    switch (pendingOrder, order) {
    case (.restart(let kind)?, .configure):
      pendingOrder = nil
      return [.report(.finished(.restart(kind)))]
    case (order?, _):
      pendingOrder = nil
      return [.report(.finished(order))]
    default: return []
    }
  }

  // MARK: Aids

  private mutating func askForAid(at now: Monotonic) -> [Command] {
    phase = .following
    taskTimer = .never
    // What navigates already needs none.
    guard mayNeedAid, !hasFix else { return follow(at: now) }
    mayNeedAid = false
    return [.wantsAid] + follow(at: now)
  }

  mutating func aid(
    _ commands: [ReceiverCommand], _ database: NavigationDatabase?, at now: Monotonic
  ) -> [Command] {
    guard isFollowing, isAwake, setup.mayWrite, !isRestored else { return [] }
    pendingDatabase = database.flatMap { $0.owner == model?.databaseOwner ? $0 : nil }
    guard let model, !commands.isEmpty else { return restoreDatabase(at: now) }
    return run(ConfigurationPlan(aids: commands, for: model), .aiding, at: now)
  }

  /// Ephemerides are of no use before the time is known: they come behind it.
  private mutating func restoreDatabase(at now: Monotonic) -> [Command] {
    guard let database = pendingDatabase else { return [] }
    pendingDatabase = nil
    transfer = DatabaseTransfer(restoring: database)
    return advanceTransfer(.start, at: now)
  }

  // MARK: Orders

  mutating func take(_ order: Order, at now: Monotonic) -> [Command] {
    guard setup.mayWrite else { return [fail(order, "the configuration says 'configure = no'")] }
    if case .closed = phase { return [fail(order, "its port is not open")] }
    guard let model else { return [fail(order, "it is not identified yet; try again later")] }
    if model.traits.contains(.readOnly) { return [fail(order, Passive.answersNothing.rawValue)] }
    if case .restart(let kind) = order, ReceiverCommand.restart(kind, of: model.family) == nil {
      return [fail(order, "its family has no such command")]
    }
    if order == .restore, facts?.found == nil {
      return [fail(order, "nothing of it was changed, as far as is known")]
    }
    var commands: [Command] = []
    if let earlier = pendingOrder {
      commands.append(fail(earlier, "another order came in between"))
    }
    pendingOrder = order
    return commands + (isFollowing ? carryOut(at: now) : [])
  }

  private func fail(_ order: Order, _ reason: String) -> Command {
    .report(.failed(order, reason: reason))
  }

  /// Begins what was ordered, or wakes the receiver for it.
  mutating func carryOut(at now: Monotonic) -> [Command] {
    guard let order = pendingOrder, let model else { return [] }
    guard isAwake else { return sleep.map { _ in control(.wake, at: now) } ?? [] }
    (transfer, transferTimer) = (nil, .never)
    switch order {
    case .configure:
      if duty == nil, isRestored || !configures {
        (isRestored, configures) = (false, true)
        return beginIdentifying(at: now)
      }
      guard duty != nil else {
        pendingOrder = nil
        return [fail(order, Passive.unknownFamily.rawValue)]
      }
      return beginConfiguring(.first, at: now)
    case .restore: return beginConfiguring(.restore, at: now)
    case .restart(let kind):
      guard let command = ReceiverCommand.restart(kind, of: model.family) else { return [] }
      phase = .restarting
      taskTimer = now + Self.restartTime
      (hasFix, trackingSince, mayNeedAid) = (false, nil, false)
      if isRestored || duty == nil {
        pendingOrder = nil
        return write(command.bytes) + [.report(.finished(order))] + follow(at: now)
      }
      return write(command.bytes)
    }
  }
}

extension ReceiverCommand {
  /// A family's restart; `nil` where it has none that is safe.
  static func restart(_ kind: Restart, of family: ChipFamily) -> ReceiverCommand? {
    switch family {
    case .ublox: ubxRestart(kind)
    case .mediatek: MTK.restart(kind)
    case .airoha: Airoha.restart(kind)
    case .casic: CASIC.restart(kind)
    case .teseo: Teseo.restart(kind)
    case .quectel, .unicore, .allystar, .skytraq, .sirf, .garmin, .unknown: nil
    }
  }
}
