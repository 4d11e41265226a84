import GNSS

/// A fix in the integers that a record is made of.
///
/// Units are those of the format: 1e-9 degrees, millimetres, mm/s, 1e-5 degrees for angles, 1/100
/// for dilutions. Rounding is half away from zero, as text output rounds, so that a fix shows the
/// same digits before and after it was logged. What is not known keeps the value of the fix before
/// (its difference is 0 and costs nothing); `known` and `knownMore` tell.
struct FixValues: Equatable {
  struct Known: OptionSet {
    let rawValue: UInt16
    static let position = Known(rawValue: 1 << 0)
    static let altitudeEllipsoid = Known(rawValue: 1 << 1)
    static let altitudeMSL = Known(rawValue: 1 << 2)
    static let geoidSeparation = Known(rawValue: 1 << 3)
    static let horizontalAccuracy = Known(rawValue: 1 << 4)
    static let verticalAccuracy = Known(rawValue: 1 << 5)
    static let speed = Known(rawValue: 1 << 6)
    static let course = Known(rawValue: 1 << 7)
    static let climb = Known(rawValue: 1 << 8)
    static let speedAccuracy = Known(rawValue: 1 << 9)
    static let courseAccuracy = Known(rawValue: 1 << 10)
    static let satellitesUsed = Known(rawValue: 1 << 11)
    static let pdop = Known(rawValue: 1 << 12)
    static let hdop = Known(rawValue: 1 << 13)
    static let vdop = Known(rawValue: 1 << 14)
  }

  struct Flags: OptionSet {
    let rawValue: UInt8
    static let leapSecond = Flags(rawValue: 1)
    static let accuracyIsEstimated = Flags(rawValue: 2)
    /// `time` is UTC.
    static let hasTime = Flags(rawValue: 4)
    /// `time` is a time of day; without either it is the boot-time clock.
    static let hasTimeOfDay = Flags(rawValue: 8)
    static let dateSourceShift: UInt8 = 4
  }

  /// Microseconds.
  var time: Int64 = 0
  /// Boot-time clock at reception minus `time`, milliseconds.
  var lag: Int64 = 0
  var latitude: Int64 = 0
  var longitude: Int64 = 0
  /// Above the ellipsoid; above the geoid where only that is known, with `separation` 0.
  var height: Int64 = 0
  var separation: Int64 = 0
  var horizontalAccuracy: Int64 = 0
  var verticalAccuracy: Int64 = 0
  var speed: Int64 = 0
  var course: Int64 = 0
  var down: Int64 = 0
  var speedAccuracy: Int64 = 0
  var courseAccuracy: Int64 = 0
  var satellitesUsed: Int64 = 0
  var pdop: Int64 = 0
  var hdop: Int64 = 0
  var vdop: Int64 = 0
  /// Bits 0...1 `FixMode`, 2...5 `FixStatus`.
  var modeAndStatus: UInt8 = 0
  var flags: Flags = []
  var known: Known = []
  var more = FixExtras()

  static let courseTurn: Int64 = 36_000_000

  init() {}

  /// - Parameter previous: The fix before of the same stream, whose values stand in for unknown
  ///   ones.
  init(_ fix: Fix, boottime: Monotonic, after previous: FixValues) {
    self = previous
    known = []
    takePosition(fix)
    takeHeights(fix)
    known.formUnion(
      take(fix.horizontalAccuracy, 1e3, in: &horizontalAccuracy, .horizontalAccuracy))
    known.formUnion(take(fix.verticalAccuracy, 1e3, in: &verticalAccuracy, .verticalAccuracy))
    known.formUnion(take(fix.speed, 1e3, in: &speed, .speed))
    takeCourse(fix)
    known.formUnion(take(fix.climb.map { -$0 }, 1e3, in: &down, .climb))
    known.formUnion(take(fix.speedAccuracy, 1e3, in: &speedAccuracy, .speedAccuracy))
    known.formUnion(take(fix.courseAccuracy, 1e5, in: &courseAccuracy, .courseAccuracy))
    known.formUnion(take(fix.dop.position, 1e2, in: &pdop, .pdop))
    known.formUnion(take(fix.dop.horizontal, 1e2, in: &hdop, .hdop))
    known.formUnion(take(fix.dop.vertical, 1e2, in: &vdop, .vdop))
    if let count = fix.satellitesUsed {
      satellitesUsed = Int64(count)
      known.insert(.satellitesUsed)
    }
    modeAndStatus = fix.mode.rawValue & 3 | fix.status.rawValue << 2
    takeTime(fix, boottime: boottime)
    more = FixExtras(fix, after: previous.more)
  }

  private mutating func takePosition(_ fix: Fix) {
    guard let position = fix.position, position.isValid,
      let latitude = scaled(position.latitude, 1e9), let longitude = scaled(position.longitude, 1e9)
    else { return }
    (self.latitude, self.longitude) = (latitude, longitude)
    known.insert(.position)
  }

  /// Two of three heights are stored, such that each known one comes back to the millimetre.
  private mutating func takeHeights(_ fix: Fix) {
    let ellipsoid = fix.altitudeEllipsoid.flatMap { scaled($0, 1e3) }
    let msl = fix.altitudeMSL.flatMap { scaled($0, 1e3) }
    let geoid = fix.geoidSeparation.flatMap { scaled($0, 1e3) }
    if ellipsoid != nil { known.insert(.altitudeEllipsoid) }
    if msl != nil { known.insert(.altitudeMSL) }
    if geoid != nil { known.insert(.geoidSeparation) }
    switch (ellipsoid, msl) {
    case (let ellipsoid?, let msl?): (height, separation) = (ellipsoid, ellipsoid - msl)
    case (let ellipsoid?, nil): (height, separation) = (ellipsoid, geoid ?? separation)
    case (nil, let msl?): (height, separation) = (msl + (geoid ?? 0), geoid ?? 0)
    case (nil, nil): separation = geoid ?? separation
    }
  }

