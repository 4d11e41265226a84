import GNSS

/// What may be told to a receiver that starts cold, and how far it may trust it. A wrong aid is
/// worse than none: a position that claims too much keeps a receiver from finding its satellites.
package enum Aiding {
  /// How the host's clock was set.
  package enum Clock: Equatable, Sendable {
    /// By NTP, PTP or a receiver; the kernel's estimate of its error.
    case disciplined(error: Duration)
    /// By a battery-backed clock, last set so long ago.
    case batteryBacked(age: Duration)
    /// By nothing.
    case unset
  }

  package struct Time: Equatable, Sendable {
    package var utc: UTCTime
    package var accuracy: Duration
  }

  package struct Position: Equatable, Sendable {
    package var coordinate: Coordinate
    /// Metres above the ellipsoid.
    package var altitude: Double
    /// Metres, 68 %.
    package var accuracy: Double
  }

  /// A serial line and a busy host make any time late by up to a second.
  package static let latency = Duration.seconds(1)
  /// What a battery-backed clock drifts by in a day, and is off at the start.
  package static let driftPerDay = 2.0
  /// Older or vaguer, and a position does not help.
  package static let positionAgeMax = Duration.seconds(7 * 86_400)
  package static let positionAccuracyMax = 300_000.0
  package static let positionAccuracyMin = 100.0

  /// `nil` where the clock is not to be trusted.
  package static func time(_ utc: UTCTime, clock: Clock) -> Time? {
    switch clock {
    case .disciplined(let error): return Time(utc: utc, accuracy: max(latency, error))
    case .batteryBacked(let age):
      let seconds = min(max(age.inSeconds, 0) / 86_400 * driftPerDay + 2, 86_400)
      return Time(utc: utc, accuracy: max(latency, .milliseconds(Int64(seconds * 1000))))
    case .unset: return nil
    }
  }

  /// The last fix, as vague as the way that may have been made since; `nil` where that is too much.
  package static func position(
    of fix: Fix, age: Duration, activity: Activity
  ) -> Position? {
    guard let coordinate = fix.position, coordinate.isValid, fix.hasPosition, age >= .zero,
      age <= positionAgeMax
    else { return nil }
    let known = max(fix.horizontalAccuracy ?? positionAccuracyMin, positionAccuracyMin)
    let accuracy = known + activity.topSpeed * age.inSeconds
    guard accuracy <= positionAccuracyMax else { return nil }
    let altitude = fix.altitudeEllipsoid ?? fix.altitudeMSL ?? 0
    return Position(coordinate: coordinate, altitude: altitude, accuracy: accuracy)
  }

  /// What to send, in this order: time, then position. Empty for families without such commands.
  package static func commands(
    for model: ReceiverModel, time: Time?, position: Position?
  ) -> [ReceiverCommand] {
    var commands: [ReceiverCommand] = []
    switch model.family {
    case .ublox where model.ublox?.generation ?? .five >= .eight:
      if let time { commands.append(.aidTime(time)) }
      if let position { commands.append(.aidPosition(position)) }
    case .mediatek:
      if let time { commands.append(MTK.time(time.utc)) }
      // It takes a position as better than 30 km.
      if let time, let position, position.accuracy <= 30_000 {
        commands.append(MTK.position(position, at: time.utc))
      }
    case .airoha:
      if let time, time.accuracy <= .seconds(3) { commands.append(Airoha.time(time.utc)) }
      if let position { commands.append(Airoha.position(position)) }
    default: break
    }
    return commands
  }
}
