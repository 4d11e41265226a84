import GNSS

/// What a decoder may take for granted about today's date.
package struct DateSettings: Equatable, Sendable {
  /// No live date lies before this. `nil` for a recording, which may be of any age.
  package var buildDate: UTCTime?
  /// The last trusted time that was kept on disk: no live date lies before this either.
  package var floor: UTCTime?
  /// The host's clock, if it is said to be synchronised, at `hostInstant`; `nil`: never use it.
  package var hostTime: UTCTime?
  package var hostInstant: Monotonic

  package init(
    buildDate: UTCTime? = nil, floor: UTCTime? = nil, hostTime: UTCTime? = nil,
    hostInstant: Monotonic = .zero
  ) {
    (self.buildDate, self.floor) = (buildDate, floor)
    (self.hostTime, self.hostInstant) = (hostTime, hostInstant)
  }

  /// No date before this is possible: one day of grace, as a build date has no zone.
  var earliest: UTCTime? {
    [buildDate, floor].compactMap { $0 }.max().map { $0 + .seconds(-86_400) }
  }
}

/// Gives each epoch its date. The host's clock is not asked unless it is said to be synchronised,
/// as the receiver is what sets it; a date is carried on from epoch to epoch by the time of day.
struct DateResolver {
  var settings: DateSettings { didSet { earliest = settings.earliest } }
  private var earliest: UTCTime?
  /// The last epoch that had a date, and when it was read.
  private var last: (time: UTCTime, at: Monotonic)?

  /// GPS counts weeks modulo 1024; firmware adds a fixed number of cycles, until it is too old.
  private static let rollover = Duration.seconds(1024 * 7 * 86_400)

  init(settings: DateSettings) { (self.settings, earliest) = (settings, settings.earliest) }

  struct Resolved: Equatable {
    var time: UTCTime
    var source: DateSource
  }

  /// - Parameters:
  ///   - time: Date and time as the receiver sent them.
  ///   - isTrusted: Whether it came with a valid solution: only then is a date that is too old
  ///     taken for one of an earlier cycle, else for the default of a clock that was never set.
  mutating func resolve(_ time: UTCTime, isTrusted: Bool, at now: Monotonic) -> Resolved? {
    var resolved = Resolved(time: time, source: .receiver)
    if let earliest = bound(for: time), time < earliest {
      guard isTrusted else { return carry(time.timeOfDay, at: now) }
      while resolved.time < earliest { resolved.time = resolved.time + Self.rollover }
      resolved.source = .rolloverCorrected
    }
    last = (resolved.time, now)
    return resolved
  }

  /// The date of a time of day that came without one: that which puts it within half a day of the
  /// last dated epoch, or else of a trusted host clock.
  mutating func carry(_ timeOfDay: TimeOfDay, at now: Monotonic) -> Resolved? {
    let (expected, source): (UTCTime, DateSource)
    if let last {
      (expected, source) = (last.time + max(now - last.at, .zero), .carried)
    } else if let host = settings.hostTime {
      (expected, source) = (host + (now - settings.hostInstant), .hostClock)
    } else {
      return nil
    }
    let half = UTCTime.microsecondsPerDay / 2
    let day = (expected + .microseconds(half - timeOfDay.microseconds)).date
    let time = UTCTime(date: day, timeOfDay: timeOfDay)
    last = (time, now)
    return Resolved(time: time, source: source)
  }

  /// The earliest possible time: the settings' or, where a receiver falls back by whole cycles
  /// while it runs, the last epoch's.
  private func bound(for time: UTCTime) -> UTCTime? {
    if let last, time < last.time {
      let day = UTCTime.microsecondsPerDay
      let cycle = Self.rollover.wholeMicroseconds
      let span = (last.time - time).wholeMicroseconds
      let isWhole = span % cycle < day || span % cycle > cycle - day
      if span > cycle - day, isWhole { return last.time + .microseconds(-day) }
    }
    return earliest
  }
}