  private mutating func takeCourse(_ fix: Fix) {
    guard let value = fix.course.flatMap({ scaled($0, 1e5) }), (0...Self.courseTurn).contains(value)
    else { return }
    course = value == Self.courseTurn ? 0 : value
    known.insert(.course)
  }

  private mutating func takeTime(_ fix: Fix, boottime: Monotonic) {
    flags = Flags(rawValue: fix.dateSource.rawValue << Flags.dateSourceShift)
    if fix.isLeapSecond { flags.insert(.leapSecond) }
    if fix.accuracyIsEstimated { flags.insert(.accuracyIsEstimated) }
    let received = floorDivided(boottime.nanoseconds, by: 1_000_000)
    if let instant = fix.time {
      time = instant.microseconds
      flags.insert(.hasTime)
    } else if let timeOfDay = fix.timeOfDay {
      time = timeOfDay.microseconds
      flags.insert(.hasTimeOfDay)
    } else {
      time = received &* 1000
    }
    lag = received &- floorDivided(time, by: 1000)
  }

  /// When the first byte of the fix was read, in whole milliseconds.
  var boottime: Monotonic {
    Monotonic(milliseconds: lag &+ floorDivided(time, by: 1000))
  }

  /// The fix as it was, rounded to the units of the record.
  var fix: Fix {
    var fix = Fix()
    fix.mode = FixMode(rawValue: modeAndStatus & 3) ?? .unknown
    fix.status = FixStatus(rawValue: modeAndStatus >> 2 & 15) ?? .unknown
    setTime(of: &fix)
    if known.contains(.position) {
      fix.position = Coordinate(
        latitude: Double(latitude) / 1e9, longitude: Double(longitude) / 1e9)
    }
    fix.altitudeEllipsoid = value(height, 1e3, .altitudeEllipsoid)
    fix.altitudeMSL = value(height &- separation, 1e3, .altitudeMSL)
    fix.geoidSeparation = value(separation, 1e3, .geoidSeparation)
    fix.horizontalAccuracy = value(horizontalAccuracy, 1e3, .horizontalAccuracy)
    fix.verticalAccuracy = value(verticalAccuracy, 1e3, .verticalAccuracy)
    fix.speed = value(speed, 1e3, .speed)
    fix.course = value(course, 1e5, .course)
    fix.climb = value(0 &- down, 1e3, .climb)
    fix.speedAccuracy = value(speedAccuracy, 1e3, .speedAccuracy)
    fix.courseAccuracy = value(courseAccuracy, 1e5, .courseAccuracy)
    fix.satellitesUsed = known.contains(.satellitesUsed) ? Int(satellitesUsed) : nil
    fix.dop.position = value(pdop, 1e2, .pdop)
    fix.dop.horizontal = value(hdop, 1e2, .hdop)
    fix.dop.vertical = value(vdop, 1e2, .vdop)
    more.apply(to: &fix)
    return fix
  }

  private func setTime(of fix: inout Fix) {
    fix.isLeapSecond = flags.contains(.leapSecond)
    fix.accuracyIsEstimated = flags.contains(.accuracyIsEstimated)
    fix.dateSource = DateSource(rawValue: flags.rawValue >> Flags.dateSourceShift & 7) ?? .none
    if flags.contains(.hasTime) {
      let instant = UTCTime(microseconds: time)
      fix.time = instant
      let ofDay = instant.timeOfDay.microseconds
      let isNextDay = fix.isLeapSecond && ofDay < UTCTime.microsecondsPerSecond
      fix.timeOfDay = TimeOfDay(
        microseconds: isNextDay ? ofDay + UTCTime.microsecondsPerDay : ofDay)
    } else if flags.contains(.hasTimeOfDay) {
      fix.timeOfDay = TimeOfDay(microseconds: time)
    }
  }

  private func value(_ stored: Int64, _ scale: Double, _ bit: Known) -> Double? {
    known.contains(bit) ? Double(stored) / scale : nil
  }
}

/// Puts a known value into its field; gives `bit` back where it is known and `[]` where not.
private func take(
  _ measured: Double?, _ scale: Double, in field: inout Int64, _ bit: FixValues.Known
) -> FixValues.Known {
  guard let value = measured.flatMap({ scaled($0, scale) }) else { return [] }
  field = value
  return bit
}

/// `value` in units of 1/`scale`, half rounded away from zero; `nil` for what is no measurement.
func scaled(_ value: Double, _ scale: Double) -> Int64? {
  let rounded = (value * scale).rounded(.toNearestOrAwayFromZero)
  return rounded.magnitude < 0x1p53 ? Int64(rounded) : nil
}

func floorDivided(_ value: Int64, by divisor: Int64) -> Int64 {
  let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
  return remainder < 0 ? quotient - 1 : quotient
}

extension Monotonic {
  /// Clamped to what nanoseconds can hold.
  init(milliseconds: Int64) {
    let (product, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    self.init(nanoseconds: overflow ? (milliseconds < 0 ? .min : .max) : product)
  }
}
