import GNSS

/// Finds the holes in one receiver's fixes and says why they are there.
package struct GapWatch: Sendable {
  /// Why fixes were missing; the strongest reason seen wins. The text goes to the log.
  package enum Cause: Int, Comparable, Sendable {
    case noFix = 0
    case silence = 1
    /// By our own order.
    case asleep = 2
    case detached = 3

    package var reason: String {
      switch self {
      case .noFix: "no fix"
      case .silence: "nothing received"
      case .asleep: "asleep"
      case .detached: "receiver detached"
      }
    }

    package static func < (left: Cause, right: Cause) -> Bool { left.rawValue < right.rawValue }
  }

  /// A hole, from the last fix before it to the first one behind.
  package struct Gap: Equatable, Sendable {
    package var from: UTCTime?
    package var to: UTCTime?
    package var span: Duration
    package var cause: Cause
    /// Sentences and frames that failed their checks meanwhile.
    package var rejectedCount: Int
  }

  /// A hole is told when it is longer than this and than `epochMultiple` epochs.
  package static let shortest = Duration.seconds(10)
  package static let epochMultiple = 5

  private var last: (time: UTCTime?, boottime: Monotonic, rejectedCount: Int)?
  /// The shortest distance between fixes so far: one epoch.
  private var interval: Duration?
  private var cause: Cause?

  package init() {}

  /// Notes what hinders fixes now.
  package mutating func note(_ cause: Cause) { self.cause = max(self.cause ?? cause, cause) }

  /// Takes a fix in.
  /// - Parameter rejectedCount: The decoder's count of what it refused so far.
  /// - Returns: The hole that this fix ends, if there was one.
  package mutating func fix(
    time: UTCTime?, boottime: Monotonic, rejectedCount: Int
  ) -> Gap? {
    defer {
      last = (time, boottime, rejectedCount)
      cause = nil
    }
    guard let last, boottime > last.boottime else { return nil }
    let span = boottime - last.boottime
    defer { interval = min(interval ?? span, span) }
    // The second fix of all tells how long an epoch is, unless something was seen to delay it.
    let isLong = interval.map { span > $0 * Self.epochMultiple } ?? (cause != nil)
    guard span > Self.shortest, isLong else { return nil }
    return Gap(
      from: last.time, to: time, span: span, cause: cause ?? .silence,
      rejectedCount: max(0, rejectedCount - last.rejectedCount))
  }
}
