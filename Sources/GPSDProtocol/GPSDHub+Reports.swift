import Bytes
import GNSS
import GNSSWire

// What receivers say, and what is told when they say nothing.
extension GPSDHub {
  /// The sentences that a client of NMEA gets from a receiver that speaks something else.
  static let sentences: SentenceSet = [.zda, .rmc, .gga, .gsa, .gsv, .gbs]

  /// A receiver finished an epoch.
  package mutating func epoch(_ epoch: Epoch, from path: String, at now: Now) -> [Command] {
    guard let index = deviceIndex(path) else { return [] }
    let hadSentences = devices[index].hasSentences
    devices[index].take(epoch, at: now.boottime)
    let device = devices[index].device
    // The receiver's own sentences have been passed on to those who may know everything.
    report(epoch, of: device, to: .full, withSentences: !hadSentences)
    if clients.contains(where: { $0.watch.isEnabled && $0.rights.access == .reduced }) {
      report(reduce(epoch), of: device, to: .reduced, withSentences: true)
    }
    if isWatched(device) { devices[index].lastReport = now.boottime }
    reportArrival(of: epoch, from: device, at: now)
    return takeCommands()
  }

  /// Tells those with this access of an epoch.
  private mutating func report(
    _ epoch: Epoch, of device: GPSDDevice, to access: Access, withSentences: Bool
  ) {
    for withStatistics in [false, true] {
      let json = watchers(of: device) {
        $0.watch.json && $0.rights.access == access && $0.watch.gst == withStatistics
      }
      send(to: json) {
        Self.append(epoch, device: device.path, withStatistics: withStatistics, to: &$0)
      }
    }
    guard withSentences else { return }
    let nmea = watchers(of: device) { $0.watch.nmea && $0.rights.access == access }
    send(to: nmea) { $0.appendSentences(Self.sentences, of: epoch) }
  }

  /// The objects that tell of an epoch, which go out together as gpsd's do.
  private static func append(
    _ epoch: Epoch, device path: String, withStatistics: Bool, to output: inout OutputBuffer
  ) {
    TPVReport.append(epoch.fix, device: path, to: &output)
    SolutionReports.attitude(of: epoch.fix, device: path, to: &output)
    if withStatistics, epoch.fix.errorStatistics != nil {
      SolutionReports.errorStatistics(of: epoch.fix, device: path, to: &output)
    }
    let hasDilution = epoch.fix.dop != DilutionOfPrecision()
    if epoch.satellitesAreFresh || (epoch.satellites.isEmpty && hasDilution) {
      SKYReport.append(
        epoch, device: path, withSatellites: epoch.satellitesAreFresh, to: &output)
    }
  }

  /// TOFF, for those who watch the time: when the first byte came.
  private mutating func reportArrival(of epoch: Epoch, from device: GPSDDevice, at now: Now) {
    guard let time = epoch.fix.time else { return }
    let ids = watchers(of: device) { $0.watch.pps }
    guard !ids.isEmpty else { return }
    let clock = now.utc - UTCTime(microseconds: 0) - (now.boottime - epoch.firstByte)
    let sample = ClockSample(
      device: device.path, real: (time - UTCTime(microseconds: 0)).wholeNanoseconds,
      clock: clock.wholeNanoseconds, precision: Self.arrivalPrecision)
    send(to: ids) { SolutionReports.clock(sample, name: "TOFF", to: &$0) }
  }

  /// 2^-2 s: what a serial line delays an epoch by.
  private static let arrivalPrecision = -2

  /// A pulse per second was seen.
  package mutating func pulse(_ sample: ClockSample) -> [Command] {
    guard let index = deviceIndex(sample.device) else { return [] }
    let ids = watchers(of: devices[index].device) { $0.watch.json || $0.watch.pps }
    send(to: ids) { SolutionReports.clock(sample, name: "PPS", to: &$0) }
    return takeCommands()
  }

  // MARK: The receiver's own bytes

  /// Whether a client gets what receivers send as it comes.
  package var passesBytes: Bool { clients.contains { $0.watch.wantsBytes } }

