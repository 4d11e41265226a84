import Foundation
import LocationServices

/// Where the board goes. A receiver has no compass: this is the course over ground, told only in
/// motion.
open class CLHeading: NSObject, NSCopying, @unchecked Sendable {
  /// Degrees from magnetic north; from true north where the receiver tells no declination.
  public let magneticHeading: CLLocationDirection
  /// Degrees from true north.
  public let trueHeading: CLLocationDirection
  /// Degrees; negative where it is not known.
  public let headingAccuracy: CLLocationDirection
  public let timestamp: Date
  /// The magnetic field in microteslas, which is not measured.
  public let x: CLHeadingComponentValue = 0
  public let y: CLHeadingComponentValue = 0
  public let z: CLHeadingComponentValue = 0

  init(_ heading: Heading) {
    trueHeading = heading.trueHeading
    magneticHeading = heading.magneticHeading ?? heading.trueHeading
    headingAccuracy = heading.accuracy ?? -1
    timestamp = heading.time.map { Date($0) } ?? Date()
    super.init()
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }
}
