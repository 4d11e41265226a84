import GNSS

extension LocationService {
  mutating func observe(_ fix: Fix, at now: Now) {
    guard let sighting = see(fix, at: now) else { return search.missed(at: now.boottime) }
    lastSighting = sighting
    if failure != nil { failure = nil }
    let wasReported = search.isReported
    search.fixed()
    if wasReported { refreshDiagnostics(at: now) }
    stationary.observe(sighting)
    for index in sessions.indices { offer(sighting, toSessionAt: index, at: now) }
    if !oneShots.isEmpty { offerToOneShots(sighting, at: now) }
    record(regions.observe(sighting))
    observeVisit(sighting, at: now)
    if let rough = reducer.observe(sighting) { publish(rough, at: now) }
  }

  private mutating func see(_ fix: Fix, at now: Now) -> Sighting? {
    guard var sighting = Sighting(fix, at: now) else { return nil }
    let activity = demand?.activity ?? .other
    motion.observe(&sighting, plausibleSpeed: activities[activity].plausibleSpeed)
    return sighting
  }

  private mutating func offer(_ sighting: Sighting, toSessionAt index: Int, at now: Now) {
    let isStationary = stationary.isStationary(sessions[index].options.activity)
    if let delivery = sessions[index].admit(sighting, isStationary: isStationary) {
      tell(.location(LocationUpdate(sighting, delivery)), toSessionAt: index, at: now)
    }
    if let change = sessions[index].turn(sighting) {
      tell(.heading(change), toSessionAt: index, at: now)
    }
  }

  /// Tells all with reduced accuracy, their regions too: those see no more than the clients.
  private mutating func publish(_ rough: Fix, at now: Now) {
    for index in sessions.indices {
      offer(reduced: rough, toSessionAt: index, at: now)
    }
    for shot in oneShots where shot.isReduced {
      answer(.position(Self.update(reduced: rough)), shot.request, shot.client)
    }
    oneShots.removeAll(where: \.isReduced)
    guard var sighting = Sighting(rough, at: now) else { return }
    // Cells are exact: half their width is what a middle may be off on an axis.
    sighting.place.accuracy = ReducedAccuracy.cellWidth / 2
    record(reducedRegions.observe(sighting))
  }

  mutating func offer(reduced rough: Fix, toSessionAt index: Int, at now: Now) {
    guard sessions[index].admit(reduced: rough) else { return }
    tell(.location(Self.update(reduced: rough)), toSessionAt: index, at: now)
  }

  static func update(reduced fix: Fix) -> LocationUpdate {
    var update = LocationUpdate(fix)
    update.isReduced = true
    return update
  }

  private mutating func record(_ transitions: [RegionTransition]) {
    for transition in transitions {
      guard let index = monitors.firstIndex(where: { $0.number == transition.monitor }) else {
        continue
      }
      let monitor = monitors[index]
      outbox.add(
        .region(
          monitor: monitor.name, identifier: transition.identifier, state: transition.state,
          transition.place),
        time: transition.time, monitor: monitor.number)
      guard transition.notifies else { continue }
      guard let client = monitor.client else {
        if !monitor.unseen.contains(transition.identifier) {
          monitors[index].unseen.append(transition.identifier)
        }
        continue
      }
      let update = Update.region(
        identifier: transition.identifier, state: transition.state, time: transition.time)
      outbox.hold(.deliver(update, .monitor(monitor.name, client)))
    }
  }

  private mutating func observeVisit(_ sighting: Sighting, at now: Now) {
    switch visits.observe(sighting) {
    case nil: break
    case .noted(let visit): outbox.add(.stay(visit))
    case .forgotten: outbox.add(.stay(nil))
    case .arrived(let visit):
      outbox.add(.arrival(visit), time: visit.arrival)
      tell(visit, at: now)
    case .departed(let visit):
      outbox.add(.departure(visit), time: visit.departure)
      tell(visit, at: now)
    }
  }

  private mutating func tell(_ visit: Visit, at now: Now) {
    for index in sessions.indices where sessions[index].options.services.contains(.visits) {
      let session = sessions[index]
      guard session.isActive,
        let visit = session.authorization.isReduced ? reduced(visit) : visit
      else { continue }
      sessions[index].count(.visit(visit), at: now)
      guard let client = session.listener else { continue }
      outbox.hold(.deliver(.visit(visit), .session(session.id, client)))
    }
  }

  /// A visit for reduced accuracy: in the cell that is known to such clients anyway, at a quarter
  /// of an hour. `nil` before there is one.
  package func reduced(_ visit: Visit) -> Visit? {
    guard let rough = reducer.published, let middle = rough.position else { return nil }
    func rounded(_ time: UTCTime) -> UTCTime {
      let length = ReducedAccuracy.interval.wholeMicroseconds
      return UTCTime(microseconds: time.microseconds / length * length)
    }
    return Visit(
      coordinate: middle, horizontalAccuracy: ReducedAccuracy.accuracy,
      arrival: rounded(visit.arrival), departure: visit.departure.map(rounded))
  }

  /// Delivers an update that counts. It is large, and only made where somebody wants it.
  private mutating func tell(
    _ update: @autoclosure () -> Update, toSessionAt index: Int, at now: Now
  ) {
    sessions[index].count(update(), at: now)
    deliver(update(), toSessionAt: index)
  }

  mutating func deliver(_ update: @autoclosure () -> Update, toSessionAt index: Int) {
    guard let client = sessions[index].listener else { return }
    commands.append(.deliver(update(), .session(sessions[index].id, client)))
  }
}
