import GNSS

/// What a tier asks of the receiver: one row of the duty cycle's table.
package struct DutyPolicy: Equatable, Sendable {
  /// Metres that a position may be off at any moment, by its own error and by what was moved since.
  package let radius: Double
  /// Acquiring ends when `horizontalAccuracy` (metres, 68 %) is this good.
  package let target: Double
  /// As many epochs in a row must reach it: the first ones after a wake-up may be far off.
  package let settlingEpochs: Int
  /// The shortest and the longest time between fixes while it moves.
  package let shortest: Duration
  package let longest: Duration
  /// The longest time between fixes at rest, and after an hour of it: how late a departure may be
  /// noticed.
  package let resting: Duration
  package let longResting: Duration
  /// How long to search the first time, and later.
  package let firstTimeout: Duration
  package let timeout: Duration
  /// Waits after failures in a row; the last one repeats.
  package let backOff: [Duration]
  /// Whether the receiver runs through, whatever it costs.
  package let isContinuous: Bool
  /// Whether it stays on now and then to renew its ephemerides.
  package let refreshesEphemerides: Bool

  package static func policy(for tier: Tier) -> DutyPolicy {
    switch tier {
    case .bestForNavigation: bestForNavigation
    case .best: best
    case .nearestTenMeters: nearestTenMeters
    case .hundredMeters: hundredMeters
    case .kilometer: kilometer
    case .threeKilometers: threeKilometers
    case .reduced: reduced
    }
  }

  private static let bestForNavigation = DutyPolicy(
    radius: 5, target: 10, settlingEpochs: 1, shortest: .milliseconds(200), longest: .seconds(1),
    resting: .seconds(1), longResting: .seconds(1),
    firstTimeout: .seconds(600),
    timeout: .seconds(600),
    backOff: [.seconds(60)], isContinuous: true, refreshesEphemerides: true)

  private static let best = DutyPolicy(
    radius: 15, target: 15, settlingEpochs: 1, shortest: .seconds(1), longest: .seconds(1),
    resting: .seconds(1), longResting: .seconds(1),
    firstTimeout: .seconds(600),
    timeout: .seconds(600),
    backOff: [.seconds(60)], isContinuous: true, refreshesEphemerides: true)

  private static let nearestTenMeters = DutyPolicy(
    radius: 10, target: 15, settlingEpochs: 2, shortest: .milliseconds(200), longest: .seconds(5),
    resting: .seconds(30), longResting: .seconds(30),
    firstTimeout: .seconds(60),
    timeout: .seconds(30),
    backOff: [.seconds(30), .seconds(120), .seconds(300)], isContinuous: false,
    refreshesEphemerides: true)

  private static let hundredMeters = DutyPolicy(
    radius: 100, target: 60, settlingEpochs: 2, shortest: .seconds(1), longest: .seconds(60),
    resting: .seconds(120), longResting: .seconds(120),
    firstTimeout: .seconds(60),
    timeout: .seconds(25),
    backOff: [.seconds(60), .seconds(120), .seconds(300)], isContinuous: false,
    refreshesEphemerides: true)

  private static let kilometer = DutyPolicy(
    radius: 1000, target: 300, settlingEpochs: 1, shortest: .seconds(10), longest: .seconds(150),
    resting: .seconds(600), longResting: .seconds(600),
    firstTimeout: .seconds(60),
    timeout: .seconds(25),
    backOff: [.seconds(300), .seconds(600)], isContinuous: false, refreshesEphemerides: true)

  private static let threeKilometers = DutyPolicy(
    radius: 3000, target: 1000, settlingEpochs: 1, shortest: .seconds(30), longest: .seconds(400),
    resting: .seconds(750), longResting: .seconds(1800),
    firstTimeout: .seconds(90),
    timeout: .seconds(30),
    backOff: [.seconds(300), .seconds(900)], isContinuous: false, refreshesEphemerides: true)

  private static let reduced = DutyPolicy(
    radius: 5000, target: 3000, settlingEpochs: 1, shortest: .seconds(60), longest: .seconds(700),
    resting: .seconds(1200), longResting: .seconds(2700),
    firstTimeout: .seconds(120),
    timeout: .seconds(40),
    backOff: [.seconds(600), .seconds(1200)], isContinuous: false, refreshesEphemerides: false)
}

extension Activity {
  /// m/s that is not exceeded: bounds how far a position may have moved unseen.
  package var topSpeed: Double {
    switch self {
    case .fitness: 10
    case .other, .otherNavigation, .automotiveNavigation: 40
    case .airborne: 250
    }
  }

  /// m/s below which it may be at rest.
  var restSpeed: Double { self == .automotiveNavigation ? 1.0 : 0.7 }

  /// The first check after the services paused the sessions; it doubles up to the last.
  var resumeCheck: Duration {
    switch self {
    case .other: .seconds(120)
    case .otherNavigation, .automotiveNavigation: .seconds(60)
    case .fitness: .seconds(20)
    case .airborne: .seconds(10)
    }
  }

  var resumeCheckMax: Duration { self == .automotiveNavigation ? .seconds(1800) : .seconds(900) }
}

/// What feeds the board.
package enum PowerSupply: String, Sendable {
  case battery
  /// Duty cycling would save nothing: the receiver runs through.
  case external
  /// The battery is nearly empty: everything takes longer.
  case low
}

/// What the receiver can do and what it costs, in milliamperes of its rail; from its profile.
package struct ReceiverPower: Equatable, Sendable {
  package var acquisition: Double
  package var tracking: Double
  /// `nil` where it has no cyclic mode.
  package var cyclic: Double?
  /// The shortest time between epochs.
  package var shortestInterval: Duration
  /// Whether it can be sent to sleep at all.
  package var canSleep: Bool

  package init(
    acquisition: Double, tracking: Double, cyclic: Double?, shortestInterval: Duration,
    canSleep: Bool
  ) {
    self.acquisition = acquisition
    self.tracking = tracking
    self.cyclic = cyclic
    self.shortestInterval = shortestInterval
    self.canSleep = canSleep
  }
}
