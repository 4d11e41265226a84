import Bytes
import ControlProtocol
import GNSS
import LocationServices

// What clients may look up.
extension ServiceHost {
  /// The answer to a request that changes nothing.
  func line(
    _ request: ControlRequest, _ id: RequestID, of client: ClientID, _ credentials: Credentials,
    at now: LocationServices.Now
  ) -> [UInt8] {
    let authorization = service.authorization(for: credentials, at: now)
    switch request {
    case .authorization: return ControlLine.answer(id, authorization.members(at: now))
    case .sessions(let after):
      return ControlLine.sessions(service.sessions, after: after, for: credentials, at: now, id)
    case .monitors:
      let monitors = service.monitorDescriptions(for: credentials).map {
        JSONValue.object($0.members)
      }
      return ControlLine.answer(id, [JSONMember(name: "monitors", value: .array(monitors))])
    case .regions(let monitor, let after): return regions(monitor, after, credentials, id)
    case .record(let monitor, let identifier):
      guard let record = service.record(for: identifier, in: monitor, client: client) else {
        let problem = "the monitor '\(monitor)' of this client has no region '\(identifier)'"
        return ControlError.invalid(problem).line(id)
      }
      return ControlLine.answer(
        id, [JSONMember(name: "record", value: .object(record.members))])
    case .visit:
      if let refusal = authorization.refusal { return ControlError.refused(refusal).line(id) }
      let visit = service.currentVisit.flatMap {
        authorization.isReduced ? service.reduced($0) : $0
      }
      var members: [JSONMember] = []
      members.add("visit", visit.map { JSONValue.object($0.members) })
      return ControlLine.answer(id, members)
    case .policy(let start):
      guard credentials.isAdministrator else {
        return ControlError.notPermitted("reading the policy").line(id)
      }
      return service.authorizations.line(from: start, id)
    default: return ControlError.unknownRequest(request.name).line(id)
    }
  }

  private func regions(
    _ name: String, _ after: String, _ credentials: Credentials, _ id: RequestID
  ) -> [UInt8] {
    let monitors = service.monitorDescriptions(for: credentials).filter { $0.name == name }
    let own = monitors.first { $0.owner.userID == credentials.userID } ?? monitors.first
    guard let own else {
      return ControlError.invalid("there is no monitor '\(name)' of this user").line(id)
    }
    return ControlLine.regions(own.regions.drop { $0.identifier <= after }, id)
  }

  /// What `status` shows of the services.
  var members: [JSONMember] {
    var members: [JSONMember] = []
    switch service.state {
    case .failed(let reason):
      members.add("state", "failed")
      members.add("reason", reason)
    case let state: members.add("state", "\(state)")
    }
    members.add("sessions", service.sessions.count { $0.isActive })
    members.add("monitors", service.monitors.count)
    guard let demand = service.demand else { return members }
    members.add("tier", "\(demand.tier.name)")
    members.add("filter", demand.distanceFilter)
    members.add("activity", "\(demand.activity.name)")
    if demand.wantsFixNow { members.add("waiting", true) }
    return members
  }
}

extension Authorizations {
  /// The rules of the policy file, and what was granted and revoked since.
  fileprivate func line(from start: Int, _ id: RequestID) -> [UInt8] {
    var rules: [[JSONMember]] = [
      Self.rule(
        "location", isEnabled ?? policy.isEnabled ? "on" : "off", isGrant: isEnabled != nil),
      Self.rule("default", policy.fallback.text),
    ]
    if let verdict = policy.gpsdFallback { rules.append(Self.rule("gpsd", verdict.text)) }
    if policy.requiresSession { rules.append(Self.rule("require-session", "yes")) }
    let sorted = policy.rules.sorted { $0.key.text < $1.key.text }
    rules += sorted.map { Self.rule($0.key.text, $0.value.text) }
    let granted = grants.sorted { $0.key.text < $1.key.text }
    rules += granted.map { Self.rule($0.key.text, $0.value.text, isGrant: true) }
    return ControlLine.page(
      id, "rules", rules.dropFirst(start), valueCount: { _ in 4 }, item: { $0 })
  }

  private static func rule(
    _ subject: String, _ verdict: String, isGrant: Bool = false
  ) -> [JSONMember] {
    var members: [JSONMember] = []
    members.add("subject", subject)
    members.add("verdict", verdict)
    members.add("source", isGrant ? "administrator" : "policy")
    return members
  }
}
