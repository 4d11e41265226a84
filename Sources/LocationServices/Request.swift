import GNSS

/// What a client may ask for.
package enum Request: Equatable, Sendable {
  case openSession(SessionOptions)
  /// Ends a session; a standing one for good.
  case closeSession(SessionID)
  /// One position.
  case requestLocation(OneShot.Options)
  /// Opens a monitor, which is made where there is none of that name.
  case openMonitor(String)
  /// Lets go of it: its regions are watched on, if the policy allows that.
  case closeMonitor(String)
  /// Ends it, with its regions.
  case removeMonitor(String)
  case addRegion(monitor: String, identifier: String, RegionShape, RegionOptions)
  case removeRegion(monitor: String, identifier: String)
  case requestFullAccuracy(purpose: String, Duration)
  case administer(PolicyChange)
}

/// What an administrator may change.
package enum PolicyChange: Equatable, Sendable {
  /// Over what the policy file says, unless that restricts the subject.
  case grant(Subject, Verdict)
  case revoke(Subject)
  /// Back to what the policy file says.
  case forget(Subject)
  /// The switch for the whole system; `nil`: as the policy file says.
  case setEnabled(Bool?)
  case grantFullAccuracy(Owner, purpose: String, Duration)

  /// In words, for the audit trail.
  package var text: String {
    switch self {
    case .grant(let subject, let verdict): "grant \(subject.text): \(verdict.text)"
    case .revoke(let subject): "revoke \(subject.text)"
    case .forget(let subject): "forget \(subject.text)"
    case .setEnabled(let isEnabled):
      "location \(isEnabled.map { $0 ? "on" : "off" } ?? "as the policy file says")"
    case .grantFullAccuracy(let owner, let purpose, _):
      "full accuracy for user \(owner.userID) \(owner.clientName): \(purpose)"
    }
  }
}

/// What a request is answered with.
package enum Answer: Equatable, Sendable {
  case done
  /// Done, but this should be known.
  case doneWithWarning(String)
  case opened(SessionID)
  case position(LocationUpdate)
  case refused(LocationError)
  /// The request itself makes no sense; why, in words for people.
  case invalid(String)
}
