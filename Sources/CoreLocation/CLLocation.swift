import Foundation

/// Where the board was at an instant. What is not known is negative.
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  public let coordinate: CLLocationCoordinate2D
  /// Metres above mean sea level; valid where `verticalAccuracy` is positive.
  public let altitude: CLLocationDistance
  /// Metres above the WGS-84 ellipsoid; valid where `verticalAccuracy` is positive.
  public let ellipsoidalAltitude: CLLocationDistance
  public let horizontalAccuracy: CLLocationAccuracy
  public let verticalAccuracy: CLLocationAccuracy
  public let course: CLLocationDirection
  public let courseAccuracy: CLLocationDirectionAccuracy
  public let speed: CLLocationSpeed
  public let speedAccuracy: CLLocationSpeedAccuracy
  public let timestamp: Date
  public let sourceInformation: CLLocationSourceInformation?

  /// Floors are not told by receivers.
  open var floor: CLFloor? { nil }

  public static var supportsSecureCoding: Bool { true }

  /// A place without accuracy, height and motion, as of now.
  public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.init(
      coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
      horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
  }

  public convenience init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy: CLLocationAccuracy, verticalAccuracy: CLLocationAccuracy, timestamp: Date
  ) {
    self.init(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
      verticalAccuracy: verticalAccuracy, course: -1, speed: -1, timestamp: timestamp)
  }

  public convenience init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy: CLLocationAccuracy, verticalAccuracy: CLLocationAccuracy,
    course: CLLocationDirection, speed: CLLocationSpeed, timestamp: Date
  ) {
    self.init(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
      verticalAccuracy: verticalAccuracy, course: course, courseAccuracy: -1, speed: speed,
      speedAccuracy: -1, timestamp: timestamp)
  }

  public convenience init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy: CLLocationAccuracy, verticalAccuracy: CLLocationAccuracy,
    course: CLLocationDirection, courseAccuracy: CLLocationDirectionAccuracy,
    speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date
  ) {
    self.init(
      coordinate, altitude: altitude, ellipsoidalAltitude: altitude,
      accuracies: (horizontalAccuracy, verticalAccuracy), course: (course, courseAccuracy),
      speed: (speed, speedAccuracy), timestamp, nil)
  }

  public convenience init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy: CLLocationAccuracy, verticalAccuracy: CLLocationAccuracy,
    course: CLLocationDirection, courseAccuracy: CLLocationDirectionAccuracy,
    speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date,
    sourceInfo: CLLocationSourceInformation
  ) {
    self.init(
      coordinate, altitude: altitude, ellipsoidalAltitude: altitude,
      accuracies: (horizontalAccuracy, verticalAccuracy), course: (course, courseAccuracy),
      speed: (speed, speedAccuracy), timestamp, sourceInfo)
  }

  /// With everything.
  init(
    _ coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    ellipsoidalAltitude: CLLocationDistance,
    accuracies: (horizontal: CLLocationAccuracy, vertical: CLLocationAccuracy),
    course: (CLLocationDirection, CLLocationDirectionAccuracy),
    speed: (CLLocationSpeed, CLLocationSpeedAccuracy), _ timestamp: Date,
    _ sourceInformation: CLLocationSourceInformation?
  ) {
    (self.coordinate, self.altitude) = (coordinate, altitude)
    self.ellipsoidalAltitude = ellipsoidalAltitude
    (horizontalAccuracy, verticalAccuracy) = accuracies
    (self.course, courseAccuracy) = course
    (self.speed, speedAccuracy) = speed
    (self.timestamp, self.sourceInformation) = (timestamp, sourceInformation)
    super.init()
  }

  /// Metres along the geodesic on the ellipsoid, whatever the heights.
  open func distance(from location: CLLocation) -> CLLocationDistance {
    coordinate.position.distance(to: location.coordinate.position)
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  public required init?(coder: NSCoder) {
    func number(_ key: Key) -> Double { coder.decodeDouble(forKey: key.rawValue) }
    coordinate = CLLocationCoordinate2D(
      latitude: number(.latitude), longitude: number(.longitude))
    guard CLLocationCoordinate2DIsValid(coordinate) else { return nil }
    (altitude, ellipsoidalAltitude) = (number(.altitude), number(.ellipsoidalAltitude))
    (horizontalAccuracy, verticalAccuracy) = (
      number(.horizontalAccuracy), number(.verticalAccuracy)
    )
    (course, courseAccuracy) = (number(.course), number(.courseAccuracy))
    (speed, speedAccuracy) = (number(.speed), number(.speedAccuracy))
    timestamp = Date(timeIntervalSinceReferenceDate: number(.timestamp))
    sourceInformation =
      coder.decodeBool(forKey: Key.isSimulated.rawValue)
      ? CLLocationSourceInformation(softwareSimulationState: true, andExternalAccessoryState: false)
      : nil
    super.init()
  }

  open func encode(with coder: NSCoder) {
    func keep(_ value: Double, _ key: Key) { coder.encode(value, forKey: key.rawValue) }
    keep(coordinate.latitude, .latitude)
    keep(coordinate.longitude, .longitude)
    keep(altitude, .altitude)
    keep(ellipsoidalAltitude, .ellipsoidalAltitude)
    keep(horizontalAccuracy, .horizontalAccuracy)
    keep(verticalAccuracy, .verticalAccuracy)
    keep(course, .course)
    keep(courseAccuracy, .courseAccuracy)
    keep(speed, .speed)
    keep(speedAccuracy, .speedAccuracy)
    keep(timestamp.timeIntervalSinceReferenceDate, .timestamp)
    coder.encode(
      sourceInformation?.isSimulatedBySoftware ?? false, forKey: Key.isSimulated.rawValue)
  }

  /// The names in an archive.
  private enum Key: String {
    case latitude = "kCLLocationCodingKeyCoordinateLatitude"
    case longitude = "kCLLocationCodingKeyCoordinateLongitude"
    case altitude = "kCLLocationCodingKeyAltitude"
    case ellipsoidalAltitude = "kCLLocationCodingKeyEllipsoidalAltitude"
    case horizontalAccuracy = "kCLLocationCodingKeyHorizontalAccuracy"
    case verticalAccuracy = "kCLLocationCodingKeyVerticalAccuracy"
    case course = "kCLLocationCodingKeyCourse"
    case courseAccuracy = "kCLLocationCodingKeyCourseAccuracy"
    case speed = "kCLLocationCodingKeySpeed"
    case speedAccuracy = "kCLLocationCodingKeySpeedAccuracy"
    case timestamp = "kCLLocationCodingKeyTimestamp"
    case isSimulated = "kCLLocationCodingKeySimulated"
  }

  open override var description: String {
    let place = "<\(coordinate.latitude),\(coordinate.longitude)> +/- \(horizontalAccuracy)m"
    return "\(place) (speed \(speed) mps / course \(course)) @ \(timestamp)"
  }
}

/// A floor of a building.
open class CLFloor: NSObject, @unchecked Sendable {
  /// 0 is the ground floor.
  public let level: Int

  init(level: Int) {
    self.level = level
    super.init()
  }
}

/// What made a location.
open class CLLocationSourceInformation: NSObject, @unchecked Sendable {
  /// Whether a simulator made it.
  public let isSimulatedBySoftware: Bool
  /// Whether an accessory did.
  public let isProducedByAccessory: Bool

  public init(
    softwareSimulationState isSoftware: Bool, andExternalAccessoryState isAccessory: Bool
  ) {
    (isSimulatedBySoftware, isProducedByAccessory) = (isSoftware, isAccessory)
    super.init()
  }
}
