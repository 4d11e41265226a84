import Bytes
import GNSS
import GNSSWire

/// A receiver that is carried along a track: one epoch after the other, with the bytes it sends.
package struct TrackReplay {
  package enum Language: Sendable { case nmea, ubx }

  /// What the epochs are stamped with.
  package enum Stamp: Sendable {
    /// The times of the track. At each further turn they go on from the end of the one before.
    case recorded
    /// The time at which they are sent.
    case present
  }

  /// What receivers send unless they are told otherwise, and their own error estimates.
  private static let sentences: SentenceSet = [.rmc, .vtg, .gga, .gsa, .gsv, .gst]

  private let track: Track
  private let language: Language
  /// Epochs a second, in step with whole seconds of UTC.
  private let rate: Int64
  private let stamp: Stamp
  /// How many times the track is travelled; `nil` is for ever.
  private let turnCount: Int?
  private var cursor: TrackCursor
  private var turn = 0
  /// Of the next epoch, in periods since 1970 along the track.
  private var tick: Int64
  private let firstTick: Int64
  private let lastTick: Int64
  /// Of the last epoch that was stamped with the present time.
  private var presentTick: Int64?

  /// Epochs a second.
  package static let rates = 1...20

  /// - Parameter rate: Epochs a second, within `rates`; what is outside is taken as the nearest.
  package init(
    _ track: Track, language: Language, rate: Int = 1, stamp: Stamp = .recorded,
    turnCount: Int? = 1
  ) {
    (self.track, self.language, self.stamp, self.turnCount) = (track, language, stamp, turnCount)
    self.rate = Int64(min(max(rate, Self.rates.lowerBound), Self.rates.upperBound))
    cursor = TrackCursor(track)
    let start = track.start.microseconds * self.rate
    let end = track.end.microseconds * self.rate
    // The first whole period in the track, and the last one.
    firstTick = -Self.floor(-start)
    lastTick = max(Self.floor(end), firstTick)
    tick = firstTick
  }

  private static func floor(_ microseconds: Int64) -> Int64 {
    let unit = UTCTime.microsecondsPerSecond
    return microseconds / unit - (microseconds % unit < 0 ? 1 : 0)
  }

  /// When the next epoch is due, counted from the first; `nil` behind the last.
  package var nextDue: Duration? {
    isOver ? nil : time(ofTick: firstTick + passedTicks) - time(ofTick: firstTick)
  }

  /// Appends the bytes of the next epoch; nothing behind the last.
  ///
  /// - Parameter now: The present time; only looked at where epochs are stamped with it.
  package mutating func next(into output: inout OutputBuffer, at now: UTCTime) {
    guard let epoch = nextEpoch(at: now) else { return }
    switch language {
    case .nmea: output.appendSentences(Self.sentences, of: epoch)
    case .ubx: output.appendUBX(of: epoch)
    }
  }

  /// The next epoch itself, as the receiver knows it.
  mutating func nextEpoch(at now: UTCTime) -> Epoch? {
    guard !isOver else { return nil }
    let recorded = time(ofTick: firstTick + passedTicks)
    if tick > lastTick { (turn, tick, cursor) = (turn + 1, firstTick, TrackCursor(track)) }
    let period = Duration.microseconds(UTCTime.microsecondsPerSecond / rate)
    let motion = cursor.motion(at: time(ofTick: tick), hold: period)
    tick += 1
    return Epoch(motion, at: stamp == .recorded ? recorded : present(now))
  }

  private var isOver: Bool {
    guard let turnCount else { return false }
    return tick > lastTick && turn + 1 >= turnCount
  }

  /// Of all turns so far.
  private var passedTicks: Int64 { Int64(turn) * (lastTick - firstTick + 1) + tick - firstTick }

  private func time(ofTick tick: Int64) -> UTCTime {
    UTCTime(microseconds: tick * UTCTime.microsecondsPerSecond / rate)
  }

  /// The whole period nearest to `now`, but always later than the one before.
  private mutating func present(_ now: UTCTime) -> UTCTime {
    let period = UTCTime.microsecondsPerSecond / rate
    var tick = Self.floor((now + .microseconds(period / 2)).microseconds * rate)
    if let presentTick { tick = max(tick, presentTick + 1) }
    presentTick = tick
    return time(ofTick: tick)
  }
}

extension Epoch {
  /// What a receiver with a good view of the sky would say; without motion it has lost its fix.
  fileprivate init(_ motion: TrackCursor.Motion?, at time: UTCTime) {
    self.init()
    fix.time = time
    fix.timeOfDay = time.timeOfDay
    fix.dateSource = .receiver
    satellites = SimulatedSky.satellites(at: time, hasFix: motion != nil)
    satellitesAreFresh = true
    guard let motion else {
      fix.mode = .none
      fix.satellitesUsed = 0
      return
    }
    fix.mode = motion.altitude == nil ? .twoD : .threeD
    fix.status = .simulated
    fix.position = motion.coordinate
    fix.altitudeMSL = motion.altitude
    (fix.speed, fix.course, fix.climb) = (motion.speed, motion.course, motion.climb)
    (fix.horizontalAccuracy, fix.verticalAccuracy) = (1.5, motion.altitude == nil ? nil : 2.5)
    (fix.speedAccuracy, fix.courseAccuracy) = (0.1, motion.course == nil ? nil : 2)
    fix.dop = SimulatedSky.dop
    fix.satellitesUsed = SimulatedSky.usedCount
  }
}
