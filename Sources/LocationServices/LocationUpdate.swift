import GNSS

/// A fix as a session is told of it.
package struct LocationUpdate: Equatable, Sendable {
  package var fix: Fix
  /// The receiver stands still, and the stream pauses until it moves.
  package var isStationary = false
  /// It lies farther from the fix before than anything moves: perhaps it is off.
  package var isJump = false
  /// It is the middle of a cell, for a client with reduced accuracy.
  package var isReduced = false
  /// Of a one-shot request: whether it is as accurate as was asked for, or only the best there was.
  package var meetsTier = true

  package init(_ fix: Fix) { self.fix = fix }

  init(_ sighting: Sighting, _ delivery: Session.Delivery) {
    fix = sighting.fix
    (isStationary, isJump) = (delivery == .stationary, sighting.isJump)
  }
}

/// Why a session does not get what it asked for, named as in Core Location.
package struct Diagnostics: OptionSet, Hashable, Sendable {
  package let rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let authorizationDenied = Diagnostics(rawValue: 1)
  /// Location is off for the whole system.
  package static let authorizationDeniedGlobally = Diagnostics(rawValue: 2)
  package static let authorizationRestricted = Diagnostics(rawValue: 4)
  /// Reduced accuracy holds.
  package static let accuracyLimited = Diagnostics(rawValue: 8)
  /// There is no fix, in spite of trying.
  package static let locationUnavailable = Diagnostics(rawValue: 16)
  /// A standing session was asked for by a client that is allowed only while it is connected.
  package static let insufficientlyInUse = Diagnostics(rawValue: 32)
  /// The policy wants a session to be open first.
  package static let serviceSessionRequired = Diagnostics(rawValue: 64)
  /// Nobody has decided on the client yet.
  package static let authorizationRequestInProgress = Diagnostics(rawValue: 128)

  private static let all: [(Diagnostics, String)] = [
    (.authorizationDenied, "authorizationDenied"),
    (.authorizationDeniedGlobally, "authorizationDeniedGlobally"),
    (.authorizationRestricted, "authorizationRestricted"), (.accuracyLimited, "accuracyLimited"),
    (.locationUnavailable, "locationUnavailable"), (.insufficientlyInUse, "insufficientlyInUse"),
    (.serviceSessionRequired, "serviceSessionRequired"),
    (.authorizationRequestInProgress, "authorizationRequestInProgress"),
  ]

  package var names: [String] { Self.all.filter { contains($0.0) }.map(\.1) }
}

/// What a session, a monitor or an open request is told.
package enum Update: Equatable, Sendable {
  case location(LocationUpdate)
  case visit(Visit)
  case heading(HeadingFilter.Change)
  case region(identifier: String, state: RegionState, time: UTCTime?)
  /// They have changed.
  case diagnostics(Diagnostics)
  case failure(LocationError)
}

/// Where the service as a whole stands.
package enum ServiceState: Equatable, Sendable {
  /// Nobody wants a position.
  case idle
  case acquiring
  case locating
  /// All sessions are paused, as nothing moves.
  case paused
  case failed(reason: String)
}
