import Bytes
import GNSS
import GNSSWire
import ReceiverControl

/// A receiver that is carried along a journey: bytes in, bytes out, at the pace of its port. It
/// answers questions, obeys its settings, searches before it has a fix, and sleeps when told to.
///
/// The owner calls `advance` at `nextEvent` at the latest, `receive` with what the host sent, and
/// `send` for what has left the receiver.
package struct SimulatedReceiver: Sendable {
  package enum Power: Equatable, Sendable {
    case on
    /// Until its own timer ends it; `nil`: until something else does.
    case asleep(SleepMethod, until: Monotonic?)
    case unpowered
  }

  package let kind: SimulatedReceiverKind
  package internal(set) var power = Power.on
  /// The rate of its port.
  package internal(set) var baud: Int
  /// What the host sent while it was heard, whole frames and sentences; the oldest are dropped.
  package internal(set) var heardCommands: [[UInt8]] = []
  package static let heardCommandCountMax = 1000

  package let journey: SimulatedJourney
  let clockStart: UTCTime
  let switchedOn: Monotonic
  var navigation: SimulatedNavigation
  package internal(set) var isNavigating = true
  var line = SimulatedReceiverLine()
  var memory: SimulatedReceiverMemory
  package internal(set) var epochCount = 0
  var nextEpoch: Monotonic
  private var input: [UInt8] = []
  private var cursor = 0
  private var acknowledgeCount = 0
  /// Whether the settings in RAM outlast the cut of the supply.
  private var keepsSettings = false

  /// A receiver's input buffer, bytes.
  private static let inputByteCountMax = 1024

  /// - Parameters:
  ///   - clockStart: The time of day at the clock's zero.
  ///   - start: What it still knows when it is switched on.
  package init(
    _ kind: SimulatedReceiverKind, profile: ReceiverProfile, journey: SimulatedJourney,
    clockStart: UTCTime, start: ReceiverCommand.Restart = .cold, seed: UInt64 = 1,
    at now: Monotonic = .zero
  ) {
    self.kind = kind
    self.journey = journey
    self.clockStart = clockStart
    baud = kind.baud
    navigation = SimulatedNavigation(profile: profile, seed: seed)
    memory = SimulatedReceiverMemory(kind)
    nextEpoch = now
    switchedOn = now
    nextEpoch = wholePeriod(after: now + Self.bootTime)
    navigation.begin(start, at: now)
    appendBootText(at: now)
  }

  /// From the switch-on or the wake-up to the first epoch, at the least.
  private static let bootTime = Duration.milliseconds(400)

  /// Epochs stand at whole multiples of their interval, by the receiver's time.
  private func wholePeriod(after instant: Monotonic) -> Monotonic {
    let period = max(memory.interval, Self.intervalMin).wholeNanoseconds
    let time = (clockStart.microseconds % 86_400_000_000) * 1000
    let (sum, overflow) = time.addingReportingOverflow(instant.nanoseconds)
    guard !overflow else { return instant }
    let late = (sum % period + period) % period
    return instant + .nanoseconds(late == 0 ? 0 : period - late)
  }

  private static let intervalMin = Duration.milliseconds(50)

  package var hasFix: Bool { navigation.state == .tracking }
  /// What it does now, and the milliamperes that it draws for that.
  package var consumption: (state: PlanResult.State, milliamperes: Double) {
    switch power {
    case .unpowered: (.asleep, navigation.current(asleep: .cutSupply))
    case .asleep(let method, _): (.asleep, navigation.current(asleep: method))
    case .on: (PlanResult.State(navigation), navigation.current(asleep: stopMethod))
    }
  }

  /// The order by which it is on and does not search.
  private var stopMethod: SleepMethod { kind.family == .airoha ? .airohaOff : .ubxStop }

  /// Whether bytes are on their way out.
  package var isSending: Bool { line.count > 0 }

  /// When something happens by itself.
  package var nextEvent: Monotonic {
    let sent = kind.isNativeUSB ? nil : line.empty(baud: baud)
    switch power {
    case .on: return min(nextEpoch, sent ?? .never)
    case .asleep(_, let until): return until ?? .never
    case .unpowered: return .never
    }
  }

  /// Lets the time go by.
  package mutating func advance(to now: Monotonic) {
    if case .asleep(_, let until?) = power, until <= now { wake(at: until) }
    while power == .on, nextEpoch <= now {
      let due = nextEpoch
      nextEpoch = wholePeriod(after: due + .milliseconds(1))
      takeEpoch(at: due)
    }
  }

  /// Takes bytes from the host, sent at this rate. At another rate than its own they are noise, but
  /// an edge all the same.
  package mutating func receive(_ bytes: [UInt8], baud rate: Int, at now: Monotonic) {
    advance(to: now)
    guard !kind.faults.contains(.deaf), !bytes.isEmpty else { return }
    switch power {
    case .unpowered: return
    case .asleep(let method, _):
      if wakesByEdge(method) { wake(at: now) }
      return
    case .on: break
    }
    guard rate == baud || kind.isNativeUSB else { return }
    input.append(contentsOf: bytes)
    takeInput(at: now)
  }

  /// The host holds the line low: an edge, whatever the rate.
  package mutating func lineHeldLow(at now: Monotonic) {
    advance(to: now)
    if case .asleep(let method, _) = power, wakesByEdge(method), !kind.faults.contains(.deaf) {
      wake(at: now)
    }
  }

  /// The pin that wakes it, for families with one.
  package mutating func pulseWakePin(at now: Monotonic) {
    advance(to: now)
    if case .asleep = power { wake(at: now) }
  }

  /// Cuts or restores its supply. Without a backup supply all settings and ephemerides are gone.
  package mutating func setSupply(_ isOn: Bool, keepsBackup: Bool, at now: Monotonic) {
    advance(to: now)
    guard isOn == (power == .unpowered) else { return }
    if isOn {
      wake(at: now)
    } else {
      navigation.switchOff(at: now)
      // MediaTek's are in the memory that the backup supply feeds.
      keepsSettings = keepsBackup && kind.family == .mediatek
      if !keepsBackup {
        navigation.forget()
        memory.forget()
      }
      power = .unpowered
      line.removeAll()
    }
  }

  /// What has left it by now, as a host reads it at this rate: noise at a wrong one.
  package mutating func send(baud rate: Int, at now: Monotonic) -> [UInt8] {
    advance(to: now)
    let bytes = line.take(until: now, baud: kind.isNativeUSB ? 12_000_000 : baud)
    guard rate == baud || kind.isNativeUSB else { return bytes.map { $0 &* 151 | 0x81 } }
    return bytes
  }

  private func wakesByEdge(_ method: SleepMethod) -> Bool {
    guard !kind.faults.contains(.wakesByTimerOnly) else { return false }
    switch method {
    case .ubxBackup, .ubxBackupShort, .mtkStandby, .casicStandby: return true
    default: return false
    }
  }

  mutating func wake(at now: Monotonic) {
    let isKept =
      if case .asleep(let method, _) = power { !method.mayLoseSettings } else { keepsSettings }
    if !isKept {
      memory.restart()
      baud = memory.baud ?? baud
    }
    power = .on
    isNavigating = true
    input = []
    nextEpoch = wholePeriod(after: now + Self.bootTime)
    navigation.switchOn(at: now)
    appendBootText(at: now)
  }

  mutating func fallAsleep(_ method: SleepMethod, for span: Duration?, at now: Monotonic) {
    guard !kind.faults.contains(.neverSleeps) else { return }
    var until = span.map { now + $0 }
    for case .wakesItself(let seconds) in kind.faults {
      until = min(until ?? .never, now + .seconds(seconds))
    }
    power = .asleep(method, until: until)
    navigation.switchOff(at: now)
    line.removeAll()
  }

  mutating func setNavigating(_ isOn: Bool, at now: Monotonic) {
    isNavigating = isOn
    if isOn { navigation.switchOn(at: now) } else { navigation.switchOff(at: now) }
  }

  mutating func reply(_ bytes: [UInt8], at now: Monotonic) { line.append(bytes, at: now) }

  /// Whether this acknowledgement gets lost.
  mutating func losesAcknowledgement() -> Bool {
    acknowledgeCount += 1
    for case .losesAcknowledgement(let every) in kind.faults {
      return acknowledgeCount % max(every, 1) == 0
    }
    return false
  }

  private mutating func takeInput(at now: Monotonic) {
    while power == .on {
      let finding = input.withByteView { FrameScanner.next(in: $0, at: 0) }
      switch finding {
      case .frame(let wireProtocol, let end):
        let frame = Array(input[..<end])
        input.removeFirst(end)
        heardCommands.append(frame)
        if heardCommands.count > Self.heardCommandCountMax { heardCommands.removeFirst() }
        obey(frame, wireProtocol, at: now)
      case .rejected(_, _, let resume): input.removeFirst(max(resume, 1))
      case .noise(let end): input.removeFirst(max(end, 1))
      case .incomplete, .end:
        if input.count > Self.inputByteCountMax { input = [] }
        return
      }
    }
    input = []
  }

  private mutating func obey(_ frame: [UInt8], _ wireProtocol: WireProtocol, at now: Monotonic) {
    switch wireProtocol {
    case .nmea:
      let text = String(decoding: frame.dropFirst().prefix { $0 != 0x2a }, as: UTF8.self)
      obeySentence(text.split(separator: ",", omittingEmptySubsequences: false), at: now)
    case .ubx:
      let type = UBXMessageType(messageClass: frame[2], id: frame[3])
      obeyUBX(type, Array(frame[6..<(frame.count - 2)]), at: now)
    case .casic where kind.family == .casic:
      let type = UBXMessageType(messageClass: frame[4], id: frame[5])
      obeyCASIC(type, Array(frame[6..<(frame.count - 4)]), at: now)
    case .allystar where kind.family == .allystar: obeyAllystar(frame, at: now)
    case .skytraq where kind.family == .skytraq: obeySkyTraq(frame, at: now)
    case .rtcm3, .casic, .allystar, .skytraq, .sirf: break
    }
  }

  // MARK: Epochs

  private mutating func takeEpoch(at now: Monotonic) {
    guard isNavigating else { return }
    let point = journey.point(at: now - .zero, cursor: &cursor)
    navigation.isCyclic = memory.isCyclic
    let solution = navigation.step(at: now, to: point)
    epochCount += 1
    let epoch = self.epoch(solution, point, at: now)
    var output = OutputBuffer()
    if memory.sendsNMEA {
      output.appendSentences(memory.sentences(ofEpoch: epochCount), of: epoch)
    }
    if memory.sendsUBX {
      output.appendUBX(
        of: epoch, ids: memory.navigationIDs(ofEpoch: epochCount),
        isTimeKnown: navigation.hasClock)
    }
    if memory.sendsPositionFrame {
      output.append(bytes: Self.positionFrame(of: epoch.fix, runTime: now - switchedOn))
    }
    line.append(output.bytes, at: now)
  }
}
