import GNSS

extension EpochDraft {
  /// What the epoch comes to: the values that hold together, and none that only look like one. It
  /// changes nothing here, but would be given a copy if it said so.
  mutating func resolve(into result: inout Fix, dates: inout DateResolver, at now: Monotonic) {
    result = fix
    result.mode = votes.mode
    result.status = votes.binaryStatus ?? votes.status ?? .unknown
    resolveTime(&result, dates: &dates, at: now)
    let isPlaced = result.position != nil && result.mode.rawValue >= FixMode.twoD.rawValue
    if !isPlaced { Self.dropSolution(&result) }
    Self.resolveHeights(&result)
    AccuracyModel.apply(errors, to: &result, isPlaced: isPlaced)
    if !isPlaced {
      (result.horizontalAccuracy, result.verticalAccuracy) = (nil, nil)
      (result.speedAccuracy, result.courseAccuracy) = (nil, nil)
    }
  }

  @inline(__always)
  private func resolveTime(_ result: inout Fix, dates: inout DateResolver, at now: Monotonic) {
    let timeOfDay = timeOfDay ?? utc?.timeOfDay
    result.timeOfDay = timeOfDay
    result.isLeapSecond =
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
    result.time = resolved?.time
    result.dateSource = resolved?.source ?? .none
    if utc != nil, leapIsByTable, result.dateSource == .receiver { result.dateSource = .leapTable }
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
