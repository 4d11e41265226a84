import GNSS

/// What outlives a restart.
extension LocationService {
  /// Goes on where the state file ends. Call `start` next.
  /// - Parameters:
  ///   - entries: What `StateJournal.read` found.
  ///   - loggedThrough: The highest sequence number of an event that the log holds; 0 if none.
  package init(
    policy: Policy, activities: ActivityTable = ActivityTable(), restoring entries: [StateEntry],
    loggedThrough: UInt64
  ) {
    self.init(policy: policy, activities: activities)
    for entry in entries { restore(entry) }
    outbox.restore(loggedThrough: loggedThrough)
  }

  /// The first commands: the state file written anew, and what the log does not hold yet.
  package mutating func start(at now: Now) -> [Command] {
    for index in sessions.indices {
      sessions[index].authorization = authorizations.authorization(
        for: sessions[index].credentials, at: now)
    }
    load(authorizations.policy, at: now)
    for (event, _) in outbox.unlogged { outbox.hold(.log(event)) }
    outbox.add(.logged(through: outbox.loggedThrough))
    return finish(at: now)
  }

  private mutating func restore(_ entry: StateEntry) {
    switch entry {
    case .monitor(let number, let name, let credentials):
      monitors.removeAll { $0.number == number }
      monitors.append(Monitor(number: number, name: name, credentials: credentials))
    case .monitorRemoved(let number):
      monitors.removeAll { $0.number == number }
      regions.removeAll(of: number)
    case .region(let number, let record):
      // What was accepted when it was written is accepted now; else it is left out.
      try? regions.add(record, to: number)
    case .regionRemoved(let number, let identifier):
      regions.remove(identifier, from: number)
    case .event(let event, let number): restore(event, number)
    case .logged(let sequence): outbox.restore(loggedThrough: sequence)
    case .stay(let visit):
      visits = visit.map { VisitWatch(restored: $0, isArrived: false) } ?? VisitWatch()
    case .visiting(let visit): visits = VisitWatch(restored: visit, isArrived: true)
    case .session(let options, let credentials):
      restoreRemoval(of: credentials.owner, options.name)
      append(options, credentials, client: nil, at: Now(boottime: .zero))
      sessions[sessions.count - 1].isStored = true
    case .sessionRemoved(let owner, let name): restoreRemoval(of: owner, name)
    case .grant(let subject, let verdict): authorizations.grants[subject] = verdict
    case .enabled(let isEnabled): authorizations.isEnabled = isEnabled
    }
  }

  private mutating func restoreRemoval(of owner: Owner, _ name: String) {
    sessions.removeAll { $0.credentials.owner == owner && $0.options.name == name }
  }

  private mutating func restore(_ event: ServiceEvent, _ number: MonitorNumber) {
    outbox.restore(event, monitor: number)
    switch event.content {
    case .region(_, let identifier, let state, let place):
      regions.restore(
        identifier, in: number, state: state, changed: event.time, anchor: place)
    case .arrival(let visit): visits = VisitWatch(restored: visit, isArrived: true)
    case .departure: visits = VisitWatch()
    }
  }

  /// The whole state as entries, for a file written anew.
  func snapshot() -> [StateEntry] {
    var entries: [StateEntry] = []
    for monitor in monitors {
      entries.append(.monitor(monitor.number, name: monitor.name, monitor.credentials))
      let records =
        regions.records(of: monitor.number) + reducedRegions.records(of: monitor.number)
        + monitor.parked
      entries += records.map { .region(monitor.number, $0) }
    }
    entries.append(.logged(through: outbox.loggedThrough))
    entries += outbox.unlogged.map { .event($0.event, monitor: $0.monitor) }
    if let visit = visits.current { entries.append(.visiting(visit)) }
    if let stay = visits.noted { entries.append(.stay(stay)) }
    for session in sessions where session.isStored {
      entries.append(.session(session.options, session.credentials))
    }
    entries += authorizations.grants.sorted { $0.key.text < $1.key.text }
      .map { .grant($0.key, $0.value) }
    entries.append(.enabled(authorizations.isEnabled))
    return entries
  }
}

extension RegionWatch {
  /// Takes in a region with what is known of it.
  mutating func add(_ record: RegionRecord, to monitor: MonitorNumber) throws(LocationError) {
    try add(record.identifier, to: monitor, shape: record.shape, options: record.options)
    restore(
      record.identifier, in: monitor, state: record.state, changed: record.changed,
      anchor: record.anchor)
  }
}
