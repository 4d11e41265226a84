import Bytes
import GNSS

// What UBX messages add to the open epoch. Lengths are checked by the caller.
extension EpochDraft {
  /// u-blox receivers clear `gnssFixOK` when the position dilution exceeds their mask, 25 as they
  /// are delivered.
  private static let pdopMask = 25.0

  mutating func mergePVT(_ payload: UBXPayload) {
    let pdop = UBXScale.dilution(payload[NavPVT.pdop])
    settle(
      fixType: payload[NavPVT.fixType], flags: payload[NavPVT.flags],
      pdop: Double(payload[NavPVT.pdop]) / 100)
    fix.satellitesUsed = Int(payload[NavPVT.satellitesUsed])
    fix.dop.position = pdop ?? fix.dop.position
    let isFull = payload.count >= NavPVT.byteCountFull
    let flags3 = isFull ? payload[NavPVT.flags3] : 0
    if flags3 & 1 == 0 {
      set(
        latitude: payload[NavPVT.latitude], longitude: payload[NavPVT.longitude],
        rank: SourceRank.pvt)
      set(
        height: UBXScale.metres(millimetres: payload[NavPVT.height]),
        level: UBXScale.metres(millimetres: payload[NavPVT.heightMSL]), rank: SourceRank.pvt)
    }
    fix.differentialAge = Self.correctionAge(code: flags3 >> 1 & 15) ?? fix.differentialAge
    set(
      speed: Double(payload[NavPVT.groundSpeed]) / 1000,
      course: UBXScale.direction(e5: payload[NavPVT.course]),
      climb: -Double(payload[NavPVT.velocityDown]) / 1000, rank: SourceRank.pvt)
    set(
      horizontal: UBXScale.accuracy(millimetres: payload[NavPVT.horizontalAccuracy]),
      vertical: UBXScale.accuracy(millimetres: payload[NavPVT.verticalAccuracy]),
      rank: SourceRank.pvt)
    errors.speed = UBXScale.accuracy(millimetres: payload[NavPVT.speedAccuracy])
    errors.course = Double(payload[NavPVT.courseAccuracy]) / 1e5
    if isFull, payload[NavPVT.valid] & 8 != 0 {
      fix.magneticVariation = Double(payload[NavPVT.declination]) / 100
    }
  }

  /// Time and kind of solution of HNR-PVT, which has no dilution.
  mutating func mergeHNR(_ payload: UBXPayload) {
    if payload[HNRPVT.valid] & 7 == 7 {
      let clock = (payload[HNRPVT.hour], payload[HNRPVT.minute], payload[HNRPVT.second])
      let time = payload.utc(
        year: payload[HNRPVT.year], month: payload[HNRPVT.month], day: payload[HNRPVT.day],
        clock: clock, nano: payload[HNRPVT.nano])
      set(time: time, second: clock.2)
    }
    settle(fixType: payload[HNRPVT.fixType], flags: payload[HNRPVT.flags] & 3, pdop: nil)
    set(
      latitude: payload[HNRPVT.latitude], longitude: payload[HNRPVT.longitude], rank: SourceRank.pvt
    )
    set(
      height: UBXScale.metres(millimetres: payload[HNRPVT.height]),
      level: UBXScale.metres(millimetres: payload[HNRPVT.heightMSL]), rank: SourceRank.pvt)
    set(
      speed: Double(payload[HNRPVT.groundSpeed]) / 1000,
      course: UBXScale.direction(e5: payload[HNRPVT.course]), climb: nil, rank: SourceRank.pvt)
    fix.heading = UBXScale.direction(e5: payload[HNRPVT.vehicleHeading])
    set(
      horizontal: UBXScale.accuracy(millimetres: payload[HNRPVT.horizontalAccuracy]),
      vertical: UBXScale.accuracy(millimetres: payload[HNRPVT.verticalAccuracy]),
      rank: SourceRank.pvt)
    errors.speed = UBXScale.accuracy(millimetres: payload[HNRPVT.speedAccuracy])
    errors.course = Double(payload[HNRPVT.courseAccuracy]) / 1e5
  }

  mutating func mergeHPPOSLLH(_ payload: UBXPayload) {
    guard payload[NavHPPOSLLH.flags] & 1 == 0 else { return }
    func degrees(_ coarse: Int32, _ fine: Int8) -> Double {
      Double(Int64(coarse) * 100 + Int64(fine)) / 1e9
    }
    func metres(_ coarse: Int32, _ fine: Int8) -> Double {
      Double(Int64(coarse) * 10 + Int64(fine)) / 1e4
    }
    set(
      position: Coordinate(
        latitude: degrees(payload[NavHPPOSLLH.latitude], payload[NavHPPOSLLH.latitudeHP]),
        longitude: degrees(payload[NavHPPOSLLH.longitude], payload[NavHPPOSLLH.longitudeHP])),
      rank: SourceRank.highPrecision)
    set(
      height: metres(payload[NavHPPOSLLH.height], payload[NavHPPOSLLH.heightHP]),
      level: metres(payload[NavHPPOSLLH.heightMSL], payload[NavHPPOSLLH.heightMSLHP]),
      rank: SourceRank.highPrecision)
    // In tenths of a millimetre.
    set(
      horizontal: UBXScale.accuracy(millimetres: payload[NavHPPOSLLH.horizontalAccuracy])
        .map { $0 / 10 },
      vertical: UBXScale.accuracy(millimetres: payload[NavHPPOSLLH.verticalAccuracy]).map {
        $0 / 10
      },
      rank: SourceRank.highPrecision)
  }

