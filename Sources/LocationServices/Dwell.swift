import GNSS

/// A stay around one place. The place is the mean of the first fixes, so that one that is off by
/// chance does not decide, and then holds still, so that a slow drift is noticed.
package struct Dwell: Equatable, Sendable {
  /// So many fixes make the place, if they come early enough.
  package static let anchorCount = 30
  /// Fixes later than this after the first do not move the place.
  package static let anchorSpan = Duration.seconds(60)

  package private(set) var place: Place
  package private(set) var since: Now
  private var count: Int

  /// Begins at a fix.
  package init(_ place: Place, since: Now) {
    (self.place, self.since, count) = (place, since, 1)
  }

  /// One read back from the disk, whose place does not change any more.
  package init(restored place: Place, since: Now) {
    (self.place, self.since, count) = (place, since, Self.anchorCount)
  }

  /// Whether a fix is away from the place by more than `radius` metres and more than it may be by
  /// chance.
  package func isLeft(by other: Place, radius: Double) -> Bool {
    place.distance(to: other)
      > max(radius, Place.certainty * place.uncertainty(to: other))
  }

  /// Takes in a fix that has not left.
  package mutating func add(_ other: Place, at now: Now) {
    guard count < Self.anchorCount, now.boottime - since.boottime <= Self.anchorSpan else { return }
    count += 1
    place.position = place.position.localPoint(1 / Double(count), of: other.position)
    place.accuracy += (other.accuracy - place.accuracy) / Double(count)
  }
}
