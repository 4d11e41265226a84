import Bytes
import GNSS

/// All clients of the gpsd protocol and of plain NMEA, and all receivers they are told of. It
/// decides what is sent to whom; the owner moves the bytes.
///
/// Each epoch gives a client one TPV, sent together with what else the epoch tells. While a
/// receiver sleeps its last TPV is repeated, so that clients with a time limit stay; when it falls
/// silent or goes, mode 1 is told in its place.
package struct GPSDHub {
  /// Names a client; never used twice.
  package struct ClientID: Hashable, Comparable, Sendable {
    package let rawValue: UInt32
    package init(_ rawValue: UInt32) { self.rawValue = rawValue }
    package static func < (left: ClientID, right: ClientID) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// What a client speaks.
  package enum Dialect: Sendable {
    case gpsd
    /// Sentences from the start; what it sends is ignored.
    case nmea
  }

  /// What a client may know of the position.
  package enum Access: Sendable {
    case full
    /// The position as `reduce` leaves it, and no bytes of the receiver.
    case reduced
    case denied
  }

  package struct Rights: Equatable, Sendable {
    package var access: Access
    /// Whether it may send bytes to a receiver.
    package var mayWrite: Bool
    package init(access: Access, mayWrite: Bool) {
      (self.access, self.mayWrite) = (access, mayWrite)
    }
  }

  /// Both clocks at the time of an event.
  package struct Now: Sendable {
    package var boottime: Monotonic
    package var utc: UTCTime
    package init(boottime: Monotonic, utc: UTCTime) {
      (self.boottime, self.utc) = (boottime, utc)
    }
  }

  package enum Command: Equatable, Sendable {
    case send([ClientID], [UInt8])
    case close(ClientID)
    /// The client now watches this device, or any where `nil`.
    case beginSession(ClientID, device: String?)
    case endSession(ClientID)
    case write(path: String, [UInt8])
  }

  /// At this number a new client replaces the oldest one that is not watching, or is refused.
  package static let clientCountMax = 1024
  /// While clients watch, a device is never silent for longer.
  package static let heartbeatPeriod = Duration.seconds(4)
  /// A receiver that is awake has lost its fix when nothing came for two epochs and this.
  static let lossTolerance = Duration.milliseconds(100)
  /// In place of two epochs while the time between them is not known, or after waking.
  static let lossAfterWaking = Duration.seconds(5)

  let release: String
  let reduce: (Epoch) -> Epoch
  /// By ascending identity.
  var clients: [Client] = []
  var devices: [DeviceState] = []
  var commands: [Command] = []
  /// Reused for every report.
  var output = OutputBuffer(capacity: 4096)

  /// - Parameters:
  ///   - release: What the VERSION report gives as release.
  ///   - reduce: What is left of an epoch for clients with reduced access.
  package init(release: String, reduce: @escaping (Epoch) -> Epoch) {
    (self.release, self.reduce) = (release, reduce)
  }

  struct Client: Sendable {
    let id: ClientID
    let dialect: Dialect
    var rights: Rights
    var assembler = RequestAssembler()
    var watch = WatchState()
  }

  package var clientCount: Int { clients.count }
  package var watchingCount: Int { clients.count { $0.watch.isEnabled } }

  // MARK: Clients

  package mutating func connected(_ id: ClientID, dialect: Dialect, rights: Rights) -> [Command] {
    guard makeRoom(), dialect == .gpsd || rights.access != .denied else {
      commands.append(.close(id))
      return takeCommands()
    }
    var client = Client(id: id, dialect: dialect, rights: rights)
    switch dialect {
    case .gpsd: send(to: [id]) { [release] in ControlReports.version(release: release, to: &$0) }
    case .nmea:
      (client.watch.isEnabled, client.watch.nmea) = (true, true)
      commands.append(.beginSession(id, device: nil))
    }
    clients.append(client)
    return takeCommands()
  }

  /// The client has gone, or was closed by the owner.
  package mutating func disconnected(_ id: ClientID) -> [Command] {
    guard let index = index(of: id) else { return [] }
    if clients[index].watch.isEnabled { commands.append(.endSession(id)) }
    clients.remove(at: index)
    return takeCommands()
  }

  /// The policy has changed.
  package mutating func rightsChanged(_ id: ClientID, to rights: Rights) -> [Command] {
    guard let index = index(of: id) else { return [] }
    clients[index].rights = rights
    guard rights.access == .denied, clients[index].watch.isEnabled else { return [] }
    clients[index].watch.isEnabled = false
    commands.append(.endSession(id))
    switch clients[index].dialect {
    case .gpsd: send(to: [id]) { ControlReports.error(Self.deniedMessage, to: &$0) }
    case .nmea:
      commands.append(.close(id))
      clients.remove(at: index)
    }
    return takeCommands()
  }

  static let deniedMessage = "Location is denied to this client; see binnacle policy"

  func index(of id: ClientID) -> Int? {
    var (low, high) = (0, clients.count)
    while low < high {
      let middle = (low + high) / 2
      if clients[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < clients.count && clients[low].id == id ? low : nil
  }

  private mutating func makeRoom() -> Bool {
    guard clients.count >= Self.clientCountMax else { return true }
    guard let idle = clients.firstIndex(where: { !$0.watch.isEnabled }) else { return false }
    commands.append(.close(clients[idle].id))
    clients.remove(at: idle)
    return true
  }

  // MARK: Devices

  /// A receiver is there.
  package mutating func added(_ device: GPSDDevice) -> [Command] {
    devices.removeAll { $0.device.path == device.path }
    devices.append(DeviceState(device))
    describe(devices.count - 1)
    return takeCommands()
  }

  /// More is known of a receiver.
  package mutating func changed(_ device: GPSDDevice) -> [Command] {
    guard let index = deviceIndex(device.path), devices[index].device != device else { return [] }
    devices[index].device = device
    describe(index)
    return takeCommands()
  }

  private mutating func describe(_ index: Int) {
    let device = devices[index].described
    notify(of: device) { ControlReports.device(device, to: &$0) }
  }

  package mutating func removed(path: String) -> [Command] {
    guard let index = deviceIndex(path) else { return [] }
    let state = devices.remove(at: index)
    if state.shown.mode.rawValue >= FixMode.twoD.rawValue {
      notify(of: state.device) { TPVReport.append(.lost, device: path, to: &$0) }
    }
    notify(of: state.device) { ControlReports.removed(path: path, to: &$0) }
    return takeCommands()
  }

  func deviceIndex(_ path: String) -> Int? { devices.firstIndex { $0.device.path == path } }

  /// Sends a report to the clients that watch the device in JSON.
  mutating func notify(of device: GPSDDevice, _ write: (inout OutputBuffer) -> Void) {
    send(to: watchers(of: device) { $0.watch.json }, write)
  }

  func watchers(of device: GPSDDevice, where isWanted: (Client) -> Bool) -> [ClientID] {
    clients.compactMap { client in
      guard client.watch.isEnabled, isWanted(client) else { return nil }
      if let name = client.watch.device, !device.isNamed(name) { return nil }
      return client.id
    }
  }

  // MARK: Sending

  mutating func send(to ids: [ClientID], _ write: (inout OutputBuffer) -> Void) {
    guard !ids.isEmpty else { return }
    output.removeAll()
    write(&output)
    if !output.isEmpty { commands.append(.send(ids, output.bytes)) }
  }

  mutating func takeCommands() -> [Command] {
    defer { commands.removeAll() }
    return commands
  }
}

extension Fix {
  /// What is told when a receiver has no fix any more and says nothing itself.
  static var lost: Fix {
    var fix = Fix()
    fix.mode = .none
    return fix
  }
}
