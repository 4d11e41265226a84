import FixLog
import GNSS

/// Decides when the log is told what time it is: records that tie the boot-time clock to UTC let a
/// reader date what was written before the time was known.
package struct ClockWatch: Sendable {
  /// Without a change, a clock record is written again after this.
  package static let period = Duration.seconds(3600)
  /// A change of UTC against the boot-time clock that is worth a record at once. It is above what a
  /// serial line delays an epoch by.
  package static let tolerance = Duration.seconds(1)
  /// How late, at 68 %, the first byte of an epoch may be after the instant it tells of.
  package static let receptionUncertainty = Duration.milliseconds(500)

  private var lastOffset: Duration?
  private var lastRecord = Monotonic.zero

  package init() {}

  /// Takes a dated fix in.
  /// - Returns: The record to write before it, if one is due.
  package mutating func fix(
    time: UTCTime, boottime: Monotonic, bootTag: UInt64
  ) -> ClockRecord? {
    let offset = time - UTCTime(microseconds: boottime.nanoseconds / 1000)
    if let lastOffset, offset - lastOffset < Self.tolerance, lastOffset - offset < Self.tolerance,
      boottime - lastRecord < Self.period
    {
      return nil
    }
    lastOffset = offset
    lastRecord = boottime
    return ClockRecord(
      bootTag: bootTag, boottime: boottime, time: time, source: .gnss,
      uncertaintyMicroseconds: Self.receptionUncertainty.wholeMicroseconds)
  }
}

/// Notices that somebody set the system clock.
package struct SystemClockWatch: Sendable {
  /// Smaller steps than this are a clock being disciplined.
  package static let tolerance = Duration.milliseconds(500)

  private var last: (boottime: Monotonic, time: UTCTime)

  package init(boottime: Monotonic, time: UTCTime) { last = (boottime, time) }

  /// Takes a reading of both clocks in.
  /// - Returns: What the clock would have shown and what it shows, where it was stepped.
  package mutating func observe(boottime: Monotonic, time: UTCTime) -> (
    old: UTCTime, new: UTCTime
  )? {
    let expected = last.time + (boottime - last.boottime)
    last = (boottime, time)
    let step = time - expected
    return step > Self.tolerance || step < .zero - Self.tolerance ? (expected, time) : nil
  }
}
