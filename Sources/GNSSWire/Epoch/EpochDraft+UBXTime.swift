import GNSS

extension EpochDraft {
  /// Only with all three bits: without the leap seconds from the sky the time may be off by
  /// seconds.
  mutating func mergeTIMEUTC(_ payload: UBXPayload) {
    guard utc == nil, payload[NavTIMEUTC.valid] & 7 == 7 else { return }
    let clock = (payload[NavTIMEUTC.hour], payload[NavTIMEUTC.minute], payload[NavTIMEUTC.second])
    let time = payload.utc(
      year: payload[NavTIMEUTC.year], month: payload[NavTIMEUTC.month],
      day: payload[NavTIMEUTC.day], clock: clock, nano: payload[NavTIMEUTC.nano])
    set(time: time, second: clock.2)
  }

  /// GPS time less the leap seconds, where the receiver knows all three.
  mutating func mergeTIMEGPS(_ payload: UBXPayload) {
    guard utc == nil, payload[NavTIMEGPS.valid] & 7 == 7 else { return }
    let week = Int64(payload[NavTIMEGPS.week])
    let seconds = week * 604_800 - Int64(payload[NavTIMEGPS.leapSeconds])
    let microseconds =
      Int64(payload[NavTIMEGPS.iTOWMilliseconds]) * 1000
      + Int64(payload[NavTIMEGPS.fTOWNanoseconds]) / 1000
    guard week >= 0 else { return }
    set(time: .gpsEpoch + .seconds(seconds) + .microseconds(microseconds), second: 0)
  }
}

extension UTCTime {
  /// 1980-01-06T00:00:00Z, where GPS time began.
  static let gpsEpoch = UTCTime(seconds: 315_964_800)
}
