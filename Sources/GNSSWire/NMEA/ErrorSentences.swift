import Bytes
import GNSS

/// Expected errors of a fault detection, metres. NMEA 0183 4.11, GBS.
struct GBS {
  var time: TimeOfDay?
  var latitude: Double?
  var longitude: Double?
  var altitude: Double?

  @inline(__always)
  init?(_ all: SentenceFields) {
    var fields = all
    guard fields.remainingCount >= 8 else { return nil }
    time = fields.timeOfDay()
    latitude = fields.number()
    longitude = fields.number()
    altitude = fields.number()
    guard !fields.isMalformed else { return nil }
  }
}

/// What makers' own sentences say of the errors of the epoch: metres, 68 %.
struct ErrorEstimate {
  var horizontal: Double?
  var vertical: Double?

  /// The radius that holds 68 % of the points of a round distribution, if another holds 50 %.
  private static let radiusFactor = 1.282
  /// The same along a line.
  private static let lineFactor = 1.483

  /// `PGRME`: horizontal, vertical and spherical error with their units, 50 %. Source: Garmin
  /// device interface specification.
  init(garmin fields: inout SentenceFields) {
    horizontal = fields.magnitude().map { $0 * Self.radiusFactor }
    fields.skip(1)
    vertical = fields.magnitude().map { $0 * Self.lineFactor }
  }

  /// `PQTMEPE`: version, north, east, down, 2D and 3D, one standard deviation. Source: Quectel
  /// LC29H and LC79H protocol specification.
  init(quectel fields: inout SentenceFields) {
    fields.skip(3)
    vertical = fields.magnitude()
    horizontal = fields.magnitude()
  }

  /// `PSRFEPE`: time, status, HDOP, horizontal and vertical position error. Source: SiRF NMEA
  /// reference manual.
  init(sirf fields: inout SentenceFields) {
    fields.skip(1)
    let isValid = fields.letter() == UInt8(ascii: "A")
    fields.skip(1)
    horizontal = isValid ? fields.magnitude() : nil
    vertical = isValid ? fields.magnitude() : nil
  }
}
