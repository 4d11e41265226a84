import GNSS

/// Tells when the receiver came to rest by an activity's rule, and when it left again.
package struct StationaryWatch: Sendable {
  package enum Change: Equatable, Sendable {
    case stopped
    case resumed
  }

  /// A speed above the rule's must be seen in so many fixes in a row: one may be a spike.
  package static let fastCountMax = 3

  private let rule: ActivityRule
  private var dwell: Dwell?
  private var fastCount = 0
  package private(set) var isStationary = false

  package init(rule: ActivityRule) { self.rule = rule }

  /// Takes a fix in; a jump is left out until the next fix tells what it was.
  package mutating func observe(_ sighting: Sighting) -> Change? {
    guard let span = rule.stationarySpan, !sighting.isJump else { return nil }
    guard var stay = dwell else {
      dwell = Dwell(sighting.place, since: sighting.now)
      return nil
    }
    if isFast(sighting) || stay.isLeft(by: sighting.place, radius: rule.stationaryRadius) {
      dwell = Dwell(sighting.place, since: sighting.now)
      guard isStationary else { return nil }
      isStationary = false
      return .resumed
    }
    stay.add(sighting.place, at: sighting.now)
    dwell = stay
    guard !isStationary, sighting.now.boottime - stay.since.boottime >= span else { return nil }
    isStationary = true
    return .stopped
  }

  private mutating func isFast(_ sighting: Sighting) -> Bool {
    guard let limit = rule.stationarySpeed else { return false }
    fastCount = (sighting.fix.speed ?? 0) >= limit ? fastCount + 1 : 0
    return fastCount >= Self.fastCountMax
  }
}

/// A watch for each activity that is asked for; there are few, and each fix asks them.
struct StationaryWatches: Sendable {
  private var watches: [(activity: Activity, watch: StationaryWatch)] = []
  private var watched: ActivitySet = []
  /// The activities by whose rule the receiver stands: each session asks at each fix.
  private var standing: ActivitySet = []

  mutating func observe(_ sighting: Sighting) {
    for index in watches.indices {
      switch watches[index].watch.observe(sighting) {
      case .stopped?: standing.insert(ActivitySet(watches[index].activity))
      case .resumed?: standing.remove(ActivitySet(watches[index].activity))
      case nil: break
      }
    }
  }

  /// Keeps the watches that are wanted, and begins those that are not there.
  mutating func keep(_ wanted: ActivitySet, rules: ActivityTable) {
    guard wanted != watched else { return }
    watches.removeAll { !wanted.contains(ActivitySet($0.activity)) }
    for activity in Activity.allCases
    where wanted.contains(ActivitySet(activity)) && !watched.contains(ActivitySet(activity)) {
      watches.append((activity, StationaryWatch(rule: rules[activity])))
    }
    watched = wanted
    standing.formIntersection(wanted)
  }

  func isStationary(_ activity: Activity) -> Bool { standing.contains(ActivitySet(activity)) }
}

/// A set that costs nothing to make.
struct ActivitySet: OptionSet, Sendable {
  let rawValue: UInt8

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(_ activity: Activity) { rawValue = 1 << UInt8(activity.rawValue) }
}
