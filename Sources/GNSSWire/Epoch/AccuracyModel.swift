import GNSS

/// What a receiver said of its errors in one epoch, as it said it.
struct ErrorReports {
  /// Metres, 68 %, of a message that gives accuracies: UBX, CASIC, PUBX, PQTM, PGRME.
  var horizontal: Double?
  var vertical: Double?
  /// m/s, 68 %.
  var speed: Double?
  /// Degrees, 68 %.
  var course: Double?
  /// How good the source of the four is; a better one replaces them.
  var rank: UInt8 = 0
  /// GST: metres, one standard deviation an axis.
  var statistics: ErrorStatistics?
}

/// The one place that turns errors as receivers give them into 68 % accuracies.
///
/// - UBX `hAcc`, `vAcc`, `sAcc` are 68 % and stay as they are; a CASIC variance is squared back.
/// - GST gives a standard deviation for each axis. The root of the sum of the two horizontal
///   squares (DRMS) holds 63 to 68 % of the points, whatever the ellipse; the vertical one holds 68
///   %.
/// - Where a receiver says nothing, dilution is multiplied by an assumed range error, and the
///   result is flagged as estimated.
enum AccuracyModel {
  /// Horizontal range error assumed for each kind of solution, metres: what single-frequency
  /// receivers reach under open sky.
  static func assumedRangeError(_ status: FixStatus) -> Double? {
    switch status {
    case .gps, .unknown, .pps: 4
    case .dgps: 2
    case .rtkFloat: 0.4
    case .rtkFixed: 0.02
    case .deadReckoning, .gnssDeadReckoning, .time, .simulated, .manual: nil
    }
  }

  /// Heights suffer more from the atmosphere than positions.
  private static let verticalFactor = 1.5

  /// Fills in the accuracies of `fix`, whose dilution and status are known.
  /// - Parameter isPlaced: Whether the fix has a position.
  @inline(__always)
  static func apply(_ reports: ErrorReports, to fix: inout Fix, isPlaced: Bool) {
    fix.speedAccuracy = reports.speed
    fix.courseAccuracy = reports.course
    fix.errorStatistics = reports.statistics
    fix.horizontalAccuracy = reports.horizontal ?? reports.statistics.flatMap(radius)
    fix.verticalAccuracy = reports.vertical ?? reports.statistics?.altitude
    guard isPlaced, let error = assumedRangeError(fix.status) else { return }
    if fix.horizontalAccuracy == nil, let hdop = fix.dop.horizontal {
      fix.horizontalAccuracy = hdop * error
      fix.accuracyIsEstimated = true
    }
    if fix.verticalAccuracy == nil, fix.mode == .threeD, let vdop = fix.dop.vertical {
      fix.verticalAccuracy = vdop * error * verticalFactor
      fix.accuracyIsEstimated = true
    }
  }

  /// Of a variance, in metres squared.
  static func deviation(ofVariance variance: Float) -> Double? {
    variance.isFinite && variance > 0 && variance < 1e12 ? Double(variance).squareRoot() : nil
  }

  private static func radius(_ statistics: ErrorStatistics) -> Double? {
    guard let north = statistics.latitude, let east = statistics.longitude else { return nil }
    return (north * north + east * east).squareRoot()
  }
}
