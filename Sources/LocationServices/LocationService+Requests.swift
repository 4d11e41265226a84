import GNSS

extension LocationService {
  mutating func answer(_ answer: Answer, _ request: RequestID, _ client: ClientID) {
    commands.append(.answer(answer, request, client))
  }

  /// What was changed for good is on disk before that is said.
  private mutating func answerOnceKept(
    _ answer: Answer, _ request: RequestID, _ client: ClientID, at now: Now
  ) {
    guard outbox.isWriteDue(at: now.boottime) else { return self.answer(answer, request, client) }
    outbox.hold(.answer(answer, request, client))
  }

  mutating func ask(_ request: Request, _ id: RequestID, _ client: ClientID, at now: Now) {
    guard let credentials = clients[client] else {
      return answer(.invalid("the client is not connected"), id, client)
    }
    switch request {
    case .openSession(let options):
      answer(open(options, for: credentials, client, at: now), id, client)
      showMissed(to: client, at: now)
    case .closeSession(let session): answer(close(session, by: client), id, client)
    case .requestLocation(let options):
      requestLocation(options, id, client, credentials, at: now)
    case .openMonitor(let name):
      answer(openMonitor(name, for: credentials, client, at: now), id, client)
      showUnseen(of: name, to: client)
    case .closeMonitor(let name): answer(closeMonitor(name, by: client, at: now), id, client)
    case .removeMonitor(let name):
      answerOnceKept(removeMonitor(name, by: client), id, client, at: now)
    case .addRegion(let monitor, let identifier, let shape, let options):
      let record = RegionRecord(
        identifier: identifier, shape: shape, options: options, state: options.assumedState)
      answerOnceKept(add(record, to: monitor, by: client), id, client, at: now)
    case .removeRegion(let monitor, let identifier):
      answerOnceKept(remove(identifier, from: monitor, by: client), id, client, at: now)
    case .requestFullAccuracy(let purpose, let span):
      answer(requestFullAccuracy(purpose, span, for: credentials, at: now), id, client)
    case .administer(let change):
      answerOnceKept(administer(change, by: credentials, at: now), id, client, at: now)
    }
  }

  package func authorization(for credentials: Credentials, at now: Now) -> Authorization {
    authorizations.authorization(for: credentials, at: now)
  }

  // MARK: Sessions

  /// Opens a session of the daemon's own configuration, such as the logger's. Call it before the
  /// first event.
  package mutating func openSystemSession(_ options: SessionOptions, at now: Now) -> SessionID {
    append(options, .system, client: nil, isSystem: true, at: now)
  }

  private mutating func open(
    _ options: SessionOptions, for credentials: Credentials, _ client: ClientID, at now: Now
  ) -> Answer {
    if let problem = options.problem { return .invalid("the session \(problem)") }
    if options.isStanding, let index = standingIndex(credentials.owner, options.name) {
      return reopen(options, for: credentials, client, at: index, now)
    }
    guard sessions.count(where: { $0.client == client }) < Self.sessionCountPerClientMax else {
      return .invalid("\(Self.sessionCountPerClientMax) sessions are open already; close one")
    }
    guard !options.isStanding || sessions.count < Self.standingSessionCountMax else {
      return .invalid("\(Self.standingSessionCountMax) sessions stand already; close one")
    }
    if options.wantsFullAccuracy {
      _ = requestFullAccuracy(
        options.purpose, Authorizations.temporarySpanMax, for: credentials, at: now)
    }
    let id = append(options, credentials, client: client, at: now)
    storeStandingSessions()
    return .opened(id)
  }

  /// A client comes back to its standing session: it goes on if it still asks for the same.
  private mutating func reopen(
    _ options: SessionOptions, for credentials: Credentials, _ client: ClientID, at index: Int,
    _ now: Now
  ) -> Answer {
    guard sessions[index].client == nil else {
      return .invalid("the session '\(options.name)' is open already")
    }
    if sessions[index].options == options {
      sessions[index].client = client
      sessions[index].credentials = credentials
      return .opened(sessions[index].id)
    }
    sessions.remove(at: index)
    let id = append(options, credentials, client: client, at: now)
    storeStandingSessions()
    return .opened(id)
  }

  private func standingIndex(_ owner: Owner, _ name: String) -> Int? {
    sessions.firstIndex {
      $0.options.isStanding && !$0.isSystem && $0.options.name == name
        && $0.credentials.owner == owner
    }
  }

  /// Writes down what may stand and is not written down yet.
  mutating func storeStandingSessions() {
    for index in sessions.indices {
      let session = sessions[index]
      guard session.options.isStanding, !session.isSystem, !session.isStored,
        session.authorization.status == .authorizedAlways
      else { continue }
      sessions[index].isStored = true
      outbox.add(.session(session.options, session.credentials))
    }
  }

