import Bytes
import GNSS

// What clients ask for.
extension GPSDHub {
  /// Takes bytes of a client in.
  package mutating func received(_ bytes: ByteView, from id: ClientID, at now: Now) -> [Command] {
    guard let index = index(of: id), clients[index].dialect == .gpsd else { return [] }
    noticeLosses(at: now.boottime)
    for request in clients[index].assembler.take(bytes) {
      switch request {
      case .success(.version):
        send(to: [id]) { [release] in ControlReports.version(release: release, to: &$0) }
      case .success(.devices): sendDevices(to: id)
      case .success(.poll): poll(clients[index], at: now)
      case .success(.watch(let changes)): watch(index, changes, at: now.boottime)
      case .success(.device(let request)): device(clients[index], request)
      case .failure(let error): refuse(id, error)
      }
    }
    return takeCommands()
  }

  /// gpsd answers a wrong `?WATCH` with how things stand, too.
  private mutating func refuse(_ id: ClientID, _ error: RequestError) {
    sendError(error.message, to: id)
    guard case .invalidWatch = error, let index = index(of: id) else { return }
    sendDevices(to: id)
    sendWatch(index)
  }

  // MARK: Watching

  private mutating func watch(_ index: Int, _ changes: WatchChanges?, at now: Monotonic) {
    let id = clients[index].id
    guard let changes else {
      sendDevices(to: id)
      return sendWatch(index)
    }
    if let name = changes.device, changes.enable, !devices.contains(where: { $0.isNamed(name) }) {
      return sendError(Self.unknownDevice(name), to: id)
    }
    if changes.enable, clients[index].rights.access == .denied {
      return sendError(Self.deniedMessage, to: id)
    }
    let old = clients[index].watch
    clients[index].watch.apply(changes)
    let new = clients[index].watch
    sendDevices(to: id)
    sendWatch(index)
    if new.isEnabled, !old.isEnabled || old.device != new.device {
      commands.append(.beginSession(id, device: new.device))
    } else if old.isEnabled, !new.isEnabled {
      commands.append(.endSession(id))
    }
    // The client need not wait for the next epoch to know what is known.
    guard new.isEnabled, new.json, !(old.isEnabled && old.json && old.device == new.device) else {
      return
    }
    for index in devices.indices where new.device.map(devices[index].isNamed) ?? true {
      sendCurrent(index, to: [id])
      // One client that comes does not put off what others are due.
      if devices[index].lastReport + Self.heartbeatPeriod <= now { devices[index].lastReport = now }
    }
  }

  private static func unknownDevice(_ name: String) -> String {
    "No such device as \(name.prefix(RequestError.quotedByteCountMax))"
  }

  private mutating func sendWatch(_ index: Int) {
    let state = clients[index].watch
    send(to: [clients[index].id]) { ControlReports.watch(state, to: &$0) }
  }

  private mutating func sendDevices(to id: ClientID) {
    let known = devices.map(\.described)
    send(to: [id]) { ControlReports.devices(known, to: &$0) }
  }

  private mutating func sendError(_ message: String, to id: ClientID) {
    send(to: [id]) { ControlReports.error(message, to: &$0) }
  }

  // MARK: Polling

  /// The last values of the devices that the client watches. Every device has an entry, if only a
  /// mode: some clients take the last element without looking.
  private mutating func poll(_ client: Client, at now: Now) {
    let watched =
      client.watch.isEnabled
      ? devices.filter { state in client.watch.device.map(state.isNamed) ?? true } : []
    let epochs = watched.map { state in
      let epoch = state.current
      return (state.device.path, client.rights.access == .full ? epoch : reduce(epoch))
    }
    send(to: [client.id]) { output in
      output.append(#"{"class":"POLL""#)
      output.appendRow(upTo: RowWriter.byteCountMax(numberMembers: 1)) { line in
        TPVReport.append(time: now.utc, isLeapSecond: false, to: &line)
      }
      output.append(member: "active", watched.count)
      Self.appendArray("tpv", epochs, to: &output) { TPVReport.append($1.fix, device: $0, to: &$2) }
      Self.appendArray("gst", epochs, to: &output) {
        SolutionReports.errorStatistics(of: $1.fix, device: $0, to: &$2)
      }
      Self.appendArray("sky", epochs, to: &output) {
        SKYReport.append($1, device: $0, withSatellites: true, to: &$2)
      }
      Self.appendArray("att", epochs, to: &output) {
        SolutionReports.attitude(of: $1.fix, device: $0, to: &$2)
      }
      output.append("}\r\n")
    }
  }

  private static func appendArray(
    _ key: StaticString, _ epochs: [(String, Epoch)], to output: inout OutputBuffer,
    _ write: (String, Epoch, inout OutputBuffer) -> Void
  ) {
    output.append(member: key)
    output.append(byte: UInt8(ascii: "["))
    var isFirst = true
    for (path, epoch) in epochs {
      let start = output.count
      if !isFirst { output.append(byte: UInt8(ascii: ",")) }
      let objectStart = output.count
      write(path, epoch, &output)
      if output.count == objectStart {
        output.truncate(to: start)
      } else {
        output.truncate(to: output.count - 2)  // the line end
        isFirst = false
      }
    }
    output.append(byte: UInt8(ascii: "]"))
  }

  // MARK: Devices

  private mutating func device(_ client: Client, _ request: DeviceRequest?) {
    guard let request else {
      for state in devices { sendDevice(state.described, to: client.id) }
      return
    }
    let named = devices.filter { state in request.path.map(state.isNamed) ?? true }
    guard let device = named.first?.described else {
      return sendError(
        request.path.map(Self.unknownDevice) ?? "There is no device", to: client.id)
    }
    guard named.count == 1 else {
      return sendError("There are several devices; give the path of one", to: client.id)
    }
    if request.isConfiguration {
      return sendError(
        "Binnacle sets up the receiver itself; see [receiver] in binnacle.conf", to: client.id)
    }
    if let bytes = request.bytes {
      guard client.rights.mayWrite else {
        return sendError("This client may not write to a receiver", to: client.id)
      }
      commands.append(.write(path: device.path, bytes))
      send(to: [client.id]) { ControlReports.acknowledgement(to: &$0) }
    }
    sendDevice(device, to: client.id)
  }

  private mutating func sendDevice(_ device: GPSDDevice, to id: ClientID) {
    send(to: [id]) { ControlReports.device(device, to: &$0) }
  }
}
