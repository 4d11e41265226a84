import GNSS

/// The two clocks at the moment of an event.
package struct Now: Equatable, Sendable {
  package var boottime: Monotonic
  /// `nil` while no trusted time is known.
  package var time: UTCTime?

  package init(boottime: Monotonic, time: UTCTime? = nil) {
    (self.boottime, self.time) = (boottime, time)
  }
}

/// A place with its uncertainty: what one fix says of where the receiver is.
package struct Place: Equatable, Sendable {
  package var position: Coordinate
  /// Metres, 68 %.
  package var accuracy: Double

  package init(_ position: Coordinate, accuracy: Double) {
    (self.position, self.accuracy) = (position, accuracy)
  }

  package func distance(to other: Place) -> Double { position.localDistance(to: other.position) }

  /// What two fixes of one place are apart, in metres, in 68 of 100 cases at most.
  package func uncertainty(to other: Place) -> Double {
    (accuracy * accuracy + other.accuracy * other.accuracy).squareRoot()
  }

  /// So many times the uncertainty is a move for certain. At standstill a fix is exceeded by three
  /// uncertainties once in some 25,000 independent ones.
  package static let certainty = 3.0
}

/// A fix that places the receiver, with what the fixes before it say about it. Made once a fix;
/// everything that decides about fixes takes it.
package struct Sighting: Equatable, Sendable {
  package var fix: Fix
  package var place: Place
  package var now: Now
  /// It lies farther from the fixes before than anything moves. The next fix tells what it was.
  package var isJump = false
  /// The receiver's own speed says for several fixes that it moves.
  package var isMoving = false
  /// The receiver's own speed says for a while that it stands.
  package var isAtRest = false

  /// - Returns: `nil` for a fix without position or without a usable accuracy.
  package init?(_ fix: Fix, at now: Now) {
    guard fix.hasPosition, let position = fix.position, position.isValid,
      let accuracy = fix.horizontalAccuracy, accuracy >= 0, accuracy.isFinite
    else { return nil }
    self.fix = fix
    place = Place(position, accuracy: accuracy)
    self.now = now
  }

  /// When it was taken, by the receiver's time where it has one.
  package var time: UTCTime? { fix.time ?? now.time }
}
