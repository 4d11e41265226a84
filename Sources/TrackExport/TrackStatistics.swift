import Bytes
import FixLog
import GNSS

/// What a dump adds up to.
///
/// The distance counts a step when it is longer than the fix's own accuracy (at least 2 m), so that
/// a receiver at rest does not travel. Times and distances end at holes.
package struct TrackStatistics: Sendable {
  package private(set) var fixCount = 0
  package private(set) var eventCount = 0
  package private(set) var segmentCount = 0
  package private(set) var first: UTCTime?
  package private(set) var last: UTCTime?
  /// Within segments.
  package private(set) var recorded = Duration.zero
  /// Of that, faster than rest.
  package private(set) var moving = Duration.zero
  /// Metres.
  package private(set) var distance = 0.0
  /// m/s
  package private(set) var speedMax: Double?
  /// Metres above mean sea level, or above the ellipsoid where that is all that is known.
  package private(set) var altitudes: ClosedRange<Double>?
  /// Joules that receivers drew between the events that tell of it, or since the daemon's start
  /// where that is seen; `nil` where too few tell.
  package private(set) var energy: Double?
  /// Set by whoever smooths.
  package var spikeCount: Int?

  private struct Track {
    var anchor: Coordinate
    var time: UTCTime?
  }

  private var tracks = ReceiverTracks<Track>()
  /// What each receiver was last said to have drawn. Millijoules.
  private var meters: [String: Int64] = [:]
  /// Whether a receiver not heard of yet has drawn nothing so far: the daemon's start was seen.
  private var metersBeganAtZero = false

  /// Receivers whose energy is added up; those beyond are left out.
  private static let meterCountMax = 64

  /// Slower than this is rest. m/s.
  private static let restSpeed = 0.5
  /// Steps shorter than this are noise whatever the receiver says. Metres.
  private static let stepMin = 2.0

  package init() {}

  package mutating func add(_ record: LogRecord, startsSegment: Bool) {
    guard case .fix(let fix, let stream) = record.content else {
      eventCount += 1
      if case .event(let event) = record.content { addEnergy(of: event) }
      return
    }
    fixCount += 1
    if let time = record.time {
      first = min(first ?? time, time)
      last = max(last ?? time, time)
    }
    if let speed = fix.speed, speed.isFinite { speedMax = max(speedMax ?? speed, speed) }
    if let altitude = fix.altitudeMSL ?? fix.altitudeEllipsoid, altitude.isFinite {
      altitudes =
        min(
          altitudes?.lowerBound ?? altitude, altitude)...max(
          altitudes?.upperBound ?? altitude, altitude)
    }
    guard let position = fix.position, position.isValid else { return }
    if startsSegment { segmentCount += 1 }
    guard var track = tracks[stream.receiverID], !startsSegment else {
      tracks.set(Track(anchor: position, time: record.time), of: stream.receiverID)
      return
    }
    advance(&track, to: position, at: record.time, fix)
    tracks.set(track, of: stream.receiverID)
  }

  /// A meter begins at zero with the daemon, and where it shows less than before.
  private mutating func addEnergy(of event: LogEvent) {
    if event.kind == .sessionStart {
      metersBeganAtZero = true
      meters.removeAll()
    }
    guard case .number(let now)? = event[.energy], now >= 0,
      case .text(let receiver)? = event[.receiver]
    else { return }
    let known = meters[receiver]
    guard known != nil || meters.count < Self.meterCountMax else { return }
    meters[receiver] = now
    guard let before = known ?? (metersBeganAtZero ? 0 : nil) else { return }
    energy = (energy ?? 0) + Double(now >= before ? now - before : now) / 1000
  }

  private mutating func advance(
    _ track: inout Track, to position: Coordinate, at time: UTCTime?, _ fix: Fix
  ) {
    let step = track.anchor.distance(to: position)
    let isStep = step > max(fix.horizontalAccuracy ?? 0, Self.stepMin)
    if isStep {
      distance += step
      track.anchor = position
    }
    guard let time else { return }
    defer { track.time = time }
    guard let last = track.time, time > last else { return }
    recorded += time - last
    if fix.speed.map({ $0 > Self.restSpeed }) ?? isStep { moving += time - last }
  }
}
