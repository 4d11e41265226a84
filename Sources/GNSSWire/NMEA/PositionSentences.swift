import Bytes
import GNSS

/// What a mode letter says of a solution. NMEA 0183 4.11, RMC, GNS, GLL and VTG.
enum SolutionMode {
  /// `nil` for N (no fix) and for letters that no version knows.
  static func status(of letter: UInt8) -> FixStatus? {
    switch letter {
    case UInt8(ascii: "A"): .gps
    case UInt8(ascii: "D"): .dgps
    case UInt8(ascii: "E"): .deadReckoning
    case UInt8(ascii: "F"): .rtkFloat
    case UInt8(ascii: "M"): .manual
    case UInt8(ascii: "P"): .pps
    case UInt8(ascii: "R"): .rtkFixed
    case UInt8(ascii: "S"): .simulated
    default: nil
    }
  }
}

/// Recommended minimum data. NMEA 0183 4.11, RMC.
struct RMC: TimedSentence {
  var time: TimeOfDay?
  var isValid: Bool
  /// `nil` before NMEA 2.3, which has no mode letter.
  var status: FixStatus?
  var position: NMEAPosition?
  /// Knots.
  var speed: DecimalNumber?
  /// Degrees true.
  var course: DecimalNumber?
  var date: CalendarDate?
  /// Degrees, east positive.
  var magneticVariation: Double?

  @inline(__always)
  init?(_ all: SentenceFields) {
    var fields = all
    time = fields.timeOfDay()
    isValid = fields.letter() == UInt8(ascii: "A")
    position = fields.position()
    speed = fields.decimal()
    course = fields.decimal()
    // What follows came with later versions.
    guard !fields.isAtEnd else { return nil }
    date = fields.date()
    let variation = fields.number()
    let side = fields.letter()
    magneticVariation = variation.flatMap { value in
      switch side {
      case UInt8(ascii: "E"): value
      case UInt8(ascii: "W"): -value
      default: nil
      }
    }
    // The navigational status behind it tells of integrity monitoring, not of the fix.
    if let letter = fields.letter() {
      status = SolutionMode.status(of: letter)
      if status == nil { isValid = false }
    }
    guard !fields.isMalformed else { return nil }
  }
}

/// Fix data. NMEA 0183 4.11, GGA.
struct GGA: TimedSentence {
  var time: TimeOfDay?
  var position: NMEAPosition?
  /// 0 is no fix; `nil` is blank.
  var quality: Int?
  var satellitesUsed: Int?
  var hdop: Double?
  /// Metres above mean sea level.
  var altitude: Double?
  /// Metres from the ellipsoid up to the geoid.
  var geoidSeparation: Double?
  /// Seconds.
  var differentialAge: Double?
  var differentialStation: Int?

  @inline(__always)
  init?(_ all: SentenceFields) {
    var fields = all
    time = fields.timeOfDay()
    position = fields.position()
    quality = fields.integer()
    satellitesUsed = fields.integer()
    hdop = fields.number()
    altitude = fields.signedNumber()
    guard !fields.isAtEnd else { return nil }
    fields.skip(1)
    geoidSeparation = fields.signedNumber()
    fields.skip(1)
    differentialAge = fields.magnitude()
    differentialStation = fields.integer()
    guard !fields.isMalformed else { return nil }
  }

  var status: FixStatus? {
    switch quality {
    case 1: .gps
    case 2: .dgps
    case 3: .pps
    case 4: .rtkFixed
    case 5: .rtkFloat
    case 6: .deadReckoning
    case 7: .manual
    case 8: .simulated
    default: nil
    }
  }
}

/// Fix data of several systems. NMEA 0183 4.11, GNS.
struct GNS: TimedSentence {
  var time: TimeOfDay?
  var position: NMEAPosition?
  /// Of the best system; `nil` where none has a fix.
  var status: FixStatus?
  var satellitesUsed: Int?
  var hdop: Double?
  /// Metres above mean sea level.
  var altitude: Double?
  /// Metres from the ellipsoid up to the geoid.
  var geoidSeparation: Double?
  /// Seconds.
  var differentialAge: Double?
  var differentialStation: Int?

  @inline(__always)
  init?(_ all: SentenceFields) {
    var fields = all
    time = fields.timeOfDay()
    position = fields.position()
    let modes = fields.text()
    for index in modes.indices {
      guard let candidate = SolutionMode.status(of: modes[index]) else { continue }
      if status.map({ Self.rank(candidate) > Self.rank($0) }) ?? true { status = candidate }
    }
    satellitesUsed = fields.integer()
    hdop = fields.number()
    guard !fields.isAtEnd else { return nil }
    altitude = fields.signedNumber()
    geoidSeparation = fields.signedNumber()
    differentialAge = fields.magnitude()
    differentialStation = fields.integer()
    guard !fields.isMalformed else { return nil }
  }

  /// The order of worth when systems differ: one system's correction corrects the solution.
  private static func rank(_ status: FixStatus) -> Int {
    switch status {
    case .rtkFixed: 8
    case .rtkFloat: 7
    case .pps: 6
    case .dgps: 5
    case .gps: 4
    case .deadReckoning: 3
    case .manual: 2
    case .simulated: 1
    default: 0
    }
  }
}

/// Geographic position. NMEA 0183 4.11, GLL.
struct GLL: TimedSentence {
  var position: NMEAPosition?
  var time: TimeOfDay?
  /// `nil` where the field is missing, as before NMEA 2.0.
  var isValid: Bool?
  var status: FixStatus?

  @inline(__always)
  init?(_ all: SentenceFields) {
    var fields = all
    guard fields.remainingCount >= 4 else { return nil }
    position = fields.position()
    time = fields.timeOfDay()
    if let letter = fields.letter() { isValid = letter == UInt8(ascii: "A") }
    if let letter = fields.letter() {
      status = SolutionMode.status(of: letter)
      if status == nil { isValid = false }
    }
    guard !fields.isMalformed else { return nil }
  }
}
