import GNSS

extension LocationService {
  mutating func audit(
    _ kind: AuditEvent.Kind, by actor: Credentials, _ detail: String, at now: Now
  ) {
    commands.append(
      .audit(AuditEvent(kind: kind, actor: actor.text, detail: detail, time: now.time)))
  }

  mutating func load(_ policy: Policy, at now: Now) {
    authorizations.policy = policy
    audit(
      .policyLoaded, by: .system,
      "\(policy.rules.count) rules, default \(policy.fallback.text), location "
        + (policy.isEnabled ? "on" : "off"), at: now)
    refreshAuthorizations(at: now)
  }

  /// Applies what may be now to all that is open.
  mutating func refreshAuthorizations(at now: Now) {
    for index in sessions.indices {
      let authorization = authorizations.authorization(
        for: sessions[index].credentials, at: now)
      guard authorization != sessions[index].authorization else { continue }
      sessions[index].authorization = authorization
      sessions[index].isPaused = false
    }
    storeStandingSessions()
    for index in monitors.indices { place(monitorAt: index, at: now) }
    for index in oneShots.indices.reversed() {
      let shot = oneShots[index]
      let authorization = clients[shot.client].map {
        authorizations.authorization(for: $0, at: now)
      }
      if let refusal = authorization?.refusal {
        answer(.refused(refusal), shot.request, shot.client)
        oneShots.remove(at: index)
      } else {
        oneShots[index].isReduced = authorization?.isReduced ?? true
      }
    }
    refreshDiagnostics(at: now)
  }

  /// Tells each session why it does not get what it asked for, where that changed.
  mutating func refreshDiagnostics(at now: Now) {
    for index in sessions.indices {
      var diagnostics = sessions[index].authorizationDiagnostics
      if search.isReported, sessions[index].authorization.isAuthorized {
        diagnostics.insert(.locationUnavailable)
      }
      guard diagnostics != sessions[index].diagnostics else { continue }
      sessions[index].diagnostics = diagnostics
      deliver(.diagnostics(diagnostics), toSessionAt: index)
    }
  }

  mutating func requestFullAccuracy(
    _ purpose: String, _ span: Duration, for credentials: Credentials, at now: Now
  ) -> Answer {
    guard !purpose.isEmpty, purpose.utf8.count <= Authorizations.purposeByteCountMax else {
      return .invalid("state a purpose of 1 to \(Authorizations.purposeByteCountMax) bytes")
    }
    let authorization = authorizations.authorization(for: credentials, at: now)
    if let refusal = authorization.refusal { return .refused(refusal) }
    guard authorization.isReduced else { return .done }
    guard authorization.mayAskFullAccuracy else {
      audit(.fullAccuracyAsked, by: credentials, purpose, at: now)
      return .refused(
        LocationError(
          .promptDeclined, cause: "full accuracy needs an administrator's answer",
          nextStep: "an administrator answers with 'binnacle grant'"))
    }
    grantFullAccuracy(credentials.owner, purpose, span, by: credentials, at: now)
    return .done
  }

  private mutating func grantFullAccuracy(
    _ owner: Owner, _ purpose: String, _ span: Duration, by actor: Credentials, at now: Now
  ) {
    let bounded = min(max(span, .zero), Authorizations.temporarySpanMax)
    authorizations.temporaryRights[owner] = TemporaryRight(
      purpose: purpose, end: now.boottime + bounded)
    audit(
      .fullAccuracyGranted, by: actor,
      "user \(owner.userID) \(owner.clientName), \(bounded.components.seconds) s: \(purpose)",
      at: now)
    refreshAuthorizations(at: now)
  }

  mutating func administer(
    _ change: PolicyChange, by actor: Credentials, at now: Now
  ) -> Answer {
    guard actor.isAdministrator else {
      audit(.attemptRefused, by: actor, change.text, at: now)
      return .refused(
        LocationError(
          .denied, cause: "only root changes the policy", nextStep: "run the command with sudo"))
    }
    switch change {
    case .grant(let subject, let verdict): return set(subject, verdict, by: actor, at: now)
    case .revoke(let subject): return set(subject, Verdict(.deny), by: actor, at: now)
    case .forget(let subject): return set(subject, nil, by: actor, at: now)
    case .setEnabled(let isEnabled):
      authorizations.isEnabled = isEnabled
      outbox.add(.enabled(isEnabled))
      let isOn = isEnabled ?? authorizations.policy.isEnabled
      audit(
        isOn ? .switchedOn : .switchedOff, by: actor,
        isEnabled == nil ? "as the policy file says" : "for the whole system", at: now)
      refreshAuthorizations(at: now)
    case .grantFullAccuracy(let owner, let purpose, let span):
      guard !purpose.isEmpty, purpose.utf8.count <= Authorizations.purposeByteCountMax else {
        return .invalid("state a purpose of 1 to \(Authorizations.purposeByteCountMax) bytes")
      }
      grantFullAccuracy(owner, purpose, span, by: actor, at: now)
    }
    return .done
  }

  private mutating func set(
    _ subject: Subject, _ verdict: Verdict?, by actor: Credentials, at now: Now
  ) -> Answer {
    if authorizations.policy.rules[subject]?.access == .restrict, verdict != nil {
      return .refused(
        LocationError(
          .denied, cause: "the policy file restricts \(subject.text)",
          nextStep: "change the policy file"))
    }
    guard
      authorizations.grants[subject] != nil || verdict == nil
        || authorizations.grants.count < Authorizations.grantCountMax
    else { return .invalid("there are \(Authorizations.grantCountMax) grants already") }
    authorizations.grants[subject] = verdict
    outbox.add(.grant(subject, verdict))
    let isAllowed = (verdict?.access.rawValue ?? 0) >= Verdict.Access.allow.rawValue
    audit(
      isAllowed ? .granted : .revoked, by: actor,
      "\(subject.text): \(verdict?.text ?? "as the policy file says")", at: now)
    refreshAuthorizations(at: now)
    return .done
  }
}
