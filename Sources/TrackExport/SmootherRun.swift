import CMath
import FixLog
import GNSS

/// A stretch of one filter: what was measured, predicted and estimated at each fix.
struct SmootherRun {
  /// A fix as the filter takes it.
  struct Measurement {
    let record: LogRecord
    let time: UTCTime
    let position: Coordinate
    /// Of the position in one direction, m².
    let variance: Double
    /// m/s, with its variance in one direction.
    let velocity: (vector: MotionState.Vector, variance: Double)?
  }

  private struct Step {
    let measurement: Measurement
    var predicted: MotionState
    var estimated: MotionState
    /// Seconds since the step before.
    let interval: Double
    /// What the log holds up to the next step that is not to be smoothed.
    var followers: [LogRecord] = []
  }

  private var steps: [Step] = []

  /// The spectral density of the acceleration that moves the receiver, m²/s³: a car in traffic.
  private static let accelerationDensity = 1.0
  /// The square of so many standard deviations is the most that a fix may lie off the prediction.
  private static let gate = 25.0
  /// Of the velocity at the start where none is measured, m²/s².
  private static let startVelocityVariance = 400.0

  var count: Int { steps.count }

  /// Whether the motion so far can lead to the fix.
  func fits(_ measurement: Measurement) -> Bool {
    guard let last = steps.last else { return true }
    let predicted = last.estimated.predicted(
      by: Self.interval(from: last, to: measurement), density: Self.accelerationDensity)
    let variance = predicted.covariance.position + measurement.variance
    return predicted.place.offset(to: measurement.position).squaredLength <= Self.gate * variance
  }

  mutating func append(_ measurement: Measurement) {
    guard let last = steps.last else {
      let velocity = measurement.velocity
      let start = MotionState(
        place: measurement.position,
        velocity: velocity?.vector ?? MotionState.Vector(east: 0, north: 0),
        covariance: MotionState.Covariance(
          position: measurement.variance, both: 0,
          velocity: velocity?.variance ?? Self.startVelocityVariance))
      steps = [Step(measurement: measurement, predicted: start, estimated: start, interval: 0)]
      return
    }
    let interval = Self.interval(from: last, to: measurement)
    let predicted = last.estimated.predicted(by: interval, density: Self.accelerationDensity)
    var estimated = predicted.updated(
      place: measurement.position, variance: measurement.variance)
    if let velocity = measurement.velocity {
      estimated = estimated.updated(velocity: velocity.vector, variance: velocity.variance)
    }
    steps.append(
      Step(
        measurement: measurement, predicted: predicted, estimated: estimated, interval: interval))
  }

  /// Has `record` come out again behind the last step; there must be one.
  mutating func append(follower record: LogRecord) {
    guard let last = steps.indices.last else { return }
    steps[last].followers.append(record)
  }

  /// Runs backwards over all steps and takes all but the last `count` away.
  mutating func takeSmoothed(keeping count: Int) -> [LogRecord] {
    guard let last = steps.last else { return [] }
    let taken = steps.count - min(count, steps.count)
    var smoothed = last.estimated
    var records: [LogRecord] = []
    records.reserveCapacity(taken)
    for index in steps.indices.reversed() {
      if index + 1 < steps.count {
        let next = steps[index + 1]
        smoothed = steps[index].estimated.smoothed(
          by: smoothed, predicted: next.predicted, interval: next.interval)
      }
      guard index < taken else { continue }
      records += steps[index].followers.reversed()
      records.append(Self.record(of: steps[index].measurement, smoothed))
    }
    steps.removeFirst(taken)
    return records.reversed()
  }

  private static func interval(from step: Step, to measurement: Measurement) -> Double {
    max((measurement.time - step.measurement.time).inSeconds, 0)
  }

  private static func record(of measurement: Measurement, _ state: MotionState) -> LogRecord {
    guard case .fix(var fix, let stream) = measurement.record.content else {
      return measurement.record
    }
    fix.position = state.place
    fix.horizontalAccuracy =
      max(state.covariance.position, 0).squareRoot() * Measurement.radiusPerDeviation
    var record = measurement.record
    record.content = .fix(fix, stream)
    return record
  }
}

extension SmootherRun.Measurement {
  /// A 68 % radius over the standard deviation in one direction: sqrt(-2 ln 0.32).
  static let radiusPerDeviation = 1.510
  /// Taken where no accuracy is logged, and the best that is believed. Metres, 68 %.
  private static let (accuracyUnknown, accuracyMin) = (10.0, 0.01)
  /// m/s, 68 %: receivers round.
  private static let speedAccuracyMin = 0.05
  /// Degrees: nearer to a pole the plane has no room.
  private static let latitudeMax = 89.0

  /// `nil` for what is no dated fix with a position away from the poles.
  init?(_ record: LogRecord) {
    guard case .fix(let fix, _) = record.content, let time = record.time, fix.hasPosition,
      let position = fix.position, position.isValid, abs(position.latitude) < Self.latitudeMax
    else { return nil }
    (self.record, self.time, self.position) = (record, time, position)
    let radius = max(fix.horizontalAccuracy ?? Self.accuracyUnknown, Self.accuracyMin)
    variance = (radius / Self.radiusPerDeviation) * (radius / Self.radiusPerDeviation)
    if let speed = fix.speed, let course = fix.course, let accuracy = fix.speedAccuracy {
      let deviation = max(accuracy, Self.speedAccuracyMin)
      let angle = course * .pi / 180
      let vector = MotionState.Vector(
        east: speed * math_sin(angle), north: speed * math_cos(angle))
      velocity = (vector, deviation * deviation)
    } else {
      velocity = nil
    }
  }
}
