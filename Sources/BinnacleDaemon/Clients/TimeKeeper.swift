import GNSS
import GPSDProtocol
import LinuxIO

/// Decides what one receiver tells of the time that clocks may be set by. Reads no clock itself.
package struct TimeKeeper: Sendable {
  package enum Command: Equatable, Sendable {
    /// Of the arrival of an epoch: late by what the line delays it.
    case sample(ClockSample)
    /// Of a pulse.
    case pulse(ClockSample)
    /// Set the system's clock this far ahead, once.
    case step(Duration)
  }

  /// Nothing is told before so many epochs in a row agreed with the boot-time clock for so long:
  /// the first ones after a start may come from the receiver's own clock, or without the leap
  /// seconds.
  static let settlingCount = 4
  static let settlingSpan = Duration.seconds(3)
  /// Epochs that agree do so within this, as a line may delay some; a leap second does not.
  static let agreement = Duration.milliseconds(500)
  /// More samples than one in this time are not told.
  static let sampleSpacing = Duration.milliseconds(950)
  /// A step below this is left to what disciplines the clock.
  static let smallestStep = Duration.milliseconds(500)
  /// How near to a whole second an epoch must be for the pulse before it to be that second's.
  private static let wholeSecond: Int64 = 50_000
  /// An epoch's first byte comes at most this long after its pulse.
  private static let pulseAge: Int64 = 950_000_000
  /// Pulses that are not a second apart, within this, are not of seconds.
  private static let pulseJitter: Int64 = 100_000_000
  /// Logarithms: a quarter of a second for a serial line, a microsecond for a pulse.
  private static let samplePrecision = -2
  private static let pulsePrecision = -20

  let device: String
  private let acceptsSimulated: Bool
  private var mayStep: Bool
  /// UTC less the boot-time clock, by the last epoch.
  private var offset: Duration?
  private var settling: (count: Int, since: Monotonic)?
  private var lastSample: Monotonic?
  private var lastPulse: PulseSource.Pulse?

  /// - Parameters:
  ///   - mayStep: Whether a clock that nothing keeps may be stepped, once.
  ///   - acceptsSimulated: Whether a simulated receiver counts.
  package init(device: String, mayStep: Bool, acceptsSimulated: Bool) {
    (self.device, self.mayStep) = (device, mayStep)
    self.acceptsSimulated = acceptsSimulated
  }

  /// Takes an epoch in.
  /// - Parameter pulse: The last pulse of the receiver's line.
  package mutating func epoch(
    _ epoch: Epoch, pulse: PulseSource.Pulse?, at now: Now
  ) -> [Command] {
    defer { lastPulse = pulse }
    guard let time = trustedTime(of: epoch.fix) else {
      settling = nil
      return []
    }
    guard isSettled(time: time, at: epoch.firstByte) else { return [] }
    let shown = (now.system - UTCTime(microseconds: 0)) - (now.monotonic - epoch.firstByte)
    let real = time - UTCTime(microseconds: 0)
    if mayStep, !now.isSynchronised {
      mayStep = false
      let step = real - shown
      let isSmall = (.zero - Self.smallestStep...Self.smallestStep).contains(step)
      if !isSmall { return [.step(step)] }
    }
    var commands: [Command] = []
    if let pulse, let sample = numbered(pulse, before: shown.wholeNanoseconds, of: time) {
      commands.append(.pulse(sample))
    }
    if lastSample.map({ epoch.firstByte - $0 >= Self.sampleSpacing }) ?? true {
      lastSample = epoch.firstByte
      commands.append(
        .sample(
          ClockSample(
            device: device, real: real.wholeNanoseconds, clock: shown.wholeNanoseconds,
            precision: Self.samplePrecision)))
    }
    return commands
  }

  /// A solution's time whose date the receiver sent. A fix of time alone counts; the host's own
  /// clock, which may be what is to be set, does not, nor does a time whose leap seconds the
  /// receiver has not heard yet. In a leap second nothing is told.
  private func trustedTime(of fix: Fix) -> UTCTime? {
    switch fix.dateSource {
    case .receiver, .rolloverCorrected, .carried: break
    case .none, .hostClock, .leapTable: return nil
    }
    guard fix.hasPosition || fix.status == .time, !fix.isLeapSecond,
      acceptsSimulated || fix.status != .simulated
    else { return nil }
    return fix.time.flatMap { $0 < Self.latest ? $0 : nil }
  }

  /// 2200-01-01: what claims to be later would not fit the nanoseconds of a sample.
  private static let latest = UTCTime(seconds: 7_258_118_400)

  private mutating func isSettled(time: UTCTime, at firstByte: Monotonic) -> Bool {
    let offset = time - UTCTime(microseconds: firstByte.nanoseconds / 1000)
    let change = self.offset.map { offset - $0 } ?? .zero
    self.offset = offset
    let isSteady = (.zero - Self.agreement...Self.agreement).contains(change)
    guard var settling, isSteady else {
      settling = (1, firstByte)
      return false
    }
    settling.count += 1
    self.settling = settling
    return settling.count >= Self.settlingCount && firstByte - settling.since >= Self.settlingSpan
  }

  /// The pulse with its second: that of the epoch which follows it within a second.
  private func numbered(
    _ pulse: PulseSource.Pulse, before arrival: Int64, of time: UTCTime
  ) -> ClockSample? {
    guard let lastPulse, pulse.sequence != lastPulse.sequence else { return nil }
    let seconds = Int64(pulse.sequence &- lastPulse.sequence)
    let drift = pulse.clock - lastPulse.clock - seconds * 1_000_000_000
    guard seconds <= 60, abs(drift) <= Self.pulseJitter else { return nil }
    let rounded = (time.microseconds + 500_000) / 1_000_000 * 1_000_000
    guard abs(time.microseconds - rounded) <= Self.wholeSecond,
      arrival > pulse.clock, arrival - pulse.clock <= Self.pulseAge
    else { return nil }
    return ClockSample(
      device: device, real: rounded * 1000, clock: pulse.clock, precision: Self.pulsePrecision)
  }
}
