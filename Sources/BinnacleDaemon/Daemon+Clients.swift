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
    serve(epoch, from: slot, at: now)
    tellObservers(of: epoch, from: slot)
    // In place: a receiver's session is large.
    guard let node = core.receivers[slot].session.node, var device = devices[node] else { return }
    if device.describe(core.receivers[slot].session) {
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

extension GPSDDevice {
  /// Takes over what is known of the receiver by now.
  /// - Returns: Whether anything of it is new.
  fileprivate mutating func describe(_ session: ReceiverSession) -> Bool {
    let before = self
    let identity = session.known
    let isBinary = session.decoder.counts.accepted(of: .nmea) == 0
    if identity.family != .unknown {
      driver = String(describing: identity.family.name)
    } else if driver == nil {
      driver = isBinary ? "binary" : "NMEA0183"
    }
    self.isBinary = isBinary
    subtype = identity.firmware ?? identity.model
    subtype1 = identity.hardware
    serialNumber = identity.uniqueID
    speed = session.baud ?? speed
    return self != before
  }
}
