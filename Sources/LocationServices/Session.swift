import GNSS

package typealias ClientID = UInt64
package typealias SessionID = UInt64
package typealias RequestID = UInt64

/// A live session and what it has been told.
package struct Session: Sendable {
  package let id: SessionID
  package internal(set) var credentials: Credentials
  /// The connection that gets the updates; `nil` for a standing session without one.
  package internal(set) var client: ClientID?
  package let options: SessionOptions
  package let since: Now
  /// Whether it is one of the daemon's own configuration.
  package let isSystem: Bool
  /// Whether the state file holds it.
  var isStored = false
  package internal(set) var authorization: Authorization
  package internal(set) var diagnostics: Diagnostics = []
  package internal(set) var isPaused = false
  package internal(set) var deliveredCount = 0
  package internal(set) var lastDelivered: Now?
  /// The newest update that a standing session could not be told of, for lack of a client. Nobody
  /// asks for one of the daemon's own sessions.
  var missed: Update?
  private var filter: DistanceFilter
  private var significant = DistanceFilter(distance: Session.significantDistance)
  private var heading: HeadingFilter
  private var lastReduced: Coordinate?

  /// Metres that a significant change is.
  package static let significantDistance = 500.0

  init(
    id: SessionID, _ credentials: Credentials, client: ClientID?, _ options: SessionOptions,
    _ authorization: Authorization, isSystem: Bool, since: Now
  ) {
    self.isSystem = isSystem
    (self.id, self.credentials, self.client) = (id, credentials, client)
    (self.options, self.authorization, self.since) = (options, authorization, since)
    filter = DistanceFilter(distance: options.distance)
    heading = HeadingFilter(filter: options.headingFilter)
  }

  /// The tier that holds: reduced accuracy makes all of them rough.
  package var tier: Tier { authorization.isReduced ? .reduced : options.tier }

  /// Whether anything is done for it: it may know the location, and either its client is there or
  /// it may go on without.
  @inline(__always)  // else the session is copied to be asked, at each fix
  package var isActive: Bool {
    guard authorization.isAuthorized else { return false }
    guard client == nil, !isSystem else { return true }
    return isStored && authorization.status == .authorizedAlways
  }

  /// Why it gets less than it asked for, apart from what the receiver does.
  var authorizationDiagnostics: Diagnostics {
    var diagnostics: Diagnostics = []
    switch authorization.status {
    case .notDetermined: diagnostics = .authorizationRequestInProgress
    case .restricted: diagnostics = .authorizationRestricted
    case .denied where authorization.isGloballyOff: diagnostics = .authorizationDeniedGlobally
    case .denied: diagnostics = .authorizationDenied
    case .authorizedAlways: break
    case .authorizedWhenInUse where options.isStanding: diagnostics = .insufficientlyInUse
    case .authorizedWhenInUse: break
    }
    if authorization.isAuthorized, authorization.isReduced {
      diagnostics.insert(.accuracyLimited)
    }
    return diagnostics
  }

  /// Who hears its updates.
  var listener: ClientID? { credentials.isGPSD ? nil : client }

  /// How a fix is delivered.
  enum Delivery: Sendable {
    case ordinary
    /// As the last one before a pause.
    case stationary
  }

  /// Takes a fix in.
  /// - Parameter isStationary: Whether the receiver stands by the rule of the session's activity.
  /// - Returns: How it is delivered; `nil`: not at all.
  mutating func admit(_ sighting: Sighting, isStationary: Bool) -> Delivery? {
    guard isActive, !authorization.isReduced else { return nil }
    if options.services.contains(.updates) {
      return stream(sighting, isStationary: isStationary)
    }
    guard options.services.contains(.significantChanges), !sighting.isJump,
      sighting.place.accuracy <= Tier.kilometer.acceptedAccuracy, significant.admits(sighting)
    else { return nil }
    return .ordinary
  }

  private mutating func stream(_ sighting: Sighting, isStationary: Bool) -> Delivery? {
    guard sighting.place.accuracy <= tier.acceptedAccuracy else { return nil }
    if isStationary, options.pausesAutomatically {
      guard !isPaused, !sighting.isJump else { return nil }
      isPaused = true
      filter.note(sighting)
      return .stationary
    }
    if isPaused { filter.reset() }
    isPaused = false
    return filter.admits(sighting) ? .ordinary : nil
  }

  /// Takes the direction of a fix in.
  /// - Returns: What is to be told of it.
  mutating func turn(_ sighting: Sighting) -> HeadingFilter.Change? {
    guard options.services.contains(.heading), isActive, !authorization.isReduced else {
      return nil
    }
    return heading.observe(sighting.fix, time: sighting.time)
  }

  /// Takes in what all clients with reduced accuracy get.
  /// - Returns: Whether it is delivered.
  mutating func admit(reduced fix: Fix) -> Bool {
    guard isActive, authorization.isReduced,
      !options.services.isDisjoint(with: [.updates, .significantChanges]),
      options.distance == nil || fix.position != lastReduced
    else { return false }
    lastReduced = fix.position
    return true
  }

  /// Counts an update, and keeps the newest for a standing session without client.
  mutating func count(_ update: @autoclosure () -> Update, at now: Now) {
    deliveredCount += 1
    lastDelivered = now
    if client == nil, !isSystem { missed = update() }
  }
}
