import Bytes
import GNSS

/// `PUBX,00`: time, position, accuracy and motion. Source: u-blox M8 protocol specification, NMEA
/// PUBX messages.
struct UbloxPosition: TimedSentence {
  var time: TimeOfDay?
  var position: NMEAPosition?
  /// Metres above the ellipsoid, not above the sea.
  var height: Double?
  /// 0 is no fix; as in GGA.
  var quality: Int
  var status: FixStatus?
  /// As in GSA; 0 where there is no fix.
  var mode: Int
  /// Metres.
  var horizontalAccuracy: Double?
  var verticalAccuracy: Double?
  var kilometresPerHour: DecimalNumber?
  /// Degrees true.
  var course: DecimalNumber?
  /// m/s, up positive: the field counts downwards.
  var climb: Double?
  /// Seconds.
  var differentialAge: Double?
  var hdop: Double?
  var vdop: Double?
  var tdop: Double?
  var satellitesUsed: Int?

  @inline(__always)
  init?(_ all: SentenceFields) {
    var fields = all
    guard fields.remainingCount >= 18 else { return nil }
    time = fields.timeOfDay()
    position = fields.position()
    height = fields.number()
    let code = fields.text()
    (quality, status, mode) = (0, nil, 0)
    if code.elementsEqual("G2") { (quality, status, mode) = (1, .gps, 2) }
    if code.elementsEqual("G3") { (quality, status, mode) = (1, .gps, 3) }
    if code.elementsEqual("D2") { (quality, status, mode) = (2, .dgps, 2) }
    if code.elementsEqual("D3") { (quality, status, mode) = (2, .dgps, 3) }
    if code.elementsEqual("RK") { (quality, status, mode) = (1, .gnssDeadReckoning, 3) }
    if code.elementsEqual("DR") { (quality, status, mode) = (6, .deadReckoning, 2) }
    horizontalAccuracy = fields.magnitude()
    verticalAccuracy = fields.magnitude()
    kilometresPerHour = fields.decimal()
    course = fields.decimal()
    climb = fields.number().map { -$0 }
    differentialAge = fields.magnitude()
    hdop = fields.number()
    vdop = fields.number()
    tdop = fields.number()
    satellitesUsed = fields.integer()
    guard !fields.isMalformed else { return nil }
  }
}

/// `PUBX,04`: time and date.
struct UbloxTime {
  var time: TimeOfDay?
  var date: CalendarDate?

  @inline(__always)
  init?(_ all: SentenceFields) {
    var fields = all
    time = fields.timeOfDay()
    date = fields.date()
    guard !fields.isMalformed else { return nil }
  }
}

/// One satellite of `PUBX,03`, in u-blox's extended numbering.
struct UbloxSatellite {
  var satellite: Satellite?

  static let fieldCount = 6

  init(_ fields: inout SentenceFields) {
    let number = fields.integer()
    let use = fields.letter()
    let azimuth = fields.integer()
    let elevation = fields.integer()
    let cn0 = fields.integer()
    fields.skip(1)
    guard let number, let (constellation, svid) = SatelliteNumber.satellite(number, of: nil) else {
      return
    }
    var listed = Satellite(constellation: constellation, svid: svid)
    listed.azimuth = azimuth.flatMap { (0...360).contains($0) ? Int16($0 % 360) : nil }
    listed.elevation = elevation.flatMap { (-90...90).contains($0) ? Int8($0) : nil }
    listed.cn0 = cn0.flatMap { (1...99).contains($0) ? UInt8($0) : nil }
    // U is used; e has an ephemeris and could be; - is not used.
    listed.isUsed = use == UInt8(ascii: "U")
    listed.hasEphemeris = use == UInt8(ascii: "-") ? nil : true
    satellite = listed
  }
}
