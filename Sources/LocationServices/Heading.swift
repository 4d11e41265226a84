import GNSS

/// The direction of motion, as far as a receiver without compass knows it.
package struct Heading: Equatable, Sendable {
  /// Course over ground, degrees from true north.
  package var trueHeading: Double
  /// The same from magnetic north; `nil` where the receiver does not tell the declination.
  package var magneticHeading: Double?
  /// Degrees, 68 %; `nil` where the receiver does not say.
  package var accuracy: Double?
  package var time: UTCTime?

  package init(
    trueHeading: Double, magneticHeading: Double? = nil, accuracy: Double? = nil,
    time: UTCTime? = nil
  ) {
    (self.trueHeading, self.magneticHeading) = (trueHeading, magneticHeading)
    (self.accuracy, self.time) = (accuracy, time)
  }
}

/// Decides when a heading is valid and has changed enough to be told.
package struct HeadingFilter: Sendable {
  /// Slower than this the course is noise, m/s.
  package static let speedMin = 1.0
  /// A course that is less certain than this is none, degrees.
  package static let accuracyMax = 30.0
  /// Core Location's default filter, degrees.
  package static let defaultFilter = 1.0

  package enum Change: Equatable, Sendable {
    case heading(Heading)
    /// There is none any more.
    case lost
  }

  private let filter: Double
  private var last: Double?

  /// - Parameter filter: Smaller changes than this, in degrees, are not told.
  package init(filter: Double = HeadingFilter.defaultFilter) { self.filter = filter }

  package mutating func observe(_ fix: Fix, time: UTCTime?) -> Change? {
    guard let heading = Self.heading(fix, time: time) else {
      defer { last = nil }
      return last == nil ? nil : .lost
    }
    if let last, abs((heading.trueHeading - last).remainder(dividingBy: 360)) < filter {
      return nil
    }
    last = heading.trueHeading
    return .heading(heading)
  }

  static func heading(_ fix: Fix, time: UTCTime?) -> Heading? {
    guard let course = fix.course, course.isFinite, let speed = fix.speed, speed >= speedMin,
      (fix.courseAccuracy ?? 0) <= accuracyMax
    else { return nil }
    let magnetic = fix.magneticVariation.map { variation in
      let turned = (course - variation).remainder(dividingBy: 360)
      return turned < 0 ? turned + 360 : turned
    }
    return Heading(
      trueHeading: course, magneticHeading: magnetic, accuracy: fix.courseAccuracy, time: time)
  }
}
