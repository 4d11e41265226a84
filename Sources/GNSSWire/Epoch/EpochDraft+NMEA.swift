import GNSS

// What sentences add to the open epoch.
extension EpochDraft {
  @inline(__always)
  mutating func merge(_ sentence: RMC) {
    // A position of exactly nothing is a default; so is the date beside it.
    let isDefault = sentence.position.map(\.isDefault) ?? false
    let isValid = sentence.isValid && !isDefault
    votes.rmcIsValid = (votes.rmcIsValid ?? false) || isValid
    if !isDefault, let sent = sentence.date, date == nil || isValid {
      (date, dateIsTrusted) = (sent, isValid)
      // Date and time of one sentence belong together; others may round the time differently.
      timeOfDay = sentence.time ?? timeOfDay
    }
    guard isValid else { return }
    if let status = sentence.status, votes.quality == nil { votes.status = status }
    set(position: sentence.position)
    set(speed: sentence.speed, metresPerSecond: Knots.metresPerSecond, rank: SourceRank.sentence)
    set(course: sentence.course, rank: SourceRank.sentence)
    if let variation = sentence.magneticVariation { fix.magneticVariation = variation }
  }

  @inline(__always)
  mutating func merge(_ sentence: GGA) {
    let isDefault = sentence.position.map(\.isDefault) ?? false
    if let quality = sentence.quality {
      let counted = isDefault ? 0 : quality
      votes.quality = max(votes.quality ?? 0, counted)
    }
    guard let quality = sentence.quality, quality > 0, !isDefault else { return }
    if let status = sentence.status { votes.status = status }
    set(position: sentence.position)
    set(altitude: sentence.altitude, separation: sentence.geoidSeparation)
    if let used = sentence.satellitesUsed {
      fix.satellitesUsed = max(fix.satellitesUsed ?? 0, used)
    }
    set(hdop: sentence.hdop)
    fix.differentialAge = sentence.differentialAge ?? fix.differentialAge
    fix.differentialStation = sentence.differentialStation ?? fix.differentialStation
  }

  @inline(__always)
  mutating func merge(_ sentence: GNS) {
    let isDefault = sentence.position.map(\.isDefault) ?? false
    let isValid = sentence.status != nil && !isDefault
    votes.gnsIsValid = (votes.gnsIsValid ?? false) || isValid
    guard isValid else { return }
    if votes.quality == nil { votes.status = sentence.status }
    set(position: sentence.position)
    set(altitude: sentence.altitude, separation: sentence.geoidSeparation)
    if let used = sentence.satellitesUsed {
      fix.satellitesUsed = max(fix.satellitesUsed ?? 0, used)
    }
    set(hdop: sentence.hdop)
    fix.differentialAge = sentence.differentialAge ?? fix.differentialAge
    fix.differentialStation = sentence.differentialStation ?? fix.differentialStation
  }

  @inline(__always)
  mutating func merge(_ sentence: GLL) {
    let isDefault = sentence.position.map(\.isDefault) ?? false
    let isValid = (sentence.isValid ?? (sentence.position != nil)) && !isDefault
    votes.gllIsValid = (votes.gllIsValid ?? false) || isValid
    guard isValid else { return }
    if let status = sentence.status, votes.status == nil { votes.status = status }
    set(position: sentence.position)
  }

  @inline(__always)
  mutating func merge(_ sentence: VTG) {
    guard sentence.isValid else { return }
    if let knots = sentence.knots {
      set(speed: knots, metresPerSecond: Knots.metresPerSecond, rank: SourceRank.vtgKnots)
    } else {
      set(
        speed: sentence.kilometresPerHour, metresPerSecond: 1 / 3.6, rank: SourceRank.vtgKilometres)
    }
    set(course: sentence.course, rank: SourceRank.vtgKnots)
  }

  @inline(__always)
  mutating func merge(_ sentence: GST) { errors.statistics = sentence.statistics }

  @inline(__always)
  mutating func merge(_ sentence: GSA) {
    if let mode = sentence.mode, (1...3).contains(mode) { votes.gsaMode = max(votes.gsaMode, mode) }
    votes.gsaUsedCount += sentence.usedCount
    votes.gsaHasVertical = votes.gsaHasVertical || Dilution.known(sentence.vdop) != nil
    fix.dop.position = Dilution.known(sentence.pdop) ?? fix.dop.position
    fix.dop.vertical = Dilution.known(sentence.vdop) ?? fix.dop.vertical
    set(hdop: sentence.hdop)
  }

  mutating func set(position: NMEAPosition?) {
    guard let position else { return }
    let rank = SourceRank.nmea(decimals: position.decimals)
    guard rank >= positionRank else { return }
    (fix.position, positionRank) = (position.coordinate, rank)
  }

  /// - Parameters:
  ///   - altitude: Metres above mean sea level.
  ///   - separation: Metres from the ellipsoid up to the geoid.
  mutating func set(altitude: Double?, separation: Double?) {
    guard let altitude else { return }
    votes.hasAltitude = true
    guard SourceRank.sentence >= altitudeRank else { return }
    (fix.altitudeMSL, altitudeRank) = (altitude, SourceRank.sentence)
    fix.geoidSeparation = separation ?? fix.geoidSeparation
  }

  mutating func set(speed: DecimalNumber?, metresPerSecond unit: Double, rank: UInt8) {
    guard let speed, speed.mantissa >= 0, rank >= speedRank else { return }
    (fix.speed, speedRank) = (speed.value * unit, rank)
  }

  mutating func set(course: DecimalNumber?, rank: UInt8) {
    guard let course, rank >= courseRank, course.mantissa >= 0 else { return }
    let degrees = course.value
    guard degrees <= 360 else { return }
    (fix.course, courseRank) = (degrees == 360 ? 0 : degrees, rank)
  }

  mutating func set(hdop: Double?) {
    fix.dop.horizontal = Dilution.known(hdop) ?? fix.dop.horizontal
  }
}

extension NMEAPosition {
  /// Whether it is 0 N, 0 E to the last digit: what receivers and gateways send for nothing.
  var isDefault: Bool { coordinate.latitude == 0 && coordinate.longitude == 0 }
}

enum Knots {
  /// A nautical mile is 1852 m.
  static let metresPerSecond = 1852.0 / 3600
}

enum Dilution {
  /// 99 and more, as 0, says that there is none.
  static func known(_ value: Double?) -> Double? {
    value.flatMap { $0 > 0 && $0 < 99 ? $0 : nil }
  }
}
