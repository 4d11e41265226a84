import FixLog
import GNSS

/// Smooths the positions of one receiver: a Kalman filter of constant velocity forwards, then the
/// Rauch-Tung-Striebel smoother backwards, so that each place is estimated from what came before
/// and after it. The logged accuracies weigh the fixes; a measured velocity helps where its
/// accuracy is logged. Fixes that the motion cannot explain are removed and counted.
///
/// Source: Rauch, Tung and Striebel, "Maximum likelihood estimates of linear dynamic systems", AIAA
/// Journal 3 (1965). The backward pass runs over windows that overlap by `lagCount` fixes, more
/// than the estimate looks ahead, so memory is bounded.
package struct TrackSmoother {
  /// Fixes removed so far, as no motion leads there and back.
  package private(set) var spikeCount = 0
  private var run = SmootherRun()
  /// Fixes that do not fit, until it shows whether they are spikes or the track goes on from them.
  private var doubtful: [SmootherRun.Measurement] = []
  private var startsSegment = false
  private var followerCount = 0

  /// Fixes that a backward pass gives back at once, and those behind it that it starts from.
  private static let (windowCount, lagCount) = (1024, 256)
  /// So many fixes in a row that do not fit, but fit each other, are the truth.
  private static let jumpCount = 3
  /// Other records held between the fixes; more end the run.
  private static let followerCountMax = 1024

  package init() {}

  /// Takes in the next record.
  /// - Parameter emit: Is handed the records, fixes smoothed, in order, and whether each starts a
  ///   segment.
  package mutating func add(
    _ record: LogRecord, startsSegment: Bool, emit: (LogRecord, Bool) -> Void
  ) {
    if startsSegment { finish(emit: emit) }
    self.startsSegment = self.startsSegment || startsSegment
    guard let measurement = SmootherRun.Measurement(record) else {
      return pass(record, emit: emit)
    }
    guard run.fits(measurement) else { return doubt(measurement, emit: emit) }
    spikeCount += doubtful.count
    doubtful.removeAll()
    run.append(measurement)
    if run.count >= Self.windowCount + Self.lagCount {
      emitSmoothed(keeping: Self.lagCount, emit: emit)
    }
  }

  /// Hands out what is left.
  package mutating func finish(emit: (LogRecord, Bool) -> Void) {
    spikeCount += doubtful.count
    doubtful.removeAll()
    emitSmoothed(keeping: 0, emit: emit)
  }

  /// What is not smoothed keeps its place among the fixes.
  private mutating func pass(_ record: LogRecord, emit: (LogRecord, Bool) -> Void) {
    if run.count > 0, followerCount < Self.followerCountMax {
      run.append(follower: record)
      followerCount += 1
    } else {
      finish(emit: emit)
      if case .fix = record.content { emit(record, takeStart()) } else { emit(record, false) }
    }
  }

  /// Fixes that do not fit are spikes unless they agree with each other: then they begin a new run.
  private mutating func doubt(
    _ measurement: SmootherRun.Measurement, emit: (LogRecord, Bool) -> Void
  ) {
    doubtful.append(measurement)
    guard doubtful.count == Self.jumpCount else { return }
    var fresh = SmootherRun()
    for other in doubtful {
      guard fresh.fits(other) else {
        doubtful.removeFirst()
        spikeCount += 1
        return
      }
      fresh.append(other)
    }
    emitSmoothed(keeping: 0, emit: emit)
    run = fresh
    doubtful.removeAll()
  }

  private mutating func emitSmoothed(keeping count: Int, emit: (LogRecord, Bool) -> Void) {
    followerCount = 0
    for record in run.takeSmoothed(keeping: count) {
      if case .fix = record.content { emit(record, takeStart()) } else { emit(record, false) }
    }
  }

  private mutating func takeStart() -> Bool {
    defer { startsSegment = false }
    return startsSegment
  }
}
