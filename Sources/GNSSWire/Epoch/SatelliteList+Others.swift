import GNSS

// The satellite messages of CASIC and of u-blox's own sentences.
extension SatelliteList {
  /// One message a system; each replaces that system's satellites.
  mutating func takeCASIC(_ payload: UBXPayload, count: Int, of constellation: Constellation) {
    beginList(of: constellation)
    for block in 0..<count {
      func field<Raw>(_ field: UBXField<Raw>) -> Raw where Raw: FixedWidthInteger {
        payload[field, block: block, of: CASICNavINFO.blockByteCount]
      }
      let svid = field(CASICNavINFO.svid)
      guard svid > 0 else { continue }
      var satellite = Satellite(constellation: constellation, svid: svid)
      satellite.set(
        elevation: field(CASICNavINFO.elevation), azimuth: field(CASICNavINFO.azimuth),
        cn0: field(CASICNavINFO.cn0))
      satellite.isUsed = field(CASICNavINFO.flags) & 1 != 0
      satellite.hasEphemeris = field(CASICNavINFO.flags) >> 6 == 3
      append(satellite)
    }
  }

  /// `PUBX,03`; `fields` stand at the count of satellites.
  mutating func takeUblox(_ fields: inout SentenceFields) -> Bool {
    guard let count = fields.integer(), (0...255).contains(count),
      fields.remainingCount >= count * UbloxSatellite.fieldCount
    else { return false }
    guard !hasDirections else { return true }
    beginList(hasDirections: false)
    for _ in 0..<count {
      if let satellite = UbloxSatellite(&fields).satellite { append(satellite) }
    }
    return true
  }
}
