import Bytes
import ControlProtocol
import GNSS
import TerminalView

/// Makes the state of the live view out of what the daemon tells.
struct WatchFeed {
  private(set) var state: WatchState
  /// Times of the last fixes, for their rate.
  private var fixTimes: [UTCTime] = []
  /// When a place of the timeline is full.
  private var nextStep: Monotonic?

  /// Epochs that the rate is taken from.
  private static let rateEpochCount = 20
  /// Seconds to the next waking that are believed.
  private static let waitMax: Int64 = 366 * 86_400
  /// Places of the timeline that are kept.
  private static let timelineCountMax = 360

  /// Whether the daemon lets us look at every epoch; else only at what our session is told.
  private let isObserving: Bool

  init(daemon: String, isObserving: Bool) {
    self.isObserving = isObserving
    state = WatchState()
    // It calls itself by name and version; the title has the name.
    state.version = daemon.split(separator: " ").dropFirst().joined(separator: " ")
  }

  /// Takes in a line that came unasked.
  mutating func take(_ line: JSONValue) {
    // What a session is told is all that there is with reduced accuracy.
    let isSession = line["type"]?.string == "update" && !isObserving
    guard isSession || line["type"]?.string == "observed" else { return }
    if let fix = line["fix"] { take(Fix(fix)) }
    if let satellites = line["sky"]?["satellites"]?.array {
      state.satellites = satellites.compactMap { Satellite($0) }
    }
    if let receiver = line["state"] { takeReceiver(receiver) }
  }

  private mutating func take(_ fix: Fix) {
    if let position = fix.position, fix.hasPosition { state.lastPosition = position }
    state.fix = fix
    if let receiver = state.receiver, receiver.power == .tracking || receiver.power == .acquiring {
      let power = awakePower
      state.receiver?.power = power
    }
    guard let time = fix.time else { return }
    if let last = fixTimes.last, time <= last { fixTimes.removeAll() }
    fixTimes.append(time)
    if fixTimes.count > Self.rateEpochCount { fixTimes.removeFirst() }
    guard let first = fixTimes.first, fixTimes.count > 1 else {
      state.epochRate = nil
      return
    }
    state.epochRate = Double(fixTimes.count - 1) / (time - first).inSeconds
  }

  /// Takes in the answer to `status`.
  mutating func takeStatus(_ answer: JSONValue) {
    // The one whose state is known best, where there are several.
    let receivers = answer["receivers"]?.array ?? []
    let open = receivers.first { $0["state"]?.string == "open" }
    if let receiver = open ?? receivers.first {
      takeReceiver(receiver)
    } else {
      state.receiver = nil
    }
    state.problem = receivers.isEmpty ? "no receiver: 'binnacle doctor' tells why" : nil
    var log = WatchState.Log()
    log.path = answer["log"]?["file"]?.string ?? ""
    log.recordCount = answer["log"]?["records"]?.integer.flatMap { Int(exactly: $0) }
    log.filled = answer["log"]?["filled"]?.number
    log.problem = answer["log"]?["error"]?.string
    state.log = log
    state.tier = answer["service"]?["tier"]?.string.flatMap { Tier(named: $0) }
    state.clientCount = answer["service"]?["sessions"]?.integer.flatMap { Int(exactly: $0) }
  }

  private mutating func takeReceiver(_ line: JSONValue) {
    var receiver = WatchState.Receiver()
    receiver.name = line["receiver"]?.string ?? ""
    receiver.model = line["model"]?.string
    receiver.firmware = line["firmware"]?.string
    receiver.node = line["port"]?.string
    receiver.baud = line["baud"]?.integer.flatMap { Int(exactly: $0) }
    let power = line["power"]
    switch power?["state"]?.string {
    case "asleep": receiver.power = .asleep
    case "awake": receiver.power = awakePower
    default: break
    }
    receiver.powerReason = power?["why"]?.string
    if let wait = power?["wakesIn"]?.integer, let now = state.now {
      receiver.wakesAt = now + .seconds(min(max(wait, 0), Self.waitMax))
    }
    state.receiver = receiver
  }

  /// What a receiver that is awake does.
  private var awakePower: WatchState.Power {
    state.fix?.hasPosition == true ? .tracking : .acquiring
  }

  /// Goes on with the clock.
  mutating func tick(now: UTCTime, at instant: Monotonic) {
    state.now = now
    guard (nextStep ?? instant) <= instant else { return }
    nextStep = instant + .seconds(state.timelineStep)
    guard let receiver = state.receiver else { return }
    state.timeline.append(receiver.power)
    if state.timeline.count > Self.timelineCountMax { state.timeline.removeFirst() }
  }

  mutating func toggleHelp() { state.showsHelp.toggle() }
}

extension Satellite {
  /// Reads what `FixJSON` writes; `nil` where it names no satellite.
  init?(_ json: JSONValue) {
    let name = json["gnss"]?.string
    guard let svid = json["svid"]?.integer.flatMap({ UInt8(exactly: $0) }),
      let constellation = Constellation.allCases.first(where: { "\($0.name)" == name })
    else { return nil }
    self.init(constellation: constellation, svid: svid)
    elevation = json["el"]?.integer.flatMap { Int8(exactly: $0) }
    azimuth = json["az"]?.integer.flatMap { Int16(exactly: $0) }
    cn0 = json["snr"]?.integer.flatMap { UInt8(exactly: $0) }
    signal = json["signal"]?.integer.flatMap { UInt8(exactly: $0) } ?? 0
    isUsed = json["used"]?.bool ?? false
  }
}
