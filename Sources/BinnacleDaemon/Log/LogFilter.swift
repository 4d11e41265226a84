import FixLog
import GNSS
import LocationServices

/// Leaves fixes out of the log where the configuration says so: those that are too coarse, and
/// those too near to the last one that was kept. Without a word in the configuration all are kept.
package struct LogFilter: Sendable {
  private struct Stream: Sendable {
    var motion = MotionWatch()
    var filter: DistanceFilter
  }

  private let accuracyMax: Double?
  private let distance: Double?
  /// By receiver: two of them side by side do not see the same place.
  private var streams: [UInt64: Stream] = [:]

  package init(_ log: Configuration.Log) {
    (accuracyMax, distance) = (log.accuracyMax, log.distance)
  }

  package mutating func keeps(
    _ fix: Fix, of receiver: UInt64, at now: LocationServices.Now
  ) -> Bool {
    if let accuracyMax {
      guard let accuracy = fix.horizontalAccuracy, accuracy <= accuracyMax else { return false }
    }
    guard let distance else { return true }
    // What has no accuracy cannot be compared.
    guard var sighting = Sighting(fix, at: now) else { return true }
    var stream = streams[receiver] ?? Stream(filter: DistanceFilter(distance: distance))
    stream.motion.observe(&sighting, plausibleSpeed: .infinity)
    defer { streams[receiver] = stream }
    return stream.filter.admits(sighting)
  }
}
