import GNSS

/// Satellites that stand where a receiver could see them: always the same at the same time, with
/// figures that are plausible and no more.
enum SimulatedSky {
  /// The GPS satellites, by number; the last two stand too low to be used.
  private static let numbers: [UInt8] = [2, 5, 7, 9, 13, 14, 20, 21, 27, 30, 4, 16]
  private static let lowCount = 2

  static let usedCount = numbers.count - lowCount

  /// - Parameters:
  ///   - reception: How many of them are strong; under none there is not one.
  ///   - hasFix: Without one the satellites are heard, and not used.
  static func satellites(
    at time: UTCTime, under reception: Reception, hasFix: Bool
  ) -> [Satellite] {
    guard reception != .none else { return [] }
    var satellites = satellites(at: time, hasFix: hasFix)
    for index in satellites.indices where index < reception.strongCount {
      satellites[index].cn0 = max(satellites[index].cn0 ?? 0, strongSignal)
    }
    for index in satellites.indices where index >= reception.strongCount {
      satellites[index].cn0 = weakSignal
      satellites[index].isUsed = false
      satellites[index].hasEphemeris = false
    }
    return satellites
  }

  /// dB-Hz: enough to begin with, and too little.
  private static let strongSignal: UInt8 = 30
  private static let weakSignal: UInt8 = 20

  /// - Parameter hasFix: Without one the satellites are heard, faintly, and not used.
  static func satellites(at time: UTCTime, hasFix: Bool) -> [Satellite] {
    // The sky turns by a degree in two minutes.
    let turn = time.microseconds / 120_000_000 % 360
    return numbers.indices.map { index in
      var satellite = Satellite(constellation: .gps, svid: numbers[index])
      let isLow = index >= numbers.count - lowCount
      let elevation = isLow ? 4 + index % 2 * 3 : 15 + index * 29 % 70
      satellite.elevation = Int8(elevation)
      satellite.azimuth = Int16((Int64(index * 47) + turn + 360) % 360)
      satellite.cn0 = UInt8(hasFix ? 28 + elevation / 4 : 12 + elevation / 10)
      satellite.isUsed = hasFix && !isLow
      satellite.isHealthy = true
      satellite.hasEphemeris = satellite.isUsed
      return satellite
    }
  }

  /// With fewer satellites than all it grows.
  static func dop(usedCount: Int) -> DilutionOfPrecision {
    let scale = Double(Self.usedCount) / Double(max(usedCount, 3))
    var dop = dop
    dop.horizontal = dop.horizontal.map { $0 * scale }
    dop.vertical = dop.vertical.map { $0 * scale }
    dop.time = dop.time.map { $0 * scale }
    dop.position = dop.position.map { $0 * scale }
    dop.geometric = dop.geometric.map { $0 * scale }
    dop.north = dop.north.map { $0 * scale }
    dop.east = dop.east.map { $0 * scale }
    return dop
  }

  /// Of the satellites used.
  static var dop: DilutionOfPrecision {
    var dop = DilutionOfPrecision()
    (dop.horizontal, dop.vertical, dop.time) = (0.92, 1.30, 0.90)
    (dop.position, dop.geometric) = (1.59, 1.83)
    (dop.north, dop.east) = (0.68, 0.62)
    return dop
  }
}