  mutating func mergePOSLLH(_ payload: UBXPayload) {
    set(
      latitude: payload[NavPOSLLH.latitude], longitude: payload[NavPOSLLH.longitude],
      rank: SourceRank.posllh)
    set(
      height: UBXScale.metres(millimetres: payload[NavPOSLLH.height]),
      level: UBXScale.metres(millimetres: payload[NavPOSLLH.heightMSL]), rank: SourceRank.posllh)
    set(
      horizontal: UBXScale.accuracy(millimetres: payload[NavPOSLLH.horizontalAccuracy]),
      vertical: UBXScale.accuracy(millimetres: payload[NavPOSLLH.verticalAccuracy]),
      rank: SourceRank.posllh)
  }

  mutating func mergeVELNED(_ payload: UBXPayload) {
    let isBest = SourceRank.posllh >= speedRank
    set(
      speed: Double(payload[NavVELNED.groundSpeed]) / 100,
      course: UBXScale.direction(e5: payload[NavVELNED.course]),
      climb: -Double(payload[NavVELNED.velocityDown]) / 100, rank: SourceRank.posllh)
    guard isBest else { return }
    errors.speed = UBXScale.accuracy(millimetres: payload[NavVELNED.speedAccuracy]).map { $0 * 10 }
    errors.course = Double(payload[NavVELNED.courseAccuracy]) / 1e5
  }

  mutating func mergeStatus(_ payload: UBXPayload) {
    guard votes.binaryMode == nil else { return }
    settle(
      fixType: payload[NavSTATUS.fixType],
      flags: payload[NavSTATUS.flags] & 3 | payload[NavSTATUS.flags2] & 0xc0, pdop: nil)
  }

  mutating func mergeDOP(_ payload: UBXPayload) {
    fix.dop.geometric = UBXScale.dilution(payload[NavDOP.geometric])
    fix.dop.position = UBXScale.dilution(payload[NavDOP.position])
    fix.dop.time = UBXScale.dilution(payload[NavDOP.time])
    fix.dop.vertical = UBXScale.dilution(payload[NavDOP.vertical])
    fix.dop.horizontal = UBXScale.dilution(payload[NavDOP.horizontal])
    fix.dop.north = UBXScale.dilution(payload[NavDOP.north])
    fix.dop.east = UBXScale.dilution(payload[NavDOP.east])
  }

  /// Settles mode and status.
  ///
  /// The manual says to use a fix only with `gnssFixOK`. Where it is clear because the dilution is
  /// beyond the receiver's mask, the fix is not wrong but poor, and its accuracy says so; where
  /// nothing explains it, it is refused.
  mutating func settle(fixType: UInt8, flags: UInt8, pdop: Double?) {
    let isOK = flags & 1 != 0 || (pdop ?? 0) > Self.pdopMask
    switch fixType {
    case 1, 2: votes.binaryMode = isOK ? .twoD : FixMode.none
    case 3, 4, 5: votes.binaryMode = isOK ? .threeD : FixMode.none
    default: votes.binaryMode = FixMode.none
    }
    switch (flags >> 6 & 3, fixType) {
    case (2, _): votes.binaryStatus = .rtkFixed
    case (1, _): votes.binaryStatus = .rtkFloat
    case (_, 1): votes.binaryStatus = .deadReckoning
    case (_, 4): votes.binaryStatus = .gnssDeadReckoning
    case (_, 5): votes.binaryStatus = .time
    default: votes.binaryStatus = flags & 2 != 0 ? .dgps : .gps
    }
  }

  /// - Parameters:
  ///   - latitude: 1e-7 degrees.
  ///   - longitude: 1e-7 degrees.
  private mutating func set(latitude: Int32, longitude: Int32, rank: UInt8) {
    set(
      position: Coordinate(
        latitude: UBXScale.degrees(e7: latitude), longitude: UBXScale.degrees(e7: longitude)),
      rank: rank)
  }

  mutating func set(position: Coordinate, rank: UInt8) {
    let isDefault = position.latitude == 0 && position.longitude == 0
    guard rank >= positionRank, position.isValid, !isDefault else { return }
    (fix.position, positionRank) = (position, rank)
  }

  /// - Parameters:
  ///   - height: Metres above the ellipsoid.
  ///   - level: Metres above mean sea level.
  mutating func set(height: Double, level: Double, rank: UInt8) {
    guard rank >= altitudeRank else { return }
    (fix.altitudeEllipsoid, fix.altitudeMSL, altitudeRank) = (height, level, rank)
    fix.geoidSeparation = height - level
  }

  /// m/s and degrees.
  mutating func set(speed: Double, course: Double, climb: Double?, rank: UInt8) {
    guard rank >= speedRank, speed >= 0 else { return }
    (fix.speed, fix.course, fix.climb) = (speed, course, climb ?? fix.climb)
    (speedRank, courseRank) = (rank, rank)
  }

  /// Metres, 68 %.
  mutating func set(horizontal: Double?, vertical: Double?, rank: UInt8) {
    guard rank >= errors.rank else { return }
    (errors.horizontal, errors.vertical, errors.rank) = (horizontal, vertical, rank)
  }

  /// Seconds: the middle of the span that a code stands for. NAV-PVT, flags3.
  private static func correctionAge(code: UInt16) -> Double? {
    switch code {
    case 1: 0.5
    case 2: 1.5
    case 3: 3.5
    case 4: 7.5
    case 5: 12.5
    case 6: 17.5
    case 7: 25
    case 8: 37.5
    case 9: 52.5
    case 10: 75
    case 11: 105
    case 12...15: 120
    default: nil
    }
  }
}
