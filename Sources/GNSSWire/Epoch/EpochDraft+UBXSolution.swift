import GNSS

// UBX messages of receivers and settings without NAV-PVT, and its complements.
extension EpochDraft {
  /// The solution in space, of receivers up to u-blox 6.
  mutating func mergeSOL(_ payload: UBXPayload) {
    if votes.binaryMode == nil {
      settle(
        fixType: payload[NavSOL.fixType], flags: payload[NavSOL.flags] & 3,
        pdop: Double(payload[NavSOL.pdop]) / 100)
    }
    fix.satellitesUsed = fix.satellitesUsed ?? Int(payload[NavSOL.satellitesUsed])
    fix.dop.position = fix.dop.position ?? UBXScale.dilution(payload[NavSOL.pdop])
    let point = EarthCentred(
      x: Double(payload[NavSOL.x]) / 100, y: Double(payload[NavSOL.y]) / 100,
      z: Double(payload[NavSOL.z]) / 100)
    guard let (coordinate, height) = point.geodetic else { return }
    set(position: coordinate, rank: SourceRank.ecef)
    if SourceRank.ecef >= altitudeRank {
      (fix.altitudeEllipsoid, altitudeRank) = (height, SourceRank.ecef)
    }
    let velocity = EarthCentred(
      x: Double(payload[NavSOL.velocityX]) / 100, y: Double(payload[NavSOL.velocityY]) / 100,
      z: Double(payload[NavSOL.velocityZ]) / 100
    ).local(at: coordinate)
    set(
      speed: (velocity.north * velocity.north + velocity.east * velocity.east).squareRoot(),
      course: EarthCentred.course(north: velocity.north, east: velocity.east),
      climb: velocity.up, rank: SourceRank.ecef)
    // The accuracy in space is no smaller than the one on the ground.
    set(
      horizontal: UBXScale.accuracy(millimetres: payload[NavSOL.positionAccuracy]).map { $0 * 10 },
      vertical: nil, rank: SourceRank.ecef)
    errors.speed =
      errors.speed
      ?? UBXScale.accuracy(millimetres: payload[NavSOL.speedAccuracy]).map { $0 * 10 }
  }

  /// The covariances give an accuracy where no other message does.
  mutating func mergeCOV(_ payload: UBXPayload) {
    guard payload[NavCOV.positionIsValid] == 1,
      let horizontal = AccuracyModel.deviation(
        ofVariance: payload[NavCOV.northNorth] + payload[NavCOV.eastEast])
    else { return }
    set(
      horizontal: horizontal,
      vertical: AccuracyModel.deviation(ofVariance: payload[NavCOV.downDown]),
      rank: SourceRank.sentence)
  }
}
