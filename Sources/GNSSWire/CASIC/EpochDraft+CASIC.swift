import GNSS

extension EpochDraft {
  mutating func mergeCASICPosition(_ payload: UBXPayload) {
    votes.binaryStatus = .gps
    switch payload[CASICNavPV.positionValid] {
    case 6: votes.binaryMode = .twoD
    case 7: votes.binaryMode = .threeD
    case 8: (votes.binaryMode, votes.binaryStatus) = (.threeD, .gnssDeadReckoning)
    // Set from outside, a rough estimate, the last one held: none of them is a fix.
    default: votes.binaryMode = FixMode.none
    }
    // The sentences beside it know whether corrections are used.
    if let status = votes.status, votes.binaryStatus == .gps { votes.binaryStatus = status }
    fix.satellitesUsed = Int(payload[CASICNavPV.satellitesUsed])
    fix.dop.position = Dilution.known(Double(payload[CASICNavPV.pdop])) ?? fix.dop.position
    set(
      position: Coordinate(
        latitude: payload[CASICNavPV.latitude], longitude: payload[CASICNavPV.longitude]),
      rank: SourceRank.casic)
    let height = Double(payload[CASICNavPV.height])
    let separation = Double(payload[CASICNavPV.geoidSeparation])
    if votes.binaryMode == .threeD, height.isFinite, separation.isFinite {
      set(height: height, level: height - separation, rank: SourceRank.casic)
    }
    set(
      horizontal: AccuracyModel.deviation(
        ofVariance: payload[CASICNavPV.horizontalVariance]),
      vertical: AccuracyModel.deviation(ofVariance: payload[CASICNavPV.verticalVariance]),
      rank: SourceRank.casic)
    mergeCASICVelocity(payload)
  }

  private mutating func mergeCASICVelocity(_ payload: UBXPayload) {
    let speed = Double(payload[CASICNavPV.groundSpeed])
    let course = Double(payload[CASICNavPV.course])
    let climb = Double(payload[CASICNavPV.velocityUp])
    let isInSpace = payload[CASICNavPV.velocityValid] >= 7
    guard payload[CASICNavPV.velocityValid] >= 6, speed.isFinite, (0...360).contains(course),
      climb.isFinite
    else { return }
    set(
      speed: speed, course: course == 360 ? 0 : course, climb: isInSpace ? climb : nil,
      rank: SourceRank.casic)
    errors.speed = AccuracyModel.deviation(ofVariance: payload[CASICNavPV.speedVariance])
    // A deviation of more than half a turn says that the course is not known.
    errors.course = AccuracyModel.deviation(ofVariance: payload[CASICNavPV.courseVariance])
      .flatMap { $0 < 180 ? $0 : nil }
  }

  mutating func mergeCASICDilution(_ payload: UBXPayload) {
    func known(_ field: UBXField<Float>) -> Double? { Dilution.known(Double(payload[field])) }
    fix.dop.position = known(CASICNavDOP.position)
    fix.dop.horizontal = known(CASICNavDOP.horizontal)
    fix.dop.vertical = known(CASICNavDOP.vertical)
    fix.dop.north = known(CASICNavDOP.north)
    fix.dop.east = known(CASICNavDOP.east)
    fix.dop.time = known(CASICNavDOP.time)
  }
}

extension UBXPayload {
  /// The UTC of a CASIC NAV-TIMEUTC, if it is of the sky and with leap seconds.
  var utcOfCASIC: UTCTime? {
    guard self[CASICNavTIMEUTC.valid] & 7 == 7, self[CASICNavTIMEUTC.dateValid] >= 2,
      self[CASICNavTIMEUTC.millisecond] < 1000
    else { return nil }
    let clock = (
      self[CASICNavTIMEUTC.hour], self[CASICNavTIMEUTC.minute], self[CASICNavTIMEUTC.second]
    )
    return utc(
      year: self[CASICNavTIMEUTC.year], month: self[CASICNavTIMEUTC.month],
      day: self[CASICNavTIMEUTC.day], clock: clock,
      nano: Int32(self[CASICNavTIMEUTC.millisecond]) * 1_000_000)
  }
}
