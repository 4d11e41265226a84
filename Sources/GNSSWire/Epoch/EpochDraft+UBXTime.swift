import GNSS

extension EpochDraft {
  /// - Parameter utc: What the message says of it, if that is valid.
  mutating func mergePVTTime(_ payload: UBXPayload, _ utc: UTCTime?, _ leaps: LeapSeconds) {
    if let utc {
      set(time: utc, second: payload[NavPVT.second])
    } else if let time = payload.unresolvedUTCOfPVT {
      set(
        leaps.correct(time, iTOWMilliseconds: payload[NavPVT.iTOWMilliseconds]))
    }
  }

  /// Only with all three bits: without the leap seconds from the sky the time may be off by
  /// seconds.
  mutating func mergeTIMEUTC(_ payload: UBXPayload) {
    guard utc == nil || leapIsByTable, payload[NavTIMEUTC.valid] & 7 == 7 else { return }
    let clock = (payload[NavTIMEUTC.hour], payload[NavTIMEUTC.minute], payload[NavTIMEUTC.second])
    let time = payload.utc(
      year: payload[NavTIMEUTC.year], month: payload[NavTIMEUTC.month],
      day: payload[NavTIMEUTC.day], clock: clock, nano: payload[NavTIMEUTC.nano])
    set(time: time, second: clock.2)
  }

  /// Week and time of week, where both are valid, less the leap seconds.
  mutating func mergeTIMEGPS(_ payload: UBXPayload, _ leaps: LeapSeconds) {
    guard payload[NavTIMEGPS.valid] & 3 == 3 else { return }
    setGPS(
      week: payload[NavTIMEGPS.week], milliseconds: payload[NavTIMEGPS.iTOWMilliseconds],
      nanoseconds: payload[NavTIMEGPS.fTOWNanoseconds], leaps)
  }

  /// As `mergeTIMEGPS`, for receivers and settings without any message that has UTC.
  mutating func mergeSOLTime(_ payload: UBXPayload, _ leaps: LeapSeconds) {
    guard payload[NavSOL.flags] & 13 == 13 else { return }
    setGPS(
      week: payload[NavSOL.week], milliseconds: payload[NavSOL.iTOWMilliseconds],
      nanoseconds: payload[NavSOL.fTOWNanoseconds], leaps)
  }

  mutating func set(time: UTCTime?, second: UInt8) {
    guard let time else { return }
    (utc, dateIsTrusted, isLeapSecond, leapIsByTable) = (time, true, second == 60, false)
  }

  private mutating func setGPS(
    week: Int16, milliseconds: UInt32, nanoseconds: Int32, _ leaps: LeapSeconds
  ) {
    guard week >= 0 else { return }
    let microseconds =
      Int64(week) * 604_800_000_000 + Int64(milliseconds) * 1000 + Int64(nanoseconds) / 1000
    set(leaps.convert(gps: UTCTime(microseconds: UTCTime.gpsEpoch.microseconds + microseconds)))
  }

  /// What was computed here does not replace what a receiver said.
  private mutating func set(_ converted: LeapSeconds.Converted?) {
    guard utc == nil, let converted else { return }
    (utc, dateIsTrusted) = (converted.time, true)
    (isLeapSecond, leapIsByTable) = (converted.isLeapSecond, converted.isByTable)
  }
}

extension UTCTime {
  /// 1980-01-06T00:00:00Z, where GPS time began.
  static let gpsEpoch = UTCTime(seconds: 315_964_800)
}
