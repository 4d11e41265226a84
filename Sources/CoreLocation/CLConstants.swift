import Foundation

/// Degrees; north and east are positive.
public typealias CLLocationDegrees = Double
/// Metres. As an accuracy: the radius that holds the true place with 68 %; negative is invalid.
public typealias CLLocationAccuracy = Double
/// Metres.
public typealias CLLocationDistance = Double
/// Metres per second; negative is invalid.
public typealias CLLocationSpeed = Double
/// Metres per second; negative is invalid.
public typealias CLLocationSpeedAccuracy = Double
/// Degrees clockwise from true north; negative is invalid.
public typealias CLLocationDirection = Double
/// Degrees; negative is invalid.
public typealias CLLocationDirectionAccuracy = Double
/// Degrees from magnetic or true north.
public typealias CLHeadingComponentValue = Double

/// Every epoch of the receiver, at up to 5 m.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1000
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3000
/// Roughly where, as for a client that may not know more. Its number is no radius; compare it only
/// with itself.
public let kCLLocationAccuracyReduced: CLLocationAccuracy = .greatestFiniteMagnitude

/// All movements are told.
public let kCLDistanceFilterNone: CLLocationDistance = -1
/// All turns are told.
public let kCLHeadingFilterNone: CLLocationDegrees = -1

// swift-format-ignore: AlwaysUseLowerCamelCase
public let CLLocationDistanceMax: CLLocationDistance = .greatestFiniteMagnitude
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CLTimeIntervalMax: TimeInterval = .greatestFiniteMagnitude

/// What no valid coordinate equals.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// The domain of `CLError`.
public let kCLErrorDomain = "kCLErrorDomain"
/// In an error's `userInfo`: another region for which there was no place.
public let kCLErrorUserInfoAlternateRegionKey = "kCLErrorUserInfoAlternateRegionKey"

/// Whether a program may know where the board is. The daemon's policy decides it.
public enum CLAuthorizationStatus: Int32, Sendable {
  case notDetermined = 0
  case restricted = 1
  case denied = 2
  case authorizedAlways = 3
  case authorizedWhenInUse = 4

  /// As macOS calls it.
  public static var authorized: CLAuthorizationStatus { .authorizedAlways }
}

/// How exactly a program may know where the board is.
public enum CLAccuracyAuthorization: Int, Sendable {
  case fullAccuracy = 0
  case reducedAccuracy = 1
}

/// What moves the receiver: decides when it counts as standing still.
public enum CLActivityType: Int, Sendable {
  case other = 1
  case automotiveNavigation = 2
  case fitness = 3
  case otherNavigation = 4
  case airborne = 5
}

/// How a device is held. Kept for programs that set it; a receiver has no way to be held.
public enum CLDeviceOrientation: Int32, Sendable {
  case unknown = 0
  case portrait = 1
  case portraitUpsideDown = 2
  case landscapeLeft = 3
  case landscapeRight = 4
  case faceUp = 5
  case faceDown = 6
}

/// Where the board is, seen from a region.
public enum CLRegionState: Int, Sendable {
  case unknown = 0
  case inside = 1
  case outside = 2
}

/// How near a beacon is. There are no beacons here; the type is for programs that name it.
public enum CLProximity: Int, Sendable {
  case unknown = 0
  case immediate = 1
  case near = 2
  case far = 3
}
