import GNSS

/// GPS time minus UTC: what a receiver says of it, and until then what has been announced.
///
/// A receiver that was never on does not know it for up to 12.5 minutes and counts with what it was
/// built with, so that its UTC may be off by seconds; and some messages have GPS time only. Both
/// can be set right by the table as long as that is known to be complete.
struct LeapSeconds {
  /// What the receiver got from the satellites.
  private(set) var told: Int?

  /// Days since 1970 from which on GPS time is ahead by as many seconds as the place in the list.
  /// Source: IERS Bulletin C, leap-seconds.list.
  private static let days = [
    3657, 4199, 4564, 4929, 5660, 6574, 7305, 7670, 8217, 8582, 8947, 9496, 10_043, 10_592, 13_149,
    14_245, 15_522, 16_617, 17_167,
  ]
  /// No leap second is announced before; whether one comes then is not known to this table.
  /// Source: leap-seconds.list of 2026-07-06, after IERS Bulletin C 72.
  static let expiry = UTCTime(seconds: 1_814_140_800)  // 2027-06-28
  private static let secondsPerDay: Int64 = 86_400
  /// Firmware from long ago counts with 13 or so, as it was; nothing counts with more than this.
  private static let offsetMax: Int64 = 40

  /// Takes what the receiver says. Every value that the satellites can send fits.
  mutating func learn(_ seconds: Int8) {
    if seconds >= 0 { told = Int(seconds) }
  }

  /// The UTC of an instant of GPS time.
  struct Converted: Equatable {
    var time: UTCTime
    /// Whether it lies within second 60.
    var isLeapSecond = false
    /// Whether the table was asked, as the receiver has not told.
    var isByTable: Bool
  }

  /// - Parameter gps: GPS time as if it were UTC: 1980-01-06 and the seconds since.
  /// - Returns: `nil` where the receiver has not told and the table ends before.
  func convert(gps: UTCTime) -> Converted? {
    if let told { return Converted(time: Self.utc(of: gps, less: told), isByTable: false) }
    guard gps < Self.expiry, gps >= UTCTime.gpsEpoch else { return nil }
    var offset = Self.days.count - 1
    while offset > 0, gps < Self.start(of: offset) { offset -= 1 }
    let next = offset + 1
    // From the leap second on, the second before the new offset holds.
    let isLeap = next < Self.days.count && gps >= Self.start(of: next) + .seconds(-1)
    return Converted(
      time: Self.utc(of: gps, less: offset), isLeapSecond: isLeap, isByTable: true)
  }

  /// `Duration` counts in 128 bits: too much for every message.
  private static func utc(of gps: UTCTime, less seconds: Int) -> UTCTime {
    UTCTime(microseconds: gps.microseconds - Int64(seconds) * UTCTime.microsecondsPerSecond)
  }

  /// Sets a UTC right that the receiver made with an offset of its own.
  /// - Parameters:
  ///   - utc: As sent.
  ///   - iTOW: The same instant's GPS time of week, milliseconds.
  func correct(_ utc: UTCTime, iTOWMilliseconds: UInt32) -> Converted? {
    guard iTOWMilliseconds < 604_800_000 else { return nil }
    let week: Int64 = 604_800_000_000
    let sinceEpoch = (utc - UTCTime.gpsEpoch).wholeMicroseconds
    guard sinceEpoch >= 0, utc < Self.expiry else { return nil }
    var ahead = Int64(iTOWMilliseconds) * 1000 - sinceEpoch % week
    if ahead < -week / 2 { ahead += week }
    // The two are told to the millisecond and rounded in different ways.
    let offset = (ahead + 500_000) / 1_000_000
    guard (0...Self.offsetMax).contains(offset), ahead > -500_000,
      abs(ahead - offset * 1_000_000) < 10_000
    else { return nil }
    return convert(gps: utc + .seconds(offset))
  }

  /// When, in GPS time, UTC falls behind by one more second.
  private static func start(of offset: Int) -> UTCTime {
    UTCTime(seconds: Int64(days[offset]) * secondsPerDay + Int64(offset))
  }
}
