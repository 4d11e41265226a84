import Foundation
import LocationServices

/// Says that a program wants to know the location, and tells what stands in the way. It ends with
/// `invalidate`, or when nobody keeps it; several may be open.
public final class CLServiceSession: Sendable {
  public enum AuthorizationRequirement: Int, Sendable {
    case none = 0
    case whenInUse = 1
    case always = 2
  }

  /// What stands in the way.
  public struct Diagnostic: Sendable {
    let diagnostics: Diagnostics
    /// More than the policy allows was asked for: to go on without the program.
    public let alwaysAuthorizationDenied: Bool
    /// Full accuracy was asked for and is not given.
    public let fullAccuracyDenied: Bool

    public var authorizationDenied: Bool { diagnostics.contains(.authorizationDenied) }
    public var authorizationDeniedGlobally: Bool {
      diagnostics.contains(.authorizationDeniedGlobally)
    }
    public var authorizationRestricted: Bool {
      diagnostics.contains(.authorizationRestricted)
    }
    public var authorizationRequestInProgress: Bool {
      diagnostics.contains(.authorizationRequestInProgress)
    }
    public var insufficientlyInUse: Bool { diagnostics.contains(.insufficientlyInUse) }
    public var serviceSessionRequired: Bool {
      diagnostics.contains(.serviceSessionRequired)
    }
  }

  private let token: DaemonLink.Token
  private let stream: AsyncStream<Diagnostic>
  private let continuation: AsyncStream<Diagnostic>.Continuation

  /// Diagnostics that wait for a slow program; the oldest give way.
  private static let diagnosticCountMax = 16

  public convenience init(authorization: AuthorizationRequirement) {
    self.init(authorization, purpose: nil)
  }

  /// - Parameter fullAccuracyPurposeKey: For what full accuracy is wanted, where it is reduced.
  public convenience init(
    authorization: AuthorizationRequirement, fullAccuracyPurposeKey: String
  ) {
    self.init(authorization, purpose: fullAccuracyPurposeKey)
  }

  private init(_ requirement: AuthorizationRequirement, purpose: String?) {
    (stream, continuation) = AsyncStream.makeStream(
      of: Diagnostic.self, bufferingPolicy: .bufferingNewest(Self.diagnosticCountMax))
    let continuation = self.continuation
    let link = DaemonLink.shared
    token = link.subscribe(.authorization(purpose: purpose)) { event in
      guard requirement != .none else { return }
      var standing = DaemonLink.Standing()
      if case .standing(let told) = event { standing = told }
      continuation.yield(
        Diagnostic(
          diagnostics: Diagnostics(event),
          alwaysAuthorizationDenied: requirement == .always
            && standing.status == .authorizedWhenInUse,
          fullAccuracyDenied: purpose != nil && standing.accuracy == .reducedAccuracy))
    }
    link.open(token)
  }

  deinit { invalidate() }

  public func invalidate() {
    continuation.finish()
    DaemonLink.shared.unsubscribe(token)
  }

  /// The first tells how it stands now, the others what changed.
  public var diagnostics: SessionDiagnostics { SessionDiagnostics(stream: stream) }

  public struct SessionDiagnostics: AsyncSequence, Sendable {
    public typealias Element = Diagnostic

    let stream: AsyncStream<Diagnostic>

    public func makeAsyncIterator() -> Iterator {
      Iterator(diagnostics: stream.makeAsyncIterator())
    }

    public struct Iterator: AsyncIteratorProtocol {
      var diagnostics: AsyncStream<Diagnostic>.AsyncIterator

      public mutating func next() async throws -> Diagnostic? { await diagnostics.next() }
    }
  }
}

/// Says that a program goes on in the background. On a board every program does: systemd keeps it
/// running. The session tells the same diagnostics as `CLServiceSession`.
public final class CLBackgroundActivitySession: Sendable {
  public typealias Diagnostic = CLServiceSession.Diagnostic

  private let session = CLServiceSession(authorization: .whenInUse)

  public init() {}

  public func invalidate() { session.invalidate() }

  public var diagnostics: CLServiceSession.SessionDiagnostics { session.diagnostics }
}
