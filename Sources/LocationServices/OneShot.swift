import GNSS

/// A request for one position: the first good enough one, or the best seen until time is up.
package struct OneShot: Sendable {
  /// What a client may ask for.
  package struct Options: Equatable, Sendable {
    package var tier = Tier.best
    package var timeout = Duration.seconds(10)
    /// A fix not older than this is an answer at once.
    package var maximumAge = Duration.seconds(5)

    package init(tier: Tier = .best) { self.tier = tier }
  }

  package enum Outcome: Equatable, Sendable {
    /// It meets the tier.
    case met(Fix)
    /// Time is up, and this is the best there was.
    case bestSoFar(Fix)
    /// Time is up, and there was nothing at all.
    case nothing
  }

  /// A client may wait no longer than this.
  package static let timeoutMax = Duration.seconds(3600)

  package let tier: Tier
  package let deadline: Monotonic
  private var best: Sighting?

  package init(_ options: Options, at now: Now) {
    tier = options.tier
    deadline = now.boottime + min(max(options.timeout, .zero), Self.timeoutMax)
  }

  /// Takes in the last fix before the request, if it is young enough.
  package mutating func offer(cached sighting: Sighting, maximumAge: Duration, at now: Now)
    -> Outcome?
  {
    guard now.boottime - sighting.now.boottime <= maximumAge else { return nil }
    return offer(sighting)
  }

  /// Takes a fix in.
  /// - Returns: The end of the request, if the fix meets the tier.
  package mutating func offer(_ sighting: Sighting) -> Outcome? {
    if let best, best.place.accuracy <= sighting.place.accuracy { return nil }
    if sighting.isJump { return nil }
    best = sighting
    return sighting.place.accuracy <= tier.wantedAccuracy ? .met(sighting.fix) : nil
  }

  /// - Returns: The end of the request, if time is up.
  package func expire(at now: Now) -> Outcome? {
    guard now.boottime >= deadline else { return nil }
    return best.map { .bestSoFar($0.fix) } ?? .nothing
  }
}

extension Tier {
  /// What ends the search for one position (metres, 68 %): 5 m where the tier takes anything.
  package var wantedAccuracy: Double { self == .bestForNavigation ? 5 : acceptedAccuracy }
}