  @discardableResult
  mutating func append(
    _ options: SessionOptions, _ credentials: Credentials, client: ClientID?,
    isSystem: Bool = false, at now: Now
  ) -> SessionID {
    let id = nextSessionID
    nextSessionID += 1
    sessions.append(
      Session(
        id: id, credentials, client: client, options,
        authorizations.authorization(for: credentials, at: now), isSystem: isSystem, since: now))
    return id
  }

  /// Tells a client what its sessions missed, and how they stand.
  private mutating func showMissed(to client: ClientID, at now: Now) {
    for index in sessions.indices where sessions[index].client == client {
      if let update = sessions[index].missed {
        sessions[index].missed = nil
        commands.append(.deliver(update, .session(sessions[index].id, client)))
      }
      guard sessions[index].deliveredCount == 0, let rough = reducer.published else { continue }
      offer(reduced: rough, toSessionAt: index, at: now)
    }
    refreshDiagnostics(at: now)
  }

  private mutating func close(_ id: SessionID, by client: ClientID) -> Answer {
    guard let index = sessions.firstIndex(where: { $0.id == id && $0.client == client }) else {
      return .invalid("there is no session \(id) of this client")
    }
    let session = sessions.remove(at: index)
    if session.isStored {
      outbox.add(.sessionRemoved(session.credentials.owner, name: session.options.name))
    }
    return .done
  }

  /// What lives while its connection lives ends; the rest goes on without a client.
  mutating func disconnect(_ client: ClientID, at now: Now) {
    clients[client] = nil
    oneShots.removeAll { $0.client == client }
    sessions.removeAll { $0.client == client && !$0.isStored }
    for index in sessions.indices where sessions[index].client == client {
      sessions[index].client = nil
    }
    for index in monitors.indices where monitors[index].client == client {
      monitors[index].client = nil
      place(monitorAt: index, at: now)
    }
  }

  // MARK: One position

  private mutating func requestLocation(
    _ options: OneShot.Options, _ id: RequestID, _ client: ClientID, _ credentials: Credentials,
    at now: Now
  ) {
    let authorization = authorizations.authorization(for: credentials, at: now)
    if let refusal = authorization.refusal ?? missingSession(client, credentials) {
      return answer(.refused(refusal), id, client)
    }
    guard oneShots.count(where: { $0.client == client }) < Self.requestCountPerClientMax else {
      return answer(.invalid("\(Self.requestCountPerClientMax) requests wait already"), id, client)
    }
    if authorization.isReduced, let rough = reducer.published {
      return answer(.position(Self.update(reduced: rough)), id, client)
    }
    var shot = OneShot(options, at: now)
    if !authorization.isReduced, let lastSighting,
      let outcome = shot.offer(
        cached: lastSighting, maximumAge: options.maximumAge, at: now)
    {
      return answer(Self.answer(outcome), id, client)
    }
    oneShots.append(
      PendingOneShot(
        request: id, client: client, shot: shot, isReduced: authorization.isReduced))
  }

  mutating func offerToOneShots(_ sighting: Sighting, at now: Now) {
    for index in oneShots.indices.reversed() where !oneShots[index].isReduced {
      guard let outcome = oneShots[index].shot.offer(sighting) else { continue }
      let shot = oneShots.remove(at: index)
      answer(Self.answer(outcome), shot.request, shot.client)
    }
  }

  mutating func expireOneShots(at now: Now) {
    for index in oneShots.indices.reversed() {
      guard let outcome = oneShots[index].shot.expire(at: now) else { continue }
      let shot = oneShots.remove(at: index)
      answer(Self.answer(outcome), shot.request, shot.client)
    }
  }

  private static func answer(_ outcome: OneShot.Outcome) -> Answer {
    switch outcome {
    case .met(let fix): return .position(LocationUpdate(fix))
    case .bestSoFar(let fix):
      var update = LocationUpdate(fix)
      update.meetsTier = false
      return .position(update)
    case .nothing:
      return .refused(
        LocationError(.locationUnknown, cause: "no fix came before the time was up"))
    }
  }

  /// Why a client without session is refused, where the policy wants one.
  func missingSession(_ client: ClientID, _ credentials: Credentials) -> LocationError? {
    guard authorizations.policy.requiresSession, !credentials.isAdministrator,
      !sessions.contains(where: { $0.client == client })
    else { return nil }
    return LocationError(
      .denied, cause: "the policy requires a session (serviceSessionRequired)",
      nextStep: "open a session first")
  }
}
