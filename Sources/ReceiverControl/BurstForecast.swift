import GNSS

/// When a port need not be read, as what comes cannot complete an epoch yet.
///
/// A receiver sends a burst of bytes for each epoch, and a serial driver hands it on in pieces of
/// 16 or 64 bytes: a program that reads each piece is woken forty times for one fix. Once the
/// epochs are known to be closed by their own last byte, the first byte of a burst is still read at
/// once, for its time; the rest waits until shortly before the earliest end that was seen of late.
/// So nothing comes later than it would.
///
/// With power saving the first byte is not waited for either: the next burst is read when it should
/// be over. A report may then come some milliseconds late, and the time of the first byte is that
/// of the last.
package struct BurstForecast: Sendable {
  /// Until when the port is to be left alone; `nil`: read it as soon as bytes come.
  package private(set) var holdEnd: Monotonic?
  private let savesPower: Bool
  private var burst: Burst?
  private var wokenAt: Monotonic?
  /// When the burst that was foretold last should have been over.
  private var foretoldEnd = Monotonic.zero
  /// Of the last epochs that were closed by their own last byte, in nanoseconds.
  private var spans: [Int64] = []
  private var byteCountMax = 0
  private var lastTime: UTCTime?
  private var lastInterval: Duration?
  /// Between epochs; `nil` while no two in a row are alike.
  private var interval: Duration?

  private struct Burst {
    let start: Monotonic
    var byteCount: Int
    var readCount = 1
    /// Whether its first bytes were read when it should have been over.
    let isForetold: Bool
    /// Whether its last bytes were there when a wait ended.
    var endedInWait = false
  }

  /// So many epochs in a row must end alike; the earliest end of so many counts.
  private static let spanCount = 16
  /// The wait ends so much before the shortest span does: a share of it, or as much as the mean one
  /// is longer, as sentences for satellites come and go, and no less than it takes to wake up. Not
  /// much more either: who just woke up is quicker when the last byte comes.
  private static let marginShare = 1.0 / 256
  /// An epoch that was complete when a wait ended was so for a while: its span is taken for so much
  /// shorter.
  private static let lateShare = 1.0 / 16
  private static let marginMin = Duration.microseconds(500)
  /// Shorter waits spare nothing: the timer wakes us, too.
  private static let holdMin = Duration.milliseconds(2)
  /// What is read so soon after a wait was there when it ended.
  private static let wakeTime = Duration.milliseconds(5)
  /// A terminal's buffer has 4096 bytes, of which so many may fill.
  private static let heldByteCountMax = 3072
  /// An epoch that was closed so soon after its last byte was closed by it, not by the next one's.
  private static let closingMax = Duration.milliseconds(20)
  /// Epochs that lie further apart, or closer, are not foretold.
  private static let intervals = Duration.milliseconds(20) ... .seconds(10)
  /// With power saving a burst is read so much of an interval after its end, at least and at most
  /// so long; each time that was late enough, the next is read a little earlier.
  private static let slackShare = 1.0 / 64
  private static let slackMin = Duration.milliseconds(1)
  private static let slackMax = Duration.milliseconds(20)
  private static let creepShare = 1.0 / 8

  package init(savesPower: Bool) { self.savesPower = savesPower }

  /// Bytes were read.
  package mutating func received(_ byteCount: Int, at now: Monotonic) {
    let isAtWake = wokenAt.map { now - $0 <= Self.wakeTime } ?? false
    (holdEnd, wokenAt) = (nil, nil)
    guard var open = burst else {
      burst = Burst(start: now, byteCount: byteCount, isForetold: isAtWake)
      if !isAtWake { holdEnd = spanToEnd.map { now + $0 } }
      return
    }
    open.byteCount += byteCount
    open.readCount += 1
    open.endedInWait = isAtWake
    burst = open
  }

  /// The wait is over: the port is to be read.
  package mutating func holdEnded(at now: Monotonic) { (holdEnd, wokenAt) = (nil, now) }

  /// An epoch was closed by the bytes just read.
  package mutating func closed(_ epoch: Epoch, at now: Monotonic) {
    guard let ended = burst, now - epoch.lastByte <= Self.closingMax else { return missed() }
    (burst, holdEnd) = (nil, nil)
    byteCountMax = max(ended.byteCount, byteCountMax - byteCountMax / Self.spanCount)
    if !ended.isForetold {
      let span = (now - ended.start) * (ended.endedInWait ? 1 - Self.lateShare : 1)
      spans.append(span.wholeNanoseconds)
      if spans.count > Self.spanCount { spans.removeFirst() }
    }
    note(epoch.fix.time)
    if savesPower, let end = nextEnd(after: ended, at: now) {
      (holdEnd, foretoldEnd) = (end, end)
    }
  }

  /// An epoch was closed because nothing came: what is foretold of ends is not to be relied on.
  package mutating func missed() {
    (burst, holdEnd, byteCountMax, interval, lastTime) = (nil, nil, 0, nil, nil)
    spans.removeAll(keepingCapacity: true)
  }

  /// How long after its first byte the rest of a burst may wait; `nil` while that is not known.
  private var spanToEnd: Duration? {
    guard spans.count == Self.spanCount, let least = spans.min() else { return nil }
    let excess = spans.reduce(0) { $0 &+ ($1 &- least) / Int64(Self.spanCount) }
    let shortest = Duration.nanoseconds(least)
    let margin = max(shortest * Self.marginShare, .nanoseconds(excess), Self.marginMin)
    var wait = shortest - margin
    if byteCountMax > Self.heldByteCountMax {
      wait = min(wait, shortest * (Double(Self.heldByteCountMax) / Double(byteCountMax)))
    }
    return wait >= Self.holdMin ? wait : nil
  }

  private mutating func note(_ time: UTCTime?) {
    defer { lastTime = time }
    interval = nil
    guard let time, let lastTime else { return }
    let span = time - lastTime
    if span == lastInterval, Self.intervals.contains(span) { interval = span }
    lastInterval = span
  }

  private func nextEnd(after burst: Burst, at now: Monotonic) -> Monotonic? {
    guard spans.count == Self.spanCount, byteCountMax <= Self.heldByteCountMax, let interval else {
      return nil
    }
    let slack = min(max(interval * Self.slackShare, Self.slackMin), Self.slackMax)
    // All of it was there: perhaps too late. Otherwise its end is known exactly.
    guard burst.isForetold, burst.readCount == 1 else { return now + interval + slack }
    return foretoldEnd + interval + slack * -Self.creepShare
  }
}
