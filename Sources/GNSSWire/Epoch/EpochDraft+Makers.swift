import GNSS

// What makers' own sentences add to the open epoch.
extension EpochDraft {
  mutating func merge(_ sentence: UbloxPosition) {
    let isDefault = sentence.position.map(\.isDefault) ?? false
    let quality = isDefault ? 0 : sentence.quality
    votes.quality = max(votes.quality ?? 0, quality)
    guard quality > 0 else { return }
    votes.gsaMode = max(votes.gsaMode, sentence.mode)
    if let status = sentence.status { votes.status = status }
    set(position: sentence.position)
    if let height = sentence.height, altitudeRank <= SourceRank.sentence {
      fix.altitudeEllipsoid = height
      votes.hasAltitude = true
    }
    set(
      speed: sentence.kilometresPerHour, metresPerSecond: 1 / 3.6, rank: SourceRank.vtgKilometres)
    set(course: sentence.course, rank: SourceRank.vtgKnots)
    fix.climb = sentence.climb ?? fix.climb
    fix.differentialAge = sentence.differentialAge ?? fix.differentialAge
    fix.satellitesUsed = sentence.satellitesUsed ?? fix.satellitesUsed
    set(hdop: sentence.hdop)
    fix.dop.vertical = Dilution.known(sentence.vdop) ?? fix.dop.vertical
    fix.dop.time = Dilution.known(sentence.tdop) ?? fix.dop.time
    set(
      horizontal: sentence.horizontalAccuracy, vertical: sentence.verticalAccuracy,
      rank: SourceRank.sentence)
  }

  mutating func merge(_ sentence: GBS) {
    guard let north = sentence.latitude, let east = sentence.longitude else { return }
    set(
      horizontal: (north * north + east * east).squareRoot(), vertical: sentence.altitude,
      rank: SourceRank.faultDetection)
  }

  mutating func merge(_ estimate: ErrorEstimate) {
    guard estimate.horizontal != nil else { return }
    set(
      horizontal: estimate.horizontal, vertical: estimate.vertical, rank: SourceRank.sentence)
  }
}
