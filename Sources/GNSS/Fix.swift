/// What a solution consists of. Raw values are gpsd's `mode`.
package enum FixMode: UInt8, Sendable {
  /// Nothing was said of it yet.
  case unknown = 0
  case none = 1
  case twoD = 2
  case threeD = 3
}

/// What a solution was computed from. Raw values are gpsd's `status` (gpsd_json(5)).
package enum FixStatus: UInt8, Sendable {
  case unknown = 0
  case gps = 1
  case dgps = 2
  case rtkFixed = 3
  case rtkFloat = 4
  case deadReckoning = 5
  case gnssDeadReckoning = 6
  /// The position is surveyed and held; the solution is of time only.
  case time = 7
  case simulated = 8
  /// Military precise positioning.
  case pps = 9
  case manual = 10

  /// The name in JSON output; `nil` where unknown.
  package var name: StaticString? {
    switch self {
    case .unknown: nil
    case .gps: "gps"
    case .dgps: "dgps"
    case .rtkFixed: "rtk_fix"
    case .rtkFloat: "rtk_float"
    case .deadReckoning: "dr"
    case .gnssDeadReckoning: "gnss_dr"
    case .time: "time"
    case .simulated: "simulated"
    case .pps: "pps"
    case .manual: "manual"
    }
  }
}

/// Where the date of a fix came from, and so how far it can be trusted.
package enum DateSource: UInt8, Sendable {
  /// There is no date.
  case none = 0
  /// The receiver sent it, and it lies behind the floor that is known to have passed.
  case receiver = 1
  /// The receiver's date was moved by whole cycles of 1024 weeks to lie behind that floor.
  case rolloverCorrected = 2
  /// The time of day was counted on from an earlier epoch that had a date.
  case carried = 3
  /// The time of day was set next to a host clock that was said to be synchronised.
  case hostClock = 4
  /// The receiver sent it, but does not know the leap seconds yet: those that are announced were
  /// taken instead of its own.
  case leapTable = 5
}

/// A position on the WGS-84 ellipsoid, in degrees, north and east positive.
package struct Coordinate: Equatable, Hashable, Sendable {
  package var latitude: Double
  package var longitude: Double

  package init(latitude: Double, longitude: Double) {
    (self.latitude, self.longitude) = (latitude, longitude)
  }

  /// Within -90...90 and -180...180, and no NaN.
  package var isValid: Bool {
    latitude >= -90 && latitude <= 90 && longitude >= -180 && longitude <= 180
  }
}

/// Dilution of precision: the geometry's share in the error, without unit.
package struct DilutionOfPrecision: Equatable, Sendable {
  package var geometric: Double?
  package var position: Double?
  package var time: Double?
  package var vertical: Double?
  package var horizontal: Double?
  package var north: Double?
  package var east: Double?
  package init() {}
}

/// The GST sentence: standard deviations of the position, metres at 68 %. NMEA 0183, GST.
package struct ErrorStatistics: Equatable, Sendable {
  /// RMS of the range residuals, metres.
  package var rms: Double?
  package var semiMajor: Double?
  package var semiMinor: Double?
  /// Of the semi-major axis, degrees from true north.
  package var orientation: Double?
  package var latitude: Double?
  package var longitude: Double?
  package var altitude: Double?
  package init() {}
}

/// One navigation solution: all that a receiver said of one instant. What it did not say is `nil`.
package struct Fix: Equatable, Sendable {
  /// UTC; `nil` while the date is not resolved.
  package var time: UTCTime?
  /// UTC time of day; also known where the date is not.
  package var timeOfDay: TimeOfDay?
  package var dateSource = DateSource.none
  /// Whether `time` lies within second 60 of a day.
  package var isLeapSecond = false

  package var mode = FixMode.unknown
  package var status = FixStatus.unknown
  package var position: Coordinate?
  /// Whether the receiver said that its positions refer to a datum other than WGS-84 (DTM).
  package var isOtherDatum = false
  /// Metres above mean sea level (the geoid).
  package var altitudeMSL: Double?
  /// Metres above the WGS-84 ellipsoid.
  package var altitudeEllipsoid: Double?
  /// Metres from the ellipsoid up to the geoid.
  package var geoidSeparation: Double?

  /// Over ground, m/s, never negative.
  package var speed: Double?
  /// Of motion over ground, degrees from true north, 0 up to but not 360.
  package var course: Double?
  /// m/s, up positive.
  package var climb: Double?
  /// Where the bow points, degrees from true north.
  package var heading: Double?
  /// Degrees, east positive.
  package var magneticVariation: Double?

  /// Radius in metres that holds the true position with 68 %.
  package var horizontalAccuracy: Double?
  /// Metres, 68 %.
  package var verticalAccuracy: Double?
  /// m/s, 68 %.
  package var speedAccuracy: Double?
  /// Degrees, 68 %.
  package var courseAccuracy: Double?
  /// Whether the accuracies are the receiver's own; else they were estimated from dilution.
  package var accuracyIsEstimated = false

  package var dop = DilutionOfPrecision()
  package var satellitesUsed: Int?
  /// Seconds since the last differential correction.
  package var differentialAge: Double?
  package var differentialStation: Int?
  package var errorStatistics: ErrorStatistics?

  package init() {}

  /// Whether it places the receiver: mode 2D or 3D, with a position.
  package var hasPosition: Bool { position != nil && mode.rawValue >= FixMode.twoD.rawValue }
}
