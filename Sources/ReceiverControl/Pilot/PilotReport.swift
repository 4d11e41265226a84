import GNSS

extension ReceiverPilot {
  /// What happened, for the log, the journal and whoever asks.
  package enum Report: Equatable, Sendable {
    /// `isRemembered`: the same as at the last start.
    case identified(ReceiverModel, isRemembered: Bool)
    /// It is used as it is: nothing can or may be changed.
    case passive(Passive)
    case configured(ConfigurationReport, Purpose)
    /// It is told to sleep: no epoch is due from now on, long before it is seen to sleep.
    case fallingAsleep
    /// It sleeps, until then at the latest.
    case asleep(SleepMethod, for: Duration)
    /// `isSelf`: before it was told to, and well before its time.
    case awake(isSelf: Bool)
    /// It started again by itself; it is configured again.
    case restarted
    /// A search ended without a fix; the next begins after this.
    case noFix(next: Duration)
    case degraded(Degradation)
    case finished(Order)
    case failed(Order, reason: String)
    case refused(SessionGuard.Refusal)
  }

  /// Why a receiver is used as it is.
  package enum Passive: String, Equatable, Sendable {
    case byConfiguration = "by configuration"
    case answersNothing = "it answers nothing"
    case unknownFamily = "its family is not known"
    case notAsked = "nothing was asked to be changed"
    case restored = "it was restored by order"
  }

  /// What does not work as it should. The session goes on all the same.
  package enum Degradation: String, CaseIterable, Sendable {
    /// It is awake and says nothing, to no question and at no rate.
    case silent = "it says nothing, at no speed; is it powered, and wired right?"
    /// It will not sleep by any method: it stays awake.
    case cannotSleep = "it does not sleep by any method, and stays awake"
    /// It does not react to what should wake it; its own timer must.
    case doesNotWake = "it does not wake when told to; its own timer must"
    /// It woke by itself, well before its time.
    case wakesItself = "it wakes by itself"
    /// Some settings are refused or without effect.
    case incompletelyConfigured = "it refuses some settings, or ignores them"
    /// It does not work at the higher rate on this wiring.
    case staysSlow = "it does not work at the higher speed, and keeps its own"
    /// Its clock did not outlive a cut of its supply, which is not cut any more.
    case losesMemory = "it forgets the time when its supply is cut; that is left on from now on"
    /// It restarts again and again.
    case restartsOften = "it starts again and again; is its supply good enough?"
    /// Its configuration did not end with it answering.
    case losesContact = "it stopped answering while it was configured"
  }
}

/// The energy that a receiver has drawn, by its profile's currents. Without a profile it stays 0.
package struct EnergyMeter: Equatable, Sendable {
  package enum State: Equatable, Sendable {
    case off
    case searching
    case tracking
    case cyclic
    case asleep(SleepMethod)
  }

  package private(set) var state = State.off
  package private(set) var joules = 0.0
  /// Seconds awake, and asleep.
  package private(set) var awakeSeconds = 0.0
  package private(set) var asleepSeconds = 0.0
  private var since = Monotonic.zero

  package init() {}

  /// Counts up to now and goes on in another state.
  package mutating func turn(_ next: State, profile: ReceiverProfile?, at now: Monotonic) {
    settle(profile, at: now)
    state = next
  }

  /// Counts up to now.
  package mutating func settle(_ profile: ReceiverProfile?, at now: Monotonic) {
    let seconds = max((now - since).inSeconds, 0)
    since = now
    var milliamperes = 0.0
    switch state {
    case .off: return
    case .searching: milliamperes = profile?.acquisition.value ?? 0
    case .tracking: milliamperes = profile?.tracking.value ?? 0
    case .cyclic: milliamperes = profile?.cyclic?.value ?? profile?.tracking.value ?? 0
    case .asleep(let method): milliamperes = profile?.sleepCurrent(method) ?? 0
    }
    if case .asleep = state { asleepSeconds += seconds } else { awakeSeconds += seconds }
    joules += (profile?.supply.value ?? 0) * milliamperes / 1000 * seconds
  }
}
