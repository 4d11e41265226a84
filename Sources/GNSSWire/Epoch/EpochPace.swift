import GNSS

/// Learns how a receiver's epochs look: which message ends them, how far they lie apart, and how
/// long the pauses within one are. From that follows when an epoch can be closed before the next
/// begins.
struct EpochPace {
  /// After so many epochs in a row that ended alike, the ender is believed. More than ten: some
  /// receivers add a message once a second at ten epochs a second.
  private static let trustEpochCount = 12
  /// After so many epochs the pauses within a burst are known.
  private static let burstEpochCount = 3
  /// Each time it proves wrong, twice as many are asked for, up to this.
  private static let trustEpochCountMax = 256
  /// Bounds of the idle rule; it also never waits for more than half an epoch.
  private static let idleMin: Int64 = 40_000_000
  private static let idleMax: Int64 = 250_000_000
  /// A pause this many times the longest seen within a burst ends it.
  private static let pauseFactor: Int64 = 3
  private static let intervalMax: Int64 = 60_000_000_000

  // The ender.
  private var ender: MessageType?
  /// How many messages of its type an epoch has.
  private var enderOccurrences = 0
  private var streak = 0
  private var required = Self.trustEpochCount

  // The open epoch.
  private var lastType: MessageType?
  private var occurrences = 0
  private var enderSeen = 0

  // The burst. All in nanoseconds.
  private var lastSpan: Int64?
  private var interval: Int64?
  private var epochCount = 0
  private var longestPause: Int64 = 0

  /// Notes a message of the open epoch.
  /// - Returns: Whether it is the learned last one.
  mutating func note(_ type: MessageType) -> Bool {
    occurrences = type == lastType ? occurrences + 1 : 1
    lastType = type
    guard type == ender else { return false }
    enderSeen += 1
    return streak >= required && enderSeen == enderOccurrences
  }

  /// Notes that the epoch was over after the last message noted.
  mutating func epochEnded() {
    defer { (lastType, occurrences, enderSeen) = (nil, 0, 0) }
    guard let lastType else { return }
    epochCount = min(epochCount + 1, Self.burstEpochCount)
    if lastType == ender, enderSeen == enderOccurrences {
      streak = min(streak + 1, Self.trustEpochCountMax)
    } else {
      // A repeated last type counts from its first in the epoch where it was watched.
      enderOccurrences = lastType == ender ? enderSeen : occurrences
      (ender, streak) = (lastType, 1)
    }
  }

  /// More of an epoch came after the ender: it is none, or not always.
  mutating func enderWasWrong() {
    streak = 0
    required = min(required * 2, Self.trustEpochCountMax)
  }

  /// Notes how far two epochs lie apart, in nanoseconds.
  mutating func noteInterval(_ span: Int64) {
    guard span > 0, span < Self.intervalMax else { return }
    // The greater of two, as a receiver may correct its clock by a fraction of an epoch.
    interval = lastSpan.map { max($0, span) }
    lastSpan = span
  }

  /// Notes the time between two reads of one epoch's bytes, in nanoseconds.
  mutating func notePause(_ span: Int64) {
    // It fades, so that one hiccup does not slow the rest of the day down.
    longestPause = max(span, longestPause - longestPause / 50)
  }

  /// How long nothing may come before an open epoch is taken to be complete: three times the
  /// longest pause seen within a burst, 40 to 250 ms, and never more than half the time between
  /// epochs. In nanoseconds.
  var idleLimit: Int64 {
    let longest = min(longestPause, Self.idleMax)
    let pause = min(max(longest * Self.pauseFactor, Self.idleMin), Self.idleMax)
    let early = epochCount >= Self.burstEpochCount ? pause : Self.idleMax
    return interval.map { min(early, $0 / 2) } ?? early
  }
}
