import GNSS
import GNSSWire

/// Leads one receiver through its life: finds out what it is, configures it, lets it sleep as the
/// demand allows, and does what is needed of that again after a loss of power, a reset of the USB
/// or a wake-up that lost the settings. Composes the machines of this module; reads no clock, does
/// no I/O.
///
/// The owner gives it events and the clock, does its commands in their order, and calls it with
/// `.timerFired` at `deadline`. Whoever carries a simulated receiver along a journey drives it in
/// the same way. It ends nowhere: whatever fails is reported by a name (`Degradation`) and tried
/// again after a while.
package struct ReceiverPilot: Sendable {
  /// What holds for the port, whatever is behind it.
  package struct Setup: Sendable {
    package var link: ReceiverLink
    /// Whether anything may be written: the port is known to be a receiver's, or the user named it,
    /// and the configuration does not forbid it.
    package var mayWrite: Bool
    /// Whether it is configured as soon as it is known; otherwise by order only.
    package var configuresItself = true
    /// Whether the configuration gives the rate, which is then left alone.
    package var hasFixedBaud = false
    package var profiles: [ReceiverProfile] = []
    /// What was learned in an earlier run.
    package var facts: ReceiverFacts?
    package var supply = PowerSupply.battery
    /// Whether a supply that can be cut is cut once, to see whether the clock outlives that.
    package var mayTryBackup = false

    package init(link: ReceiverLink, mayWrite: Bool) {
      (self.link, self.mayWrite) = (link, mayWrite)
    }
  }

  package enum Event: Sendable {
    /// The port is open at this rate; `isProven`: nothing will seek another one.
    case opened(baud: Int, isProven: Bool)
    /// The port is closed or gone.
    case closed
    /// Good frames came at this rate after it was sought.
    case lineFound(baud: Int)
    /// The rate that was right is not any more; another one is sought.
    case lineLost
    /// Bytes came, good or not.
    case bytes
    case heard(Heard)
    indirect case epoch(Epoch)
    /// `deadline` has passed.
    case timerFired
    /// What is wanted; `nil`: nothing.
    case demand(Demand?)
    case supply(PowerSupply)
    /// Something else saw it move: ignition, an accelerometer.
    case moved
    case order(Order)
    /// The answer to `wantsAid`.
    case aid([ReceiverCommand], NavigationDatabase?)
  }

  /// What the user can have done.
  package enum Order: Equatable, Sendable {
    case configure
    case restart(ReceiverCommand.Restart)
    /// Puts back what was found before the first configuration, and leaves the receiver alone.
    case restore
  }

  package enum Command: Equatable, Sendable {
    /// Send these bytes; they passed the session's guard.
    case write([UInt8])
    /// Let the output drain, set the port's rate, and drop what came in.
    case setSpeed(Int)
    /// Drop what the host has read but not decoded.
    case dropInput
    case holdLineLow(Duration)
    case pulseWakePin(Duration)
    case setSupply(Bool)
    /// Seek the line's rate by listening, beginning with the present one.
    case hunt
    /// Say what may help a cold start: `Event.aid`.
    case wantsAid
    /// Keep this for the next start.
    case remember(ReceiverFacts)
    /// Keep the receiver's navigation database, with the time.
    case keepDatabase(owner: String, messages: [[UInt8]])
    case report(Report)
  }

  enum Phase: Sendable {
    case closed
    /// Waits for the line's rate, or for a sign of life.
    case listening
    case identifying(Identification)
    case configuring(ConfigurationExecutor, Purpose)
    /// A restart was ordered; the receiver comes back.
    case restarting
    /// Identified, and configured where that is possible: demand and duty cycle rule.
    case following
  }

  /// What a plan runs for.
  package enum Purpose: String, Equatable, Sendable {
    case first
    case again
    case pace
    case aiding
    case restore
  }

  let setup: Setup
  var link: ReceiverLink
  var phase = Phase.closed
  var model: ReceiverModel?
  var facts: ReceiverFacts?
  var demand: Demand? = Demand(tier: .bestForNavigation)
  var supply: PowerSupply
  var sleep: SleepControl?
  var duty: DutyCycle?
  var transfer: DatabaseTransfer?
  /// Of the identification or the plan at work, or of the wait between two of them.
  var taskTimer = Monotonic.never
  var sleepTimer = Monotonic.never
  var dutyTimer = Monotonic.never
  var transferTimer = Monotonic.never
  /// How the receiver is to run, by the duty cycle's last word.
  var running = DutyCycle.Running(interval: .seconds(1), isCyclic: false)
  var pendingOrder: Order?
  /// Whether it is to be configured, and let sleep.
  var configures: Bool
  /// Whether the user had the receiver put back as it was found.
  var isRestored = false
  /// Rates that are still to be tried for a silent receiver.
  var seekRates: [Int] = []
  var seekPause = Self.seekPauseMin
  var seekCount = 0
  var lastHeard = Monotonic.zero
  var lastBytes = Monotonic.zero
  /// Since when NMEA comes although it was switched off.
  var nmeaSince: Monotonic?
  var hasSilencedNMEA = false
  var hasFix = false
  /// Whether it may have lost time and ephemerides; a sleep by our order keeps both.
  var mayNeedAid = true
  /// What it gets back when it has got the other aids.
  var pendingDatabase: NavigationDatabase?
  var backupTrial = BackupTrial()
  /// Whether the settings that follow have the pace in them.
  var isPreparing = false
  /// How the settings that were sent last let it run.
  var settledRunning: DutyCycle.Running?
  /// Whether it may have been left with its navigation stopped, by us or by whoever had it before.
  var mayBeStopped = true
  var trackingSince: Monotonic?
  var databaseDue = Monotonic.zero
  var healthDue = Monotonic.zero
  var restarts: [Monotonic] = []
  var lastConfigured: Monotonic?
  var lastAwake = Monotonic.zero
  /// The last whole plan's report, for whoever asks.
  package internal(set) var configuration: ConfigurationReport?
  package internal(set) var degradations: Set<Degradation> = []
  package internal(set) var meter: EnergyMeter
  /// When it fell asleep, by which method, and when it is to wake; `nil` while it is awake.
  package internal(set) var sleeping: (method: SleepMethod, since: Monotonic, until: Monotonic)?
  /// What it last said of its antenna.
  package internal(set) var health = ReceiverHealth()
  /// What the guard at the port's exit refused.
  package internal(set) var refusedCount = 0

  /// A silent receiver is sought again after these; the pause doubles.
  package static let seekPauseMin = Duration.seconds(30)
  package static let seekPauseMax = Duration.seconds(600)
  /// A port that was silent for so long after it was opened is no talking receiver's.
  package static let openPatience = Duration.seconds(10)
  /// An awake receiver that was silent for as long, and for as many epochs, is asked.
  package static let silence = Duration.seconds(10)
  package static let silentEpochs = 10
  /// NMEA that came for so long where it was switched off tells that the settings are gone.
  package static let nmeaPatience = Duration.seconds(3)
  package static let restartTime = Duration.seconds(2)
  /// So long after a wake-up, answers to the questions that went with it look like a start.
  package static let lateAnswers = Duration.seconds(5)
  /// As many restarts within this are answered by a new configuration.
  package static let restartCountMax = 5
  package static let restartWindow = Duration.seconds(600)
  /// A navigation database is saved after so long a track, and then so often.
  package static let databaseTracking = Duration.seconds(120)
  package static let databaseInterval = Duration.seconds(3600)

  package init(_ setup: Setup) {
    self.setup = setup
    (link, supply, facts) = (setup.link, setup.supply, setup.facts)
    meter = EnergyMeter()
    configures = setup.configuresItself
  }

  /// When `.timerFired` is due.
  package var deadline: Monotonic {
    // Changes nothing; but would be copied to be asked.
    mutating get {
      switch phase {
      case .closed: .never
      case .configuring: isReconfiguring ? min(taskTimer, dutyTimer) : taskTimer
      case .listening, .identifying, .restarting: taskTimer
      case .following: min(min(taskTimer, sleepTimer), min(dutyTimer, transferTimer))
      }
    }
  }

  /// Whether the pilot itself works on the line: what comes in says nothing of the line's rate, and
  /// silence is no fault.
  package var ownsLine: Bool {
    switch phase {
    case .closed, .listening: false
    case .identifying, .configuring, .restarting: true
    case .following: !isAwake
    }
  }

  /// What it was found to be; `nil` before it was.
  package var knownModel: ReceiverModel? { model }

  /// Whether it is identified, and configured where that is possible.
  package var isSettled: Bool { isFollowing }

  /// One word for what it is at.
  package var stateName: String {
    switch phase {
    case .closed: "closed"
    case .listening: "listening"
    case .identifying: "identifying"
    case .configuring: "configuring"
    case .restarting: "restarting"
    case .following: duty == nil ? "passive" : isAwake ? "awake" : "asleep"
    }
  }

  package var currentDemand: Demand? { demand }
  package var currentSupply: PowerSupply { supply }
  package var knownFixTimes: FixTimes? { duty?.fixTimes ?? facts?.fixTimes }
  /// When the duty cycle acts next.
  package var wakesAt: Monotonic { dutyTimer }

  /// How it sleeps next; `nil` where it cannot.
  package var sleepMethod: SleepMethod? { duty == nil ? nil : sleep?.method }

  /// Whether the receiver is on, as far as is known.
  package var isAwake: Bool { sleep?.isAwake ?? true }

  package mutating func handle(_ event: Event, at now: Monotonic) -> [Command] {
    switch event {
    case .opened(let baud, let isProven): return opened(baud, isProven: isProven, at: now)
    case .closed: return closed(at: now)
    case .lineFound(let baud): return lineFound(baud, at: now)
    case .lineLost: return lineLost(at: now)
    case .bytes:
      lastBytes = now
      return []
    case .heard(let heard): return hear(heard, at: now)
    case .epoch(let epoch): return take(epoch, at: now)
    case .timerFired: return expire(at: now)
    case .demand(let demand):
      self.demand = demand
      return isFollowing ? steer(.demand(demand), at: now) : []
    case .supply(let supply):
      self.supply = supply
      return isFollowing ? steer(.supply(supply), at: now) : []
    case .moved: return isFollowing ? steer(.moved, at: now) : []
    case .order(let order): return take(order, at: now)
    case .aid(let commands, let database): return aid(commands, database, at: now)
    }
  }

  var isFollowing: Bool { if case .following = phase { true } else { false } }

  /// Whether it is set again what was set before, while the receiver navigates: a fix that comes
  /// meanwhile counts, and when it is good enough the rest of the settings can wait. Between two
  /// rates of the line there is no way back.
  var isReconfiguring: Bool {
    guard case .configuring(let machine, let purpose) = phase, duty != nil else { return false }
    return (purpose == .again || purpose == .pace) && pendingOrder == nil
      && !machine.isChangingBaud
  }

  /// The way of every byte to the port.
  mutating func write(_ bytes: [UInt8]) -> [Command] {
    guard setup.mayWrite else { return [] }
    if let refusal = link.sessionGuard.refusal(of: bytes) {
      refusedCount += 1
      return [.report(.refused(refusal))]
    }
    return [.write(bytes)]
  }

  /// Bytes of somebody else, such as a client of gpsd, for the receiver.
  package mutating func passThrough(_ bytes: [UInt8]) -> [Command] { write(bytes) }

  mutating func degrade(_ degradation: Degradation) -> [Command] {
    degradations.insert(degradation).inserted ? [.report(.degraded(degradation))] : []
  }

  private mutating func expire(at now: Monotonic) -> [Command] {
    var commands: [Command] = []
    switch phase {
    case .closed: return []
    case .listening: return taskTimer <= now ? seekWhereSilent(at: now) : []
    case .identifying(let machine):
      return taskTimer <= now ? identify(machine, .timerFired, at: now) : []
    case .configuring(let machine, let purpose):
      if isReconfiguring, dutyTimer <= now {
        dutyTimer = .never
        return steer(.timerFired, at: now)
      }
      return taskTimer <= now ? configure(machine, purpose, .timerFired, at: now) : []
    case .restarting: return taskTimer <= now ? configureAgain(at: now) : []
    case .following: break
    }
    if sleepTimer <= now { commands += sleepTimerFired(at: now) }
    if isFollowing, dutyTimer <= now {
      dutyTimer = .never
      commands += steer(.timerFired, at: now)
    }
    if isFollowing, transferTimer <= now { commands += advanceTransfer(.timerFired, at: now) }
    if isFollowing, taskTimer <= now { commands += watchSilence(at: now) }
    return commands
  }
}
