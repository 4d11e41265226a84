import GNSS

/// A receiver as the hub follows it.
struct DeviceState: Sendable {
  /// What is known of whether epochs come.
  enum Presence: Sendable {
    /// Nothing was heard yet.
    case unheard
    /// Epochs come, or are due.
    case awake(lossAt: Monotonic)
    /// The daemon lets it sleep: no epochs are due.
    case asleep
    /// Epochs were due and did not come.
    case lost
  }

  var device: GPSDDevice
  /// The last epoch and the satellites as they were listed last.
  private(set) var last: Epoch?
  private(set) var presence = Presence.unheard
  /// When a TPV of it was last sent.
  var lastReport = Monotonic.zero
  /// Whether the receiver itself sent sentences with a position since the last epoch.
  var hasSentences = false
  var splitter = FrameSplitter()
  /// Between the last epochs; the shorter one is taken, as one that is missed makes a gap.
  private var intervals: (Duration?, Duration?)
  /// The last epoch that the next one can be measured from.
  private var previous: (time: UTCTime?, end: Monotonic)?

  init(_ device: GPSDDevice) { self.device = device }

  /// The device as clients are told of it. Some of them read the cycle wherever there is a speed,
  /// so that one second stands for an unknown one, as with gpsd.
  var described: GPSDDevice {
    var described = device
    described.cycle = device.cycle ?? interval ?? (device.speed == nil ? nil : .seconds(1))
    return described
  }

  /// Between the last epochs; `nil` before there are two.
  private var interval: Duration? {
    intervals.0.map { min($0, intervals.1 ?? $0) } ?? intervals.1
  }

  func isNamed(_ name: String) -> Bool { device.isNamed(name) }

  /// The fix that clients are told while no new one comes.
  var shown: Fix {
    switch presence {
    case .unheard: Fix()
    case .awake, .asleep: last?.fix ?? Fix()
    case .lost: .lost
    }
  }

  /// `shown` with the satellites.
  var current: Epoch {
    var epoch = last ?? Epoch()
    epoch.fix = shown
    return epoch
  }

  /// When a lack of epochs must be told.
  var lossAt: Monotonic {
    if case .awake(let lossAt) = presence { lossAt } else { .never }
  }

  mutating func take(_ epoch: Epoch, at now: Monotonic) {
    // One that was on its way when the receiver was told to sleep says nothing of the next.
    if case .asleep = presence { (intervals, previous) = ((nil, nil), nil) }
    if let previous {
      // By the receiver's own time, where it has one: bytes come early and late.
      let byTime = epoch.fix.time.flatMap { time in previous.time.map { time - $0 } } ?? .zero
      intervals = (intervals.1, byTime > .zero ? byTime : epoch.lastByte - previous.end)
    }
    previous = (epoch.fix.time, epoch.lastByte)
    last = epoch
    let patience = interval.map { $0 * 2 + GPSDHub.lossTolerance } ?? GPSDHub.lossAfterWaking
    presence = .awake(lossAt: now + patience)
    hasSentences = false
  }

  mutating func sleep() { presence = .asleep }

  mutating func wake(at now: Monotonic) {
    guard case .asleep = presence else { return }
    (intervals, previous) = ((nil, nil), nil)
    presence = .awake(lossAt: now + GPSDHub.lossAfterWaking)
  }

  mutating func lose() { presence = .lost }
}
