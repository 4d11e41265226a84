import GNSS
import GNSSWire

/// Finds out what answers on a port whose speed is right: listens first, then asks one question
/// at a time. Never changes the receiver's state, except that on an assigned port a sleeping
/// Airoha core is kept awake.
package struct Identification: Sendable {
  /// What may be done on the port.
  package struct Port: Equatable, Sendable {
    /// 0 where the port has none (USB).
    package var baud: Int
    /// Whether anything may be written to it at all.
    package var mayAsk: Bool
    /// Whether the user named it as a receiver's.
    package var isAssigned: Bool

    package init(baud: Int, mayAsk: Bool, isAssigned: Bool) {
      (self.baud, self.mayAsk, self.isAssigned) = (baud, mayAsk, isAssigned)
    }
  }

  package enum Event: Equatable, Sendable {
    case start
    case heard(Heard)
    case timerFired
  }

  package enum Command: Equatable, Sendable {
    case send(ReceiverCommand)
    /// Fire at this instant; takes the place of the timer armed before.
    case armTimer(Monotonic)
    /// It is this. `isRemembered`: the same as on the last start, so what was learned of it holds.
    case identified(ReceiverModel, isRemembered: Bool)
    /// Nothing intelligible came: wrong speed, or nothing there.
    case silent
  }

  private enum State: Equatable, Sendable {
    case idle
    case listening
    /// Keeps an Airoha core awake, so many more times.
    case waking(rest: Int)
    /// Between two questions.
    case pausing(next: Int)
    case asking(index: Int, attempt: Int)
    /// Asks more of what was found.
    case detailing(ReceiverModel, rest: [ReceiverCommand])
    case finished
  }

  /// How long to listen before the first question, and how long where nothing was heard by then: a
  /// receiver that sends once a second needs two of them.
  package static let listening = Duration.milliseconds(1200)
  package static let patientListening = Duration.seconds(3)
  /// As many checked frames prove that the speed is right.
  package static let heardCountMin = 2
  /// Old receivers choke on bursts of questions.
  package static let pause = Duration.milliseconds(100)
  package static let wakeInterval = Duration.milliseconds(40)
  package static let wakeCount = 25
  package static let detailPatience = Duration.seconds(1)

  private let port: Port
  private let remembered: ReceiverModel?
  private var state = State.idle
  private var deadline = Monotonic.never
  private var started = Monotonic.zero
  private var evidence = ReceiverEvidence()
  private var probes: [Probe] = []
  private var imitatesUBlox = false

  package init(port: Port, remembered: ReceiverModel? = nil) {
    (self.port, self.remembered) = (port, remembered)
  }

  package mutating func handle(_ event: Event, at now: Monotonic) -> [Command] {
    if case .heard(let heard) = event, state != .finished, !isEcho(heard) { evidence.take(heard) }
    if event == .timerFired, now < deadline { return [] }
    switch (state, event) {
    case (.idle, .start):
      state = .listening
      started = now
      return arm(now + Self.listening)
    case (.listening, .timerFired): return stopListening(at: now)
    case (.waking(let rest), .timerFired):
      guard rest > 0 else { return ask(0, attempt: 1, at: now) }
      state = .waking(rest: rest - 1)
      return [.send(Airoha.keepAwake)] + arm(now + Self.wakeInterval)
    case (.pausing(let next), .timerFired): return ask(next, attempt: 1, at: now)
    case (.asking(let index, let attempt), .timerFired):
      return attempt < probes[index].tries
        ? ask(index, attempt: attempt + 1, at: now) : move(to: index + 1, at: now)
    case (.asking(let index, _), .heard(let heard)): return answered(heard, to: index, at: now)
    case (.detailing(let model, let rest), .timerFired): return detail(model, rest, at: now)
    case (.detailing(let model, let rest), .heard(let heard)):
      return detailed(model, rest, by: heard, at: now)
    case (.idle, _), (.listening, _), (.waking, _), (.pausing, _), (.asking, _), (.detailing, _),
      (.finished, _):
      return []
    }
  }

  /// Old SiRF receivers send back what they do not understand: that says nothing of them.
  private func isEcho(_ heard: Heard) -> Bool {
    guard case .sentence(let text) = heard else { return false }
    let bytes = Array(text.utf8)
    return ([Airoha.keepAwake, pending].compactMap { $0 } + probes.map(\.command)).contains {
      $0.bytes.dropFirst().starts(with: bytes) && $0.bytes.dropFirst(bytes.count + 1).first == 0x2a
    }
  }

  private mutating func arm(_ instant: Monotonic) -> [Command] {
    deadline = instant
    return [.armTimer(instant)]
  }

  private mutating func stopListening(at now: Monotonic) -> [Command] {
    let isHeard = evidence.heardCount >= Self.heardCountMin
    if !isHeard, now < started + Self.patientListening {
      return arm(started + Self.patientListening)
    }
    guard port.mayAsk, !evidence.families.contains(.sirf) else { return conclude() }
    let hints = [remembered?.family].compactMap { $0 } + evidence.families
    var known: Set<ChipFamily> = []
    probes = Probe.sweep(startingWith: hints.filter { known.insert($0).inserted })
    // A silent line has the wrong speed more often than a silent receiver: ask only what could have
    // been told to be silent.
    if evidence.heardCount == 0 {
      let quiet: Set<ChipFamily> = [.ublox, .mediatek, .airoha, .casic]
      probes.removeAll { !quiet.contains($0.family) && $0.family != remembered?.family }
    }
    let mayBeAsleep = evidence.heardCount == 0 || remembered?.family == .airoha
    guard port.isAssigned, mayBeAsleep, probes.contains(where: { $0.family == .airoha }) else {
      return ask(0, attempt: 1, at: now)
    }
    state = .waking(rest: Self.wakeCount - 1)
    return [.send(Airoha.keepAwake)] + arm(now + Self.wakeInterval)
  }

  private mutating func ask(_ index: Int, attempt: Int, at now: Monotonic) -> [Command] {
    guard probes.indices.contains(index) else { return conclude() }
    state = .asking(index: index, attempt: attempt)
    return [.send(probes[index].command)] + arm(now + probes[index].patience(atBaud: port.baud))
  }

  private mutating func move(to next: Int, at now: Monotonic) -> [Command] {
    guard probes.indices.contains(next) else { return conclude() }
    state = .pausing(next: next)
    return arm(now + Self.pause)
  }

  private mutating func answered(
    _ heard: Heard, to index: Int, at now: Monotonic
  ) -> [Command] {
    let probe = probes[index]
    switch probe.command.verdict(of: heard) {
    case .accepted:
      guard var model = ReceiverModel(answer: heard, family: probe.family) else {
        return oddity(at: index, now)
      }
      if imitatesUBlox { model.traits.insert(.imitatesUBlox) }
      return detail(model, Self.details(of: model), at: now)
    case .refused: return move(to: index + 1, at: now)
    case .pending, nil: return []
    }
  }

  /// What claims to be u-blox and is none: CASIC chips half-answer its question.
  private mutating func oddity(at index: Int, _ now: Monotonic) -> [Command] {
    imitatesUBlox = true
    let asked = probes[...index]
    let rest = Probe.sweep(startingWith: [.casic]).filter { probe in
      probe.family != .ublox && !asked.contains(probe)
    }
    probes = Array(asked) + rest
    return move(to: index + 1, at: now)
  }

  /// The questions that complete what the first answer said.
  private static func details(of model: ReceiverModel) -> [ReceiverCommand] {
    switch model.family {
    case .ublox: (model.ublox?.protocolVersion ?? 0) >= 1800 ? [.poll(.secUNIQID)] : []
    case .casic: model.name.isEmpty ? [CASIC.queryHardware] : []
    case .airoha: [Quectel.queryVersion]
    default: []
    }
  }

  private mutating func detail(
    _ model: ReceiverModel, _ rest: [ReceiverCommand], at now: Monotonic
  ) -> [Command] {
    guard let next = rest.first else { return finish(model) }
    state = .detailing(model, rest: Array(rest.dropFirst()))
    pending = next
    return [.send(next)] + arm(now + Self.detailPatience)
  }

  /// The question of `detailing` that waits for its answer.
  private var pending: ReceiverCommand?

  private mutating func detailed(
    _ model: ReceiverModel, _ rest: [ReceiverCommand], by heard: Heard, at now: Monotonic
  ) -> [Command] {
    guard let verdict = pending?.verdict(of: heard), verdict != .pending else { return [] }
    guard verdict == .accepted else { return detail(model, rest, at: now) }
    var model = model
    if case .ubx(.secUNIQID, let payload) = heard {
      model.uniqueID = Self.hexadecimal(payload.dropFirst(4).prefix(6))
    } else if let more = ReceiverModel(answer: heard, family: model.family) {
      if !more.name.isEmpty { model.name = more.name }
    }
    return detail(model, rest, at: now)
  }

  private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 16)
      return byte < 16 ? "0" + digits : digits
    }.joined()
  }

  /// Nothing answered, or nothing may be asked: what was heard decides.
  private mutating func conclude() -> [Command] {
    guard evidence.heardCount >= Self.heardCountMin else {
      state = .finished
      return [.silent]
    }
    var model = ReceiverModel(family: evidence.families.first ?? .unknown)
    if imitatesUBlox { model = ReceiverModel(family: .unknown) }
    if port.mayAsk, model.family != .sirf { model.traits.insert(.readOnly) }
    if imitatesUBlox { model.traits.insert(.imitatesUBlox) }
    return finish(model)
  }

  private mutating func finish(_ model: ReceiverModel) -> [Command] {
    state = .finished
    deadline = .never
    let isSame =
      remembered.map {
        $0.family == model.family && $0.name == model.name && $0.uniqueID == model.uniqueID
      } ?? false
    return [.identified(model, isRemembered: isSame)]
  }
}
