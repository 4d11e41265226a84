import Bytes
import ControlProtocol
import GNSS
import GNSSWire
import ReceiverControl

// What the core knows for the receivers' pilots, and keeps for them.
extension DaemonCore {
  /// A receiver's files in the state directory: what was learned of it, and its navigation
  /// database.
  static func factsName(_ identity: String) -> String { stem(identity) + ".facts" }
  static func databaseName(_ identity: String) -> String { stem(identity) + ".navdb" }

  private static func stem(_ identity: String) -> String {
    var buffer = OutputBuffer(capacity: 32)
    buffer.append("receiver-")
    buffer.append(hex: receiverID(identity), width: 16)
    return buffer.text
  }

  /// What the pilot of a new receiver needs to know.
  func setup(
    for identity: String, _ transport: ReceiverLink.Transport,
    _ configured: Configuration.Receiver?
  ) -> ReceiverPilot.Setup {
    var link = ReceiverLink(transport: transport, baud: 0)
    link.wakePin = configured?.wakeGPIO.map { WakePin(line: $0.text) }
    link.canCutSupply = configured?.enableGPIO != nil
    link.keepsBackup = configured?.hasBackup ?? false
    // Only ports that are known to be a receiver's, or that the user named, get here.
    var setup = ReceiverPilot.Setup(link: link, mayWrite: configured?.mayConfigure ?? true)
    setup.configuresItself = settings.configuresReceivers
    setup.mayTryBackup = configured?.hasBackup == nil
    setup.profiles = settings.profiles
    setup.supply = settings.supply
    setup.facts = settings.memories[Self.factsName(identity)]?.withByteView {
      ReceiverFacts(encoded: $0)
    }
    return setup
  }

  /// What feeds the board changed.
  package mutating func supply(_ supply: PowerSupply, at now: Now) -> [Command] {
    guard supply != settings.supply else { return [] }
    settings.supply = supply
    return receivers.indices.flatMap { slot in
      tell(.supply(supply), slot, at: now)
    }
  }

  mutating func tell(_ event: ReceiverPilot.Event, _ slot: Slot, at now: Now) -> [Command] {
    guard receivers.indices.contains(slot) else { return [] }
    return perform(
      receivers[slot].session.tell(event, at: now.monotonic), of: slot, at: now)
  }

  /// Bytes of a client for the receiver on this port.
  package mutating func passThrough(
    _ bytes: [UInt8], to node: String, at now: Now
  ) -> [Command] {
    guard let slot = receivers.firstIndex(where: { $0.session.node == node }) else { return [] }
    let steps = receivers[slot].session.passThrough(bytes, at: now.monotonic)
    return perform(steps, of: slot, at: now)
  }

  mutating func remember(_ facts: ReceiverFacts, of slot: Slot) -> [Command] {
    let name = Self.factsName(receivers[slot].session.identity)
    let bytes = facts.encoded
    guard settings.memories[name] != bytes else { return [] }
    settings.memories[name] = bytes
    return [.keep(name: name, bytes)]
  }

  mutating func keep(
    _ owner: String, _ messages: [[UInt8]], of slot: Slot, at now: Now
  ) -> [Command] {
    guard let time = trustedTime(at: now) else { return [] }
    let name = Self.databaseName(receivers[slot].session.identity)
    let bytes = NavigationDatabase(owner: owner, savedAt: time, messages: messages).encoded
    settings.memories[name] = bytes
    return [.keep(name: name, bytes)]
  }

  /// Time, position and navigation database, as far as each is to be trusted.
  mutating func aid(_ slot: Slot, at now: Now) -> [Command] {
    guard let model = receivers[slot].session.pilot.knownModel else { return [] }
    let clock: Aiding.Clock = now.isSynchronised ? .disciplined(error: .zero) : .unset
    let position = lastFix.flatMap { last in
      Aiding.position(
        of: last.fix, age: now.monotonic - last.boottime, activity: demand?.activity ?? .other)
    }
    let commands = Aiding.commands(
      for: model, time: Aiding.time(now.system, clock: clock), position: position)
    let name = Self.databaseName(receivers[slot].session.identity)
    let saved = settings.memories[name]?.withByteView { NavigationDatabase(encoded: $0) }
    let database = saved.flatMap { database in
      trustedTime(at: now).flatMap { database.isFor(model, at: $0) ? database : nil }
    }
    return tell(.aid(commands, database), slot, at: now)
  }

  /// An order of a client that waits for its end.
  struct WaitingOrder: Sendable {
    let order: ReceiverPilot.Order
    let slot: Slot
    let ticket: ControlTicket
  }

  /// What became of an order to a receiver.
  mutating func ordered(
    _ order: ReceiverPilot.Order, failure: String?, _ slot: Slot, at now: Now
  ) -> [Command] {
    let name = receivers[slot].session.identity
    var commands: [Command] = [
      .say("\(name): \(order.name): \(failure ?? "done")"), .ordered(slot, failure: failure),
    ]
    for wait in waiting where wait.slot == slot && wait.order == order {
      let outcome: Result<[JSONMember], ControlError> =
        failure.map { .failure(.receiver("\(name): \($0)")) }
        ?? .success(members(of: slot, at: now))
      commands.append(.answer(wait.ticket, outcome))
    }
    waiting.removeAll { $0.slot == slot && $0.order == order }
    return commands
  }
}

extension ReceiverPilot.Order {
  /// As commands have it.
  package var name: String {
    switch self {
    case .configure: "configure"
    case .restart(.hot): "restart --hot"
    case .restart(.warm): "restart --warm"
    case .restart(.cold): "restart --cold"
    case .restore: "restore"
    }
  }
}

extension PortDescription {
  /// How the receiver behind the port is reached.
  var receiverTransport: ReceiverLink.Transport {
    switch transport {
    case .uart: .uart
    case .kernelGNSS, .bluetooth: .fixedRate
    case .usb: hasLineSpeed ? .bridge : .nativeUSB
    }
  }
}

extension ReceiverLink.Transport {
  /// Of a port that the user named, by the kernel's names. What may be a receiver's own USB counts
  /// as one: it is never told to leave it.
  init(node: String) {
    let name = node.split(separator: "/").last ?? ""
    if name.hasPrefix("ttyACM") {
      self = .nativeUSB
    } else if name.hasPrefix("ttyUSB") {
      self = .bridge
    } else if name.hasPrefix("gnss") || name.hasPrefix("rfcomm") {
      self = .fixedRate
    } else {
      self = .uart
    }
  }
}
