import Bytes
import ControlProtocol
import GNSS
import GNSSWire
import LocationServices
import ReceiverControl

/// Which request of which client an answer belongs to.
package struct ControlTicket: Hashable, Sendable {
  package var client: ClientID
  package var request: RequestID

  package init(client: ClientID, request: RequestID) {
    (self.client, self.request) = (client, request)
  }
}

// What clients of the control protocol ask of receivers.
extension DaemonCore {
  /// Answers what a client asks of a receiver, or begins to do it and answers later. Whether the
  /// client may is settled before.
  package mutating func request(
    _ request: ReceiverRequest, _ ticket: ControlTicket, at now: Now
  ) -> [Command] {
    guard let slot = slot(named: request.receiver) else {
      return [.answer(ticket, .failure(.receiver(whyNoSlot(request.receiver))))]
    }
    switch request.action {
    case .show: return [.answer(ticket, .success(members(of: slot, at: now)))]
    case .configure: return begin(.configure, slot, ticket, at: now)
    case .restore: return begin(.restore, slot, ticket, at: now)
    case .restart:
      let name = request.options.last { $0.name == "kind" }?.value.string ?? "hot"
      guard let kind = ReceiverCommand.Restart(rawValue: name) else {
        return [.answer(ticket, .failure(.invalid("kind '\(name)': not hot, warm or cold")))]
      }
      return begin(.restart(kind), slot, ticket, at: now)
    }
  }

  /// Gives the order; the answer follows when it was carried out.
  private mutating func begin(
    _ order: ReceiverPilot.Order, _ slot: Slot, _ ticket: ControlTicket, at now: Now
  ) -> [Command] {
    waiting.append(WaitingOrder(order: order, slot: slot, ticket: ticket))
    return tell(.order(order), slot, at: now)
  }

  /// What `status` shows of the receivers.
  package func receiverList(at now: Now) -> JSONValue {
    .array(receivers.indices.map { .object(members(of: $0, at: now)) })
  }

  /// The receiver whose identity or port this is, or part of it; without a name the only one.
  private func slot(named name: String?) -> Slot? {
    let matching = slots(named: name)
    return matching.count == 1 ? matching[0] : nil
  }

  private func slots(named name: String?) -> [Slot] {
    guard let name else { return Array(receivers.indices) }
    let exact = receivers.indices.filter {
      receivers[$0].session.identity == name || receivers[$0].session.node == name
    }
    if !exact.isEmpty { return exact }
    return receivers.indices.filter {
      receivers[$0].session.identity.holds(name)
        || receivers[$0].session.node?.holds(name) == true
    }
  }

  private func whyNoSlot(_ name: String?) -> String {
    let known = receivers.map(\.session.identity).joined(separator: ", ")
    guard !known.isEmpty else { return "there is no receiver; 'binnacle devices' tells why" }
    guard let name else { return "there are several receivers; name one of: \(known)" }
    return slots(named: name).isEmpty
      ? "'\(name)': no such receiver; there are: \(known)"
      : "'\(name)': may be several receivers; name one of: \(known)"
  }

  /// What of a receiver's state is news; the rest are counts and times, which never rest.
  package struct Standing: Equatable, Sendable {
    var port: String?
    var phase: ReceiverSession.Phase
    var baud: Int?
    var known: ReceiverIdentity
    var control: String
    var configuration: [ConfigurationReport.Line]?
    var isReachable: Bool?
    var sleepsUntil: Monotonic?
    var method: SleepMethod?
    var whyPower: String
    var problems: Set<ReceiverPilot.Degradation>
    var antenna: ReceiverHealth.Antenna?
    var isJammed: Bool?
  }

  package func standing(of slot: Slot) -> Standing {
    let session = receivers[slot].session
    let pilot = session.pilot
    return Standing(
      port: session.node, phase: session.phase, baud: session.baud, known: session.known,
      control: pilot.stateName, configuration: pilot.configuration?.lines,
      isReachable: pilot.configuration?.isReachable, sleepsUntil: pilot.sleeping?.until,
      method: pilot.sleepMethod, whyPower: pilot.whyPower, problems: pilot.degradations,
      antenna: pilot.health.antenna, isJammed: pilot.health.isJammed)
  }

  /// The state of one.
  func members(of slot: Slot, at now: Now) -> [JSONMember] {
    let session = receivers[slot].session
    let identity = session.known
    var members: [JSONMember] = []
    members.add("receiver", session.identity)
    members.add("port", session.node)
    members.add("state", session.phase.name)
    members.add("openFor", session.openTime(at: now.monotonic).map { Int($0.inSeconds) })
    members.add("baud", session.baud)
    if identity.family != .unknown { members.add("family", "\(identity.family.name)") }
    members.add("model", identity.model)
    members.add("firmware", identity.firmware)
    members.add("hardware", identity.hardware)
    members.add("uniqueID", identity.uniqueID)
    members += session.pilot.members(at: session.clock)
    members.add("antenna", session.pilot.health.antenna?.rawValue)
    members.add("jammed", session.pilot.health.isJammed)
    let errors = session.lineErrors
    members.add("framingErrors", errors.map { Int($0.frame) })
    members.add("overruns", errors.map { Int($0.overrun) })
    members.add("bytes", Int(clamping: session.decoder.counts.byteCount))
    members.add("accepted", Int(clamping: session.decoder.counts.accepted))
    members.add("rejected", Int(clamping: session.decoder.counts.rejected))
    return members
  }
}

extension ReceiverSession.Phase {
  /// The name in JSON output.
  fileprivate var name: String {
    switch self {
    case .absent: "absent"
    case .waiting: "waiting"
    case .opening: "opening"
    case .open: "open"
    }
  }
}
