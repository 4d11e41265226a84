import GNSS
import GNSSWire

/// What a simulated receiver says of its position, its time and its sky.
extension SimulatedReceiver {
  func epoch(
    _ solution: SimulatedNavigation.Solution?, _ point: SimulatedJourney.Point, at now: Monotonic
  ) -> Epoch {
    var epoch = Epoch()
    let time = clockStart + (now - .zero)
    epoch.fix.time = shownTime(time, at: now)
    epoch.fix.timeOfDay = epoch.fix.time?.timeOfDay
    epoch.fix.dateSource = .receiver
    epoch.satellites = SimulatedSky.satellites(
      at: time, under: point.reception, hasFix: solution != nil)
    epoch.satellitesAreFresh = true
    let usedCount = epoch.satellites.count { $0.isUsed }
    guard let solution else {
      epoch.fix.mode = .none
      epoch.fix.satellitesUsed = 0
      return epoch
    }
    epoch.fix.dop = SimulatedSky.dop(usedCount: usedCount)
    epoch.fix.mode = .threeD
    epoch.fix.status = .gps
    epoch.fix.position = solution.position
    epoch.fix.altitudeMSL = point.altitude
    epoch.fix.altitudeEllipsoid = point.altitude + Self.geoidSeparation
    epoch.fix.speed = solution.speed
    epoch.fix.course = solution.speed > 0.5 ? solution.course : nil
    epoch.fix.climb = point.climb
    epoch.fix.horizontalAccuracy = solution.accuracy
    epoch.fix.verticalAccuracy = solution.accuracy * 1.5
    epoch.fix.speedAccuracy = 0.2
    epoch.fix.satellitesUsed = usedCount
    return epoch
  }

  /// Metres of the geoid above the ellipsoid, about what they are in Central Europe.
  private static let geoidSeparation = 46.0

  /// Before a receiver knows the time it says none, or counts from a day of its firmware's:
  /// MediaTek's from 1980-01-06, as its logs show; UBX messages carry it marked as invalid.
  private func shownTime(_ time: UTCTime, at now: Monotonic) -> UTCTime? {
    guard !navigation.hasClock else { return time }
    let passed = now - switchedOn
    switch kind.family {
    case .mediatek: return UTCTime(seconds: 315_964_800) + passed
    case .ublox where memory.sendsUBX && !memory.sendsNMEA:
      return UTCTime(seconds: 1_445_126_400) + passed
    default: return nil
    }
  }
}
