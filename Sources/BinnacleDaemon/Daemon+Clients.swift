import Bytes
import GNSS
import GNSSWire
import GPSDProtocol
import LinuxIO
import LocationServices

// What the daemon tells clients of gpsd, and those who keep clocks.
extension Daemon {
  /// Starts to serve clients of all protocols.
  func startClients() {
    let inherited = ListenSocket.inherited()
    for line in gpsd.start(inherited: inherited) { Journal.line(line) }
    let path = options.configuration.control.socket
    for line in control.start(path: path, inherited: inherited) { Journal.line(line) }
  }

  /// What the policy grants to a client. Only root and the daemon's own user may write to a
  /// receiver: what is written can make it unusable.
  static func rights(of peer: SocketPeer, _ services: ServiceHost) -> GPSDHub.Rights {
    let now = LocationServices.Now(boottime: Clocks.monotonic())
    let access = services.access(of: peer, at: now)
    guard case .local(let user, _) = peer else { return .init(access: access, mayWrite: false) }
    return .init(access: access, mayWrite: user == 0 || user == ownUser)
  }

  /// A port was opened.
  func opened(_ node: String, descriptor: CInt, speed: Int?, identity: String) {
    var device = GPSDDevice(path: node, activated: Clocks.utc())
    (device.aliases, device.speed) = (identity == node ? [] : [identity], speed)
    devices[node] = device
    perform(gpsd.added(device))
    serve(.receiverFound)
    for line in time.opened(node, descriptor: descriptor) { Journal.line(line) }
  }

  func closed(_ node: String) {
    devices[node] = nil
    perform(gpsd.removed(path: node))
    time.closed(node)
    if let slot = core.receivers.firstIndex(where: { $0.session.node == node }) {
      choice.lost(slot)
      tellState(of: slot)
    }
    if devices.isEmpty { serve(.receiverLost(reason: Self.noReceiver)) }
  }

  func publish(_ epoch: Epoch, from slot: DaemonCore.Slot, at now: Now) {
    guard let node = core.node(of: slot), devices[node] != nil else { return }
    if let device = core.describe(slot, { devices[$0] }) {
      devices[node] = device
      perform(gpsd.changed(device))
    }
    perform(gpsd.publish(epoch, from: node, at: now))
    let (pulses, lines) = time.epoch(epoch, from: node, at: now)
    for pulse in pulses { perform(gpsd.pulse(pulse)) }
    for line in lines { Journal.line(line) }
  }

  func perform(_ orders: [GPSDServer.Order]) {
    for order in orders {
      switch order {
      case .beginSession(let id, let peer, _): beginSession(id, peer)
      case .endSession(let id): endSession(id)
      case .write(let path, let bytes): write(bytes, to: path)
      }
    }
  }
}

extension DaemonCore {
  /// The node that the receiver is on.
  mutating func node(of slot: Slot) -> String? { receivers[slot].session.node }

  /// A receiver by what is known of it now; `nil` where nothing of that is new.
  /// - Parameter device: What clients were told of the receiver on this node.
  mutating func describe(_ slot: Slot, _ device: (String) -> GPSDDevice?) -> GPSDDevice? {
    receivers[slot].session.describe(device)
  }

  /// What the receiver says UTC is behind GPS, or what is known of it; seconds.
  mutating func leapSeconds(of slot: Slot) -> Int8? { receivers[slot].session.leapSeconds() }
}
