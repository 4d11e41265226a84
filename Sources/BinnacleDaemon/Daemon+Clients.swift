import Bytes
import GNSS
import GNSSWire
import GPSDProtocol
import LinuxIO

// What the daemon tells clients of gpsd, and those who keep clocks.
extension Daemon {
  /// Starts to serve clients of all protocols.
  func startClients() {
    let inherited = ListenSocket.inherited()
    for line in gpsd.start(inherited: inherited) { Journal.line(line) }
    let path = options.configuration.control.socket
    for line in control.start(path: path, inherited: inherited) { Journal.line(line) }
  }

  /// Every client may know the position. Only root and the daemon's own user may write to a
  /// receiver: what is written can make it unusable.
  static func rights(of peer: SocketPeer) -> GPSDHub.Rights {
    guard case .local(let user, _) = peer else { return .init(access: .full, mayWrite: false) }
    return .init(access: .full, mayWrite: user == 0 || user == ownUser)
  }

  /// A port was opened.
  func opened(_ node: String, descriptor: CInt, speed: Int?, identity: String) {
    var device = GPSDDevice(path: node, activated: Clocks.utc())
    (device.aliases, device.speed) = (identity == node ? [] : [identity], speed)
    devices[node] = device
    perform(gpsd.added(device))
    for line in time.opened(node, descriptor: descriptor) { Journal.line(line) }
  }

  func closed(_ node: String) {
    devices[node] = nil
    perform(gpsd.removed(path: node))
    time.closed(node)
  }

  func publish(_ epoch: Epoch, from receiver: DaemonCore.Receiver, at now: Now) {
    guard let node = receiver.session.node, var device = devices[node] else { return }
    device.describe(receiver.session)
    if device != devices[node] {
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
      // Receivers stay awake while the daemon runs.
      case .beginSession, .endSession: break
      case .write(let path, let bytes): write(bytes, to: path)
      }
    }
  }
}

extension GPSDDevice {
  /// Takes over what is known of the receiver by now.
  fileprivate mutating func describe(_ session: ReceiverSession) {
    let identity = session.decoder.identity
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
  }
}
