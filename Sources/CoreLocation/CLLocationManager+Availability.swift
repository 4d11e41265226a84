import ControlProtocol
import Foundation
import LocationServices

extension CLLocationManager {
  /// Whether the daemon is there and location is not off for the whole system.
  public class func locationServicesEnabled() -> Bool {
    let standing = DaemonLink.shared.standing
    return standing.failure == nil && !standing.isOff
  }

  /// As of iOS 13; later programs ask the manager.
  public class func authorizationStatus() -> CLAuthorizationStatus {
    DaemonLink.shared.standing.status
  }

  /// A heading is told in motion.
  public class func headingAvailable() -> Bool { true }
  public class func significantLocationChangeMonitoringAvailable() -> Bool { true }
  /// There are no beacons.
  public class func isRangingAvailable() -> Bool { false }

  public class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool {
    regionClass is CLCircularRegion.Type
  }

  /// Asks for full accuracy for a time, where only reduced is allowed.
  /// - Parameters:
  ///   - purposeKey: For what: shown to the administrator. On Apple's systems the key of a text.
  ///   - completion: Gets an error where it is not given.
  public func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String, completion: (((any Error)?) -> Void)? = nil
  ) {
    let (completion, callbacks) = (Handover(completion), self.callbacks)
    link.request(
      .service(.requestFullAccuracy(purpose: purposeKey, Authorizations.temporarySpanMax))
    ) { result in
      callbacks.perform {
        switch result {
        case .success: completion.value?(nil)
        case .failure(let error): completion.value?(error)
        }
      }
    }
  }

  public func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String
  ) async throws {
    let link = self.link
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      link.request(
        .service(.requestFullAccuracy(purpose: purposeKey, Authorizations.temporarySpanMax))
      ) { result in
        done.resume(with: result.map { _ in }.mapError { $0 })
      }
    }
  }
}
