import GNSS

extension EpochDraft {
  /// Makes of the fix what the epoch comes to: the values that hold together, and none that only
  /// look like one.
  mutating func resolve(dates: inout DateResolver, at now: Monotonic) {
    fix.mode = votes.mode
    fix.status = votes.binaryStatus ?? votes.status ?? .unknown
    resolveTime(dates: &dates, at: now)
    let isPlaced = fix.position != nil && fix.mode.rawValue >= FixMode.twoD.rawValue
    if !isPlaced { Self.dropSolution(&fix) }
    Self.resolveHeights(&fix)
    AccuracyModel.apply(errors, to: &fix, isPlaced: isPlaced)
    if !isPlaced {
      (fix.horizontalAccuracy, fix.verticalAccuracy) = (nil, nil)
      (fix.speedAccuracy, fix.courseAccuracy) = (nil, nil)
    }
  }

  @inline(__always)
  private mutating func resolveTime(dates: inout DateResolver, at now: Monotonic) {
    let timeOfDay = timeOfDay ?? utc?.timeOfDay
    fix.timeOfDay = timeOfDay
    fix.isLeapSecond =
      isLeapSecond || (timeOfDay?.microseconds ?? 0) >= UTCTime.microsecondsPerDay
    var resolved: DateResolver.Resolved?
    if let utc {
      resolved = dates.resolve(utc, isTrusted: dateIsTrusted, at: now)
    } else if let date, let timeOfDay {
      let time = UTCTime(date: date, timeOfDay: timeOfDay)
      resolved = dates.resolve(time, isTrusted: dateIsTrusted, at: now)
    } else if let timeOfDay {
      resolved = dates.carry(timeOfDay, at: now)
    }
    fix.time = resolved?.time
    fix.dateSource = resolved?.source ?? .none
    if utc != nil, leapIsByTable, fix.dateSource == .receiver { fix.dateSource = .leapTable }
  }

  /// Without a position there is no fix, whatever a mode says: what the receiver remembers of the
  /// last one must not look new.
  private static func dropSolution(_ result: inout Fix) {
    if result.mode.rawValue >= FixMode.twoD.rawValue { result.mode = .none }
    result.position = nil
    (result.altitudeMSL, result.altitudeEllipsoid, result.geoidSeparation) = (nil, nil, nil)
    (result.speed, result.course, result.climb) = (nil, nil, nil)
    (result.differentialAge, result.differentialStation) = (nil, nil)
    result.status = result.status == .time ? .time : .unknown
    result.dop = DilutionOfPrecision()
  }

  /// One height gives the other only where the separation of this place is known.
  private static func resolveHeights(_ result: inout Fix) {
    switch (result.altitudeMSL, result.altitudeEllipsoid, result.geoidSeparation) {
    case (let level?, nil, let separation?): result.altitudeEllipsoid = level + separation
    case (nil, let height?, let separation?): result.altitudeMSL = height - separation
    case (let level?, let height?, nil): result.geoidSeparation = height - level
    default: break
    }
  }
}
