import GNSS
import ReceiverControl

/// What goes on inside a receiver: how long it searches, how wrong its position is, what it draws.
/// Knows nothing of protocols. The same for the same seed.
package struct SimulatedNavigation: Sendable {
  package enum State: Equatable, Sendable {
    case off
    case searching
    case tracking
  }

  /// One solution, or the lack of one.
  package struct Solution: Equatable, Sendable {
    package var position: Coordinate
    /// Metres, 68 %, as the receiver estimates it.
    package var accuracy: Double
    package var speed: Double
    package var course: Double
    package var ephemerisCount: Int
  }

  package private(set) var state = State.off
  package var isCyclic = false
  private let profile: ReceiverProfile
  private var random: SeededRandom
  /// Seconds of open sky that the search still needs.
  private var searchLeft = 0.0
  private var switchedOff: Monotonic?
  /// When the ephemerides were read that the receiver holds; `nil` for none.
  private(set) var ephemerides: Monotonic?
  private var readsEphemerides = false
  /// Whether it knows the time: from the backup supply, or from satellites since.
  package private(set) var hasClock = false
  private var trackingSince: Monotonic?
  private var epochs = 0
  private var error = (north: 0.0, east: 0.0)
  private var spikeLeft = 0.0
  private var spike = (north: 0.0, east: 0.0)
  private var estimate = 1.0
  private var last: Monotonic?

  /// Errors of one sky fade within about this many seconds.
  private static let errorTime = 60.0
  /// Seconds of signal that one satellite's ephemeris takes at least: three subframes.
  private static let frameTime = 18.0
  /// Seconds of tracking until the ephemerides of what is tracked were read.
  private static let readTime = Duration.seconds(32)
  /// Fresh until then, of no use behind it.
  private static let freshTime = Duration.seconds(7200)
  private static let staleTime = Duration.seconds(14_400)

  package init(profile: ReceiverProfile, seed: UInt64) {
    self.profile = profile
    random = SeededRandom(seed: seed)
  }

  /// Milliamperes that it draws now, asleep by this method if it is off. Where nobody knows what
  /// the method saves, it saves nothing.
  package func current(asleep method: SleepMethod?) -> Double {
    switch state {
    case .off: method.flatMap { profile.sleepCurrent($0) } ?? profile.tracking.value
    case .searching: profile.acquisition.value
    case .tracking:
      isCyclic ? profile.cyclic?.value ?? profile.tracking.value : profile.tracking.value
    }
  }

  package mutating func switchOn(at now: Monotonic) {
    guard state == .off else { return }
    state = .searching
    beginSearch(afterOff: switchedOff.map { now - $0 } ?? .seconds(86_400), at: now)
    (epochs, last, trackingSince) = (0, now, nil)
  }

  /// How long it will take, by what is known now.
  private mutating func beginSearch(afterOff off: Duration, at now: Monotonic) {
    let age = ephemerides.map { now - $0 }
    let (hot, warm) = (profile.hotStart.value, profile.warmStart.value)
    var seconds: Double
    switch age {
    case _ where !hasClock: seconds = profile.coldStart.value
    case let age? where age < Self.freshTime: seconds = off < .seconds(10) ? min(hot, 1) : hot
    case let age? where age < Self.staleTime:
      // Some satellites' are read anew on the way.
      seconds = hot + (warm - hot) * random.uniform()
    default: seconds = warm
    }
    readsEphemerides = seconds >= Self.frameTime
    searchLeft = max(0.8, seconds * (0.8 + 0.5 * random.uniform()))
  }

  package mutating func switchOff(at now: Monotonic) {
    guard state != .off else { return }
    if state == .tracking { noteTracking(at: now) }
    (state, switchedOff, trackingSince) = (.off, now, nil)
  }

  /// Forgets all, as at a supply cut without a backup supply.
  package mutating func forget() { (ephemerides, hasClock) = (nil, false) }

  /// Begins in this state, as left behind by an earlier session.
  package mutating func begin(_ start: ReceiverCommand.Restart, at now: Monotonic) {
    ephemerides = start == .hot ? now : nil
    hasClock = start != .cold
    state = .off
    switchOn(at: now)
  }

  /// Forgets what a restart of this kind forgets, and searches again.
  package mutating func restart(_ kind: ReceiverCommand.Restart, at now: Monotonic) {
    if kind != .hot { ephemerides = nil }
    if kind == .cold { hasClock = false }
    state = .off
    switchOn(at: now)
  }

  /// Somebody tells the time.
  package mutating func learnTime(at now: Monotonic) {
    guard !hasClock else { return }
    hasClock = true
    searchAnew(at: now)
  }

  /// Somebody brings back ephemerides of this age; of no use without the time.
  package mutating func learnEphemerides(age: Duration, at now: Monotonic) -> Bool {
    guard hasClock else { return false }
    let read = Monotonic(nanoseconds: now.nanoseconds - age.wholeNanoseconds)
    guard ephemerides.map({ $0 < read }) ?? true else { return true }
    ephemerides = read
    searchAnew(at: now)
    return true
  }

  /// Goes on with what it knows now, where that is faster.
  private mutating func searchAnew(at now: Monotonic) {
    guard state == .searching else { return }
    let left = searchLeft
    beginSearch(afterOff: .seconds(86_400), at: now)
    searchLeft = min(searchLeft, left)
  }

  private mutating func noteTracking(at now: Monotonic) {
    if let trackingSince, now - trackingSince >= Self.readTime { ephemerides = now }
  }

  /// One epoch; `nil` while there is no fix.
  package mutating func step(
    at now: Monotonic, to point: SimulatedJourney.Point
  ) -> Solution? {
    let span = last.map { (now - $0).inSeconds } ?? 1
    last = now
    switch state {
    case .off: return nil
    case .searching:
      searchLeft -= span / point.reception.slowness
      guard searchLeft <= 0, point.reception != .none else { return nil }
      state = .tracking
      trackingSince = now
      hasClock = true
      if readsEphemerides { ephemerides = now }
      error = draw(point.reception)
      spikeLeft = 0
    case .tracking:
      guard point.reception != .none else {
        noteTracking(at: now)
        state = .searching
        searchLeft = 1
        readsEphemerides = false
        trackingSince = nil
        epochs = 0
        return nil
      }
      noteTracking(at: now)
    }
    epochs += 1
    wander(by: span, under: point.reception)
    return solution(at: now, point)
  }

  private mutating func draw(_ reception: Reception) -> (north: Double, east: Double) {
    (random.normal() * reception.sigma, random.normal() * reception.sigma)
  }

  /// A first-order Markov process around no error, with reflections between high houses on top.
  private mutating func wander(by span: Double, under reception: Reception) {
    let kept = max(0, 1 - span / Self.errorTime)
    let share = (1 - kept * kept).squareRoot()
    let fresh = draw(reception)
    error = (error.north * kept + fresh.north * share, error.east * kept + fresh.east * share)
    spikeLeft -= span
    if spikeLeft <= 0 {
      spike = (0, 0)
      if reception == .canyon, random.uniform() < 0.005 * span {
        spikeLeft = 3 + 5 * random.uniform()
        spike = (random.normal() * 30, random.normal() * 30)
      }
    }
    estimate = 0.8 + 0.4 * random.uniform()
  }

  private func solution(at now: Monotonic, _ point: SimulatedJourney.Point) -> Solution {
    // The first epochs behind a search are worse, and the receiver knows it.
    let unsettled = 1 + 3 / Double(epochs)
    let scale = unsettled * (isCyclic ? 1.2 : 1)
    let age = ephemerides.map { now - $0 }
    let isHeld = age.map { $0 < Self.staleTime } ?? false
    return Solution(
      position: point.position.moved(
        north: error.north * scale + spike.north, east: error.east * scale + spike.east),
      accuracy: 1.5 * point.reception.sigma * scale * estimate + (spikeLeft > 0 ? 8 : 0),
      speed: point.speed, course: point.course,
      ephemerisCount: isHeld ? min(point.reception.strongCount, 8) : 3)
  }
}
