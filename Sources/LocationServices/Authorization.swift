import GNSS

/// Who a client is, as the kernel says; only the client's name is its own word.
package struct Credentials: Equatable, Sendable {
  package var userID: UInt32
  package var userName: String?
  package var groups: [String]
  package var clientName: String?
  /// Whether it speaks the gpsd protocol: such clients have a default of their own, and are served
  /// from the receiver itself.
  package var isGPSD = false

  package init(
    userID: UInt32, userName: String? = nil, groups: [String] = [], clientName: String? = nil
  ) {
    (self.userID, self.userName) = (userID, userName)
    (self.groups, self.clientName) = (groups, clientName)
  }

  /// The daemon itself, for the sessions of its configuration.
  package static let system = Credentials(userID: 0, userName: "root", clientName: "binnacle")

  /// Root answers requests and changes grants.
  package var isAdministrator: Bool { userID == 0 }

  /// `map (pi)`
  package var text: String {
    let user = userName ?? "user \(userID)"
    return clientName.map { "\($0) (\(user))" } ?? user
  }

  var owner: Owner { Owner(userID: userID, clientName: clientName ?? "") }
}

/// Whose a standing session, a monitor or a temporary right is.
package struct Owner: Hashable, Sendable {
  package var userID: UInt32
  /// Empty for a client that gave no name.
  package var clientName: String

  package init(userID: UInt32, clientName: String) {
    (self.userID, self.clientName) = (userID, clientName)
  }
}

/// Raw values are those of `CLAuthorizationStatus`.
package enum AuthorizationStatus: Int, Sendable {
  case notDetermined = 0
  case restricted = 1
  case denied = 2
  case authorizedAlways = 3
  case authorizedWhenInUse = 4
}

/// What a client may do at the moment.
package struct Authorization: Equatable, Sendable {
  package var status: AuthorizationStatus
  package var isReduced: Bool
  /// Denied because location is off for the whole system.
  package var isGloballyOff = false
  /// Whether it may ask for full accuracy for a time, without an administrator.
  package var mayAskFullAccuracy = false
  /// Until when full accuracy was granted in place of reduced.
  package var fullAccuracyUntil: Monotonic?

  package var isAuthorized: Bool {
    status == .authorizedAlways || status == .authorizedWhenInUse
  }

  /// Why a request is refused; `nil` if it is not.
  package var refusal: LocationError? {
    switch status {
    case .authorizedAlways, .authorizedWhenInUse: nil
    case .notDetermined:
      LocationError(
        .promptDeclined, cause: "nobody has decided on this client yet",
        nextStep: "an administrator answers with 'binnacle grant'")
    case .restricted:
      LocationError(
        .denied, cause: "the policy restricts this client",
        nextStep: "only a change of the policy file can allow it")
    case .denied where isGloballyOff:
      LocationError(
        .denied, cause: "location is off for the whole system",
        nextStep: "an administrator switches it on with 'binnacle policy on'")
    case .denied: LocationError(.denied, cause: "the policy denies this client")
    }
  }
}

/// Full accuracy for a stated purpose and a bounded time.
package struct TemporaryRight: Equatable, Sendable {
  package var purpose: String
  package var end: Monotonic
}

/// The policy file, what administrators granted and revoked since, and rights on time.
package struct Authorizations: Sendable {
  package var policy: Policy
  /// Set by `grant` and `revoke`; over the file's rules, except `restrict`.
  package internal(set) var grants: [Subject: Verdict] = [:]
  /// Set by an administrator; over the file's switch.
  package internal(set) var isEnabled: Bool?
  package internal(set) var temporaryRights: [Owner: TemporaryRight] = [:]

  /// Full accuracy is never granted for longer.
  package static let temporarySpanMax = Duration.seconds(3600)
  /// Bytes of UTF-8 in a purpose.
  package static let purposeByteCountMax = 256
  package static let grantCountMax = 10_000

  package init(policy: Policy) { self.policy = policy }

  package func authorization(for client: Credentials, at now: Now) -> Authorization {
    guard isEnabled ?? policy.isEnabled else {
      return Authorization(status: .denied, isReduced: false, isGloballyOff: true)
    }
    if client.isAdministrator {
      return Authorization(status: .authorizedAlways, isReduced: false)
    }
    let ruled =
      Self.verdict(in: policy.rules, for: client)
      ?? (client.isGPSD ? policy.gpsdFallback ?? policy.fallback : policy.fallback)
    let verdict =
      ruled.access == .restrict ? ruled : Self.verdict(in: grants, for: client) ?? ruled
    var result = Authorization(
      status: Self.status(verdict.access), isReduced: verdict.isReduced,
      mayAskFullAccuracy: verdict.mayAskFullAccuracy)
    if result.isReduced, let right = temporaryRights[client.owner], right.end > now.boottime {
      result.isReduced = false
      result.fullAccuracyUntil = right.end
    }
    return result
  }

  /// The client's rule goes before the user's, and that before the groups'; of several groups' the
  /// strictest holds.
  private static func verdict(in rules: [Subject: Verdict], for client: Credentials) -> Verdict? {
    if let name = client.clientName, let verdict = rules[.client(name)] { return verdict }
    if let name = client.userName, let verdict = rules[.user(name)] { return verdict }
    if let verdict = rules[.user("\(client.userID)")] { return verdict }
    return client.groups.compactMap { rules[.group($0)] }.min {
      ($0.access.rawValue, $0.isReduced ? 0 : 1) < ($1.access.rawValue, $1.isReduced ? 0 : 1)
    }
  }

  private static func status(_ access: Verdict.Access) -> AuthorizationStatus {
    switch access {
    case .restrict: .restricted
    case .deny: .denied
    case .ask: .notDetermined
    case .allow: .authorizedWhenInUse
    case .always: .authorizedAlways
    }
  }

  /// When the next right ends.
  var nextEnd: Monotonic {
    // Asked at each fix, when there hardly ever is one.
    guard !temporaryRights.isEmpty else { return .never }
    return temporaryRights.values.lazy.map(\.end).min() ?? .never
  }

  /// Drops the rights that have ended.
  /// - Returns: Whose they were.
  mutating func expire(at now: Now) -> [(Owner, TemporaryRight)] {
    let ended = temporaryRights.filter { $0.value.end <= now.boottime }
    for owner in ended.keys { temporaryRights[owner] = nil }
    return ended.sorted { ($0.key.userID, $0.key.clientName) < ($1.key.userID, $1.key.clientName) }
      .map { ($0.key, $0.value) }
  }
}

/// A change of who may know the location, or an attempt at one: for the audit trail.
package struct AuditEvent: Equatable, Sendable {
  package enum Kind: String, Sendable {
    case policyLoaded
    case granted
    case revoked
    case switchedOn
    case switchedOff
    case fullAccuracyAsked
    case fullAccuracyGranted
    case fullAccuracyEnded
    /// Somebody tried to change something who may not.
    case attemptRefused
  }

  package var kind: Kind
  /// Who did it.
  package var actor: String
  /// Whom it concerns, and what exactly.
  package var detail: String
  package var time: UTCTime?
}
