/// What may go wrong for a client, named and numbered as in Core Location's `CLError`.
package struct LocationError: Error, Equatable, Sendable {
  /// Raw values are those of `CLError.Code`.
  package enum Code: Int, CaseIterable, Sendable {
    case locationUnknown = 0
    case denied = 1
    case network = 2
    case headingFailure = 3
    case regionMonitoringDenied = 4
    case regionMonitoringFailure = 5
    case regionMonitoringSetupDelayed = 6
    case regionMonitoringResponseDelayed = 7
    case geocodeFoundNoResult = 8
    case geocodeFoundPartialResult = 9
    case geocodeCanceled = 10
    case promptDeclined = 18
  }

  package var code: Code
  /// Why, in words for people.
  package var cause: String
  /// What to do about it.
  package var nextStep: String

  /// - Parameter nextStep: `nil` takes what usually helps with errors of this code.
  package init(_ code: Code, cause: String, nextStep: String? = nil) {
    (self.code, self.cause, self.nextStep) = (code, cause, nextStep ?? code.usualStep)
  }

  /// One line: what failed, why, and what can be done.
  package var message: String { "\(code.name): \(cause); \(nextStep)" }
}

extension LocationError.Code {
  /// The name, as in `CLError`.
  package var name: String { "\(self)" }

  /// Whether the service goes on trying by itself, so that the client need do nothing.
  package var isTemporary: Bool {
    switch self {
    case .locationUnknown, .network, .headingFailure, .regionMonitoringSetupDelayed,
      .regionMonitoringResponseDelayed:
      true
    default: false
    }
  }

  fileprivate var usualStep: String {
    switch self {
    case .locationUnknown:
      "the search goes on; 'binnacle doctor' tells what hinders it"
    case .denied, .regionMonitoringDenied, .promptDeclined:
      "an administrator can allow it with 'binnacle grant'"
    case .network: "positions come without aiding, only later"
    case .headingFailure: "a course is known only in motion"
    case .regionMonitoringFailure: "correct the region and add it again"
    case .regionMonitoringSetupDelayed: "events follow with the first fix"
    case .regionMonitoringResponseDelayed: "events follow with the next fix"
    case .geocodeFoundNoResult: "widen the search or import more places"
    case .geocodeFoundPartialResult: "name the country too"
    case .geocodeCanceled: "ask again"
    }
  }
}