  /// Bytes of a receiver, before they are decoded. Costs nothing while no client wants them.
  package mutating func bytes(_ bytes: ByteView, from path: String) -> [Command] {
    guard let index = deviceIndex(path) else { return [] }
    // Most of the time nobody wants them, and they come a hundred times a second.
    guard passesBytes else {
      devices[index].splitter.reset()
      return []
    }
    let device = devices[index].device
    let all = watchers(of: device) { $0.rights.access == .full && $0.watch.raw == .verbatim }
    send(to: all) { $0.append(view: bytes) }
    // Who gets all bytes has the sentences among them.
    let text = watchers(of: device) { client in
      client.rights.access == .full
        && (client.watch.raw == .hex || (client.watch.nmea && client.watch.raw == .off))
    }
    if text.isEmpty {
      devices[index].splitter.reset()
    } else {
      let hex = text.filter { id in self.index(of: id).map { clients[$0].watch.raw } == .hex }
      passFrames(of: index, bytes, text: text, hex: hex)
    }
    return takeCommands()
  }

  /// Sends sentences as they are and other frames as hexadecimal digits, a line each.
  private mutating func passFrames(
    of index: Int, _ bytes: ByteView, text: [ClientID], hex: [ClientID]
  ) {
    // Moved out, so that the splitter can be at work while others are changed.
    var splitter = FrameSplitter()
    swap(&splitter, &devices[index].splitter)
    splitter.take(bytes) { wireProtocol, frame in
      guard wireProtocol == .nmea else {
        return send(to: hex) { output in
          for index in frame.indices { output.append(hex: UInt64(frame[index]), width: 2) }
          output.append("\r\n")
        }
      }
      if frame.carriesPosition { devices[index].hasSentences = true }
      send(to: text) { output in
        output.append(view: frame)
        output.append("\r\n")
      }
    }
    swap(&splitter, &devices[index].splitter)
  }

  private func access(of id: ClientID) -> Access? {
    index(of: id).map { clients[$0].rights.access }
  }

  // MARK: Silence

  /// The receiver was put to sleep, or woken.
  package mutating func device(_ path: String, isAsleep: Bool, at now: Now) {
    guard let index = deviceIndex(path) else { return }
    if isAsleep { devices[index].sleep() } else { devices[index].wake(at: now.boottime) }
  }

  /// When `timer(at:)` must be called; `nil` while nobody watches.
  package var deadline: Monotonic? {
    var deadline: Monotonic?
    for index in devices.indices where isWatched(devices[index].device) {
      let due = min(devices[index].lossAt, devices[index].lastReport + Self.heartbeatPeriod)
      deadline = min(deadline ?? due, due)
    }
    return deadline
  }

  private func isWatched(_ device: GPSDDevice) -> Bool {
    clients.contains { client in
      client.watch.isEnabled && client.watch.json
        && client.watch.device.map(device.isNamed) ?? true
    }
  }

  /// The deadline has passed.
  package mutating func timer(at now: Now) -> [Command] {
    noticeLosses(at: now.boottime)
    for index in devices.indices
    where devices[index].lastReport + Self.heartbeatPeriod <= now.boottime {
      broadcastCurrent(index, at: now.boottime)
    }
    return takeCommands()
  }

  mutating func noticeLosses(at now: Monotonic) {
    for index in devices.indices where devices[index].lossAt <= now {
      devices[index].lose()
      broadcastCurrent(index, at: now)
    }
  }

  private mutating func broadcastCurrent(_ index: Int, at now: Monotonic) {
    sendCurrent(index, to: watchers(of: devices[index].device) { $0.watch.json })
    devices[index].lastReport = now
  }

  /// Sends the TPV that holds while no new one comes: of the last fix with its own time, or of
  /// none.
  mutating func sendCurrent(_ index: Int, to ids: [ClientID]) {
    let current = devices[index].current
    let path = devices[index].device.path
    let (full, reduced) = ids.partitioned { id in
      access(of: id) == .full
    }
    send(to: full) { TPVReport.append(current.fix, device: path, to: &$0) }
    if !reduced.isEmpty {
      let shown = reduce(current)
      send(to: reduced) { TPVReport.append(shown.fix, device: path, to: &$0) }
    }
  }
}

extension Array {
  fileprivate func partitioned(by isFirst: (Element) -> Bool) -> (first: [Element], rest: [Element])
  {
    (filter(isFirst), filter { !isFirst($0) })
  }
}

extension ByteView {
  /// Whether a sentence is one of those that tell a position.
  fileprivate var carriesPosition: Bool {
    guard count > 6, self[0] == UInt8(ascii: "$") else { return false }
    let formatter = extracting(3..<6)
    return formatter.elementsEqual("RMC") || formatter.elementsEqual("GGA")
      || formatter.elementsEqual("GLL") || formatter.elementsEqual("GNS")
  }
}
