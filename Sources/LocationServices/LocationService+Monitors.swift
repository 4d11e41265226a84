import GNSS

extension LocationService {
  private func monitorIndex(_ name: String, of userID: UInt32) -> Int? {
    monitors.firstIndex { $0.name == name && $0.credentials.userID == userID }
  }

  private func openIndex(_ name: String, _ client: ClientID) -> Int? {
    monitors.firstIndex { $0.name == name && $0.client == client }
  }

  private static func notOpen(_ name: String) -> Answer {
    .invalid("the monitor '\(name)' is not open in this client")
  }

  mutating func openMonitor(
    _ name: String, for credentials: Credentials, _ client: ClientID, at now: Now
  ) -> Answer {
    guard !name.isEmpty, name.utf8.count <= Monitor.nameByteCountMax else {
      return .invalid("a monitor's name has 1 to \(Monitor.nameByteCountMax) bytes")
    }
    if let refusal = authorizations.authorization(for: credentials, at: now).refusal
      ?? missingSession(client, credentials)
    {
      return .refused(
        LocationError(
          .regionMonitoringDenied, cause: refusal.cause, nextStep: refusal.nextStep))
    }
    if let index = monitorIndex(name, of: credentials.userID) {
      guard monitors[index].client == nil else {
        return .refused(
          LocationError(
            .regionMonitoringFailure, cause: "the monitor '\(name)' is open in another client",
            nextStep: "close it there or choose another name"))
      }
      monitors[index].client = client
      monitors[index].credentials = credentials
      place(monitorAt: index, at: now)
      return .done
    }
    guard monitors.count < Monitor.countMax else {
      return .invalid("there are \(Monitor.countMax) monitors already; remove one")
    }
    let number = (monitors.map(\.number).max() ?? 0) + 1
    monitors.append(
      Monitor(number: number, name: name, credentials: credentials, client: client))
    place(monitorAt: monitors.count - 1, at: now)
    outbox.add(.monitor(number, name: name, credentials))
    return .done
  }

  /// Tells a client the last event of each region that had one while nobody listened.
  mutating func showUnseen(of name: String, to client: ClientID) {
    guard let index = openIndex(name, client) else { return }
    let monitor = monitors[index]
    monitors[index].unseen.removeAll()
    for identifier in monitor.unseen {
      guard let record = record(for: identifier, in: monitor) else { continue }
      let update = Update.region(
        identifier: identifier, state: record.state, time: record.changed)
      commands.append(.deliver(update, .monitor(name, client)))
    }
  }

  mutating func closeMonitor(_ name: String, by client: ClientID, at now: Now) -> Answer {
    guard let index = openIndex(name, client) else { return Self.notOpen(name) }
    monitors[index].client = nil
    place(monitorAt: index, at: now)
    return .done
  }

  mutating func removeMonitor(_ name: String, by client: ClientID) -> Answer {
    guard let index = openIndex(name, client) else { return Self.notOpen(name) }
    let number = monitors.remove(at: index).number
    regions.removeAll(of: number)
    reducedRegions.removeAll(of: number)
    outbox.add(.monitorRemoved(number))
    return .done
  }

  mutating func add(_ record: RegionRecord, to name: String, by client: ClientID) -> Answer {
    guard let index = openIndex(name, client) else { return Self.notOpen(name) }
    if monitors[index].placement == .reduced,
      record.shape.reach < ReducedAccuracy.regionRadiusMin
    {
      return .refused(
        LocationError(
          .regionMonitoringDenied,
          cause: "with reduced accuracy no region below 10 km is monitored (accuracyLimited)",
          nextStep: "make it larger, or ask for full accuracy"))
    }
    do {
      try record.shape.validate()
      drop(record.identifier, fromMonitorAt: index)
      try insert(record, intoMonitorAt: index)
    } catch {
      return .refused(error)
    }
    outbox.add(.region(monitors[index].number, record))
    guard record.isUnreliable else { return .done }
    return .doneWithWarning("regions below 100 m are unreliable: fixes are hardly more accurate")
  }

  mutating func remove(_ identifier: String, from name: String, by client: ClientID) -> Answer {
    guard let index = openIndex(name, client) else { return Self.notOpen(name) }
    guard record(for: identifier, in: monitors[index]) != nil else {
      return .invalid("the monitor '\(name)' has no region '\(identifier)'")
    }
    drop(identifier, fromMonitorAt: index)
    outbox.add(.regionRemoved(monitors[index].number, identifier: identifier))
    return .done
  }

  mutating func drop(_ identifier: String, fromMonitorAt index: Int) {
    regions.remove(identifier, from: monitors[index].number)
    reducedRegions.remove(identifier, from: monitors[index].number)
    monitors[index].parked.removeAll { $0.identifier == identifier }
    monitors[index].unseen.removeAll { $0 == identifier }
  }

  /// Puts a region where the monitor's are watched.
  mutating func insert(
    _ record: RegionRecord, intoMonitorAt index: Int
  ) throws(LocationError) {
    let number = monitors[index].number
    let isTooSmall = record.shape.reach < ReducedAccuracy.regionRadiusMin
    switch monitors[index].placement {
    case .exact: try regions.add(record, to: number)
    case .reduced where !isTooSmall: try reducedRegions.add(record, to: number)
    case .reduced, .parked:
      guard monitors[index].parked.count < RegionWatch.regionCountMax else {
        throw LocationError(.regionMonitoringFailure, cause: "too many regions wait already")
      }
      monitors[index].parked.append(record)
    }
  }

  /// Moves a monitor's regions to where its owner's authorization wants them now.
  mutating func place(monitorAt index: Int, at now: Now) {
    let monitor = monitors[index]
    let authorization = authorizations.authorization(for: monitor.credentials, at: now)
    let isLive = monitor.client != nil || authorization.status == .authorizedAlways
    let placement: Monitor.Placement =
      !authorization.isAuthorized || !isLive
      ? .parked : authorization.isReduced ? .reduced : .exact
    guard placement != monitor.placement else { return }
    let records = self.records(of: monitor)
    regions.removeAll(of: monitor.number)
    reducedRegions.removeAll(of: monitor.number)
    monitors[index].parked.removeAll()
    monitors[index].placement = placement
    for record in records {
      // They were all accepted before, and there are no more of them now.
      try? insert(record, intoMonitorAt: index)
    }
  }

  private func records(of monitor: Monitor) -> [RegionRecord] {
    let records =
      regions.records(of: monitor.number) + reducedRegions.records(of: monitor.number)
      + monitor.parked
    return records.sorted { $0.identifier < $1.identifier }
  }

  private func record(for identifier: String, in monitor: Monitor) -> RegionRecord? {
    regions.record(for: identifier, in: monitor.number)
      ?? reducedRegions.record(for: identifier, in: monitor.number)
      ?? monitor.parked.first { $0.identifier == identifier }
  }

  /// Core Location's `record(for:)`. For a client without the monitor open: `nil`.
  package func record(
    for identifier: String, in name: String, client: ClientID
  ) -> RegionRecord? {
    openIndex(name, client).flatMap { record(for: identifier, in: monitors[$0]) }
  }

  /// The monitors that a user may see, with their regions: an administrator all, others their own.
  package func monitorDescriptions(for credentials: Credentials) -> [MonitorDescription] {
    monitors
      .filter { credentials.isAdministrator || $0.credentials.userID == credentials.userID }
      .map {
        MonitorDescription(
          name: $0.name, owner: $0.credentials, isOpen: $0.client != nil, regions: records(of: $0))
      }
  }
}
