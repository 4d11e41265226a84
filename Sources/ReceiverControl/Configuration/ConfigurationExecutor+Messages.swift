import GNSS
import GNSSWire

/// Configuration messages of u-blox 5 to 8: polled, written where the polled bytes differ, polled
/// again.
extension ConfigurationExecutor {
  private static func pollCommand(_ address: UBXMessageType, _ poll: [UInt8]) -> ReceiverCommand {
    ReceiverCommand(
      ReceiverCommand.frame(address, poll), answer: .ubxMessage(address, request: address))
  }

  mutating func pollMessage(
    _ address: UBXMessageType, _ poll: [UInt8], at now: Monotonic
  ) -> [Command] {
    phase = .pollingMessage
    return send(Self.pollCommand(address, poll), at: now)
  }

  mutating func polled(_ outcome: Exchange.Outcome, at now: Monotonic) -> [Command] {
    guard case .answered(.ubx(let address, let payload)) = outcome else {
      return end(outcome == .refused ? .refused : .unanswered, at: now)
    }
    switch plan.steps[index].action {
    case .message(_, let planned, _, let checked):
      let wanted = Self.keepingBaud(address, planned, found: payload)
      let isRestoring = checked.isEmpty
      if isRestoring ? payload == wanted : Self.holds(checked, in: payload) {
        return end(.verified, at: now)
      }
      if !isRestoring { keep(address, payload) }
      phase = .writingMessage(wanted)
      return send(.configure(address, payload: wanted), at: now)
    case .constellations(let wanted):
      guard let changed = UBXLegacy.constellations(wanted, in: payload) else {
        return end(.refused, at: now)
      }
      if changed == payload { return end(.verified, at: now) }
      keep(address, payload)
      phase = .writingMessage(changed)
      return send(.configure(address, payload: changed), at: now)
    default: return []
    }
  }

  /// A port's settings for a line whose rate the host does not know (0) leave the rate as it is.
  private static func keepingBaud(
    _ address: UBXMessageType, _ planned: [UInt8], found: [UInt8]
  ) -> [UInt8] {
    let field = 8..<12
    guard address == .cfgPRT, planned.count >= field.upperBound, found.count >= field.upperBound,
      planned[field].allSatisfy({ $0 == 0 })
    else { return planned }
    var kept = planned
    kept.replaceSubrange(field, with: found[field])
    return kept
  }

  /// Remembers what was found, once for each message and, of CFG-MSG and CFG-PRT, for each target.
  private mutating func keep(_ address: UBXMessageType, _ payload: [UInt8]) {
    let targetByteCount = address == .cfgMSG ? 2 : address == .cfgPRT ? 1 : 0
    let isKnown = report.found.messages.contains { known in
      known.0 == address && known.1.prefix(targetByteCount) == payload.prefix(targetByteCount)
    }
    if !isKnown { report.found.messages.append((address, payload)) }
  }

  private static func holds(
    _ checked: [ConfigurationStep.CheckedByte], in payload: [UInt8]
  ) -> Bool {
    checked.allSatisfy { payload.indices.contains($0.offset) && payload[$0.offset] == $0.value }
  }

  mutating func wroteMessage(
    _ payload: [UInt8], _ outcome: Exchange.Outcome, at now: Monotonic
  ) -> [Command] {
    if outcome == .refused { return end(.refused, at: now) }
    phase = .checkingMessage
    switch plan.steps[index].action {
    case .message(let address, _, let poll, _):
      return send(Self.pollCommand(address, poll), at: now)
    case .constellations: return send(Self.pollCommand(.cfgGNSS, []), at: now)
    default: return []
    }
  }

  mutating func checkedMessage(_ outcome: Exchange.Outcome, at now: Monotonic) -> [Command] {
    guard case .answered(.ubx(_, let payload)) = outcome else {
      return end(outcome == .refused ? .refused : .unanswered, at: now)
    }
    switch plan.steps[index].action {
    case .message(_, let wanted, _, let checked):
      let holds = checked.isEmpty ? payload == wanted : Self.holds(checked, in: payload)
      return end(holds ? .verified : .withoutEffect, at: now)
    case .constellations(let wanted):
      let holds = UBXLegacy.constellations(wanted, in: payload) == payload
      return end(holds ? .verified : .withoutEffect, at: now)
    default: return []
    }
  }
}

extension UBXLegacy {
  /// A polled UBX-CFG-GNSS payload with the wanted systems switched on and the others off, its
  /// channel counts untouched; `nil` where it is torn. GPS and QZSS go together.
  static func constellations(_ wanted: Set<Constellation>, in payload: [UInt8]) -> [UInt8]? {
    let blockByteCount = 8
    guard payload.count >= 4, payload.count == 4 + Int(payload[3]) * blockByteCount else {
      return nil
    }
    var changed = payload
    for start in stride(from: 4, to: payload.count, by: blockByteCount) {
      guard let constellation = Constellation(rawValue: payload[start]) else { continue }
      let isOn = wanted.contains(constellation == .qzss ? .gps : constellation)
      changed[start + 4] = payload[start + 4] & 0xfe | (isOn ? 1 : 0)
    }
    return changed
  }
}
