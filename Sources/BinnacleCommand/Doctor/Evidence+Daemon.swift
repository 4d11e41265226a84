import BinnacleClient
import Bytes
import ControlProtocol
import Diagnosis
import GNSS
import LinuxIO
import ReceiverControl

/// What the daemon tells of itself.
extension Evidence {
  /// Receivers mostly say once a second where they are, and every five epochs what they see.
  private static let observationSpan = Duration.milliseconds(6500)

  /// Asks the daemon, and looks on until all receivers have told; `daemon` stays as it is without
  /// an answer.
  mutating func askDaemon(_ path: String) {
    guard let connection = try? BinnacleConnection(path: path, clientName: "binnacle doctor"),
      let status = try? connection.perform(.status)
    else { return }
    var state = DaemonState(status)
    let topics: JSONValue = .array([.string("fixes"), .string("satellites")])
    let isObserving =
      (try? connection.request("observe", [JSONMember(name: "topics", value: topics)])) != nil
    let end = Clocks.monotonic() + Self.observationSpan
    while isObserving, !state.receivers.allSatisfy(\.hasTold), Clocks.monotonic() < end,
      let update = try? connection.nextUpdate(timeout: end - Clocks.monotonic())
    {
      state.take(update)
    }
    if let policy = try? connection.request("policy") { state.takePolicy(policy) }
    daemon = state
  }
}

extension Evidence.DaemonState {
  /// - Parameter status: The answer to `status`.
  init(_ status: JSONValue) {
    self.init()
    let clients = status["clients"]
    clientCount =
      Int(clamping: clients?["gpsd"]?.integer ?? 0)
      + Int(clamping: clients?["control"]?.integer ?? 0)
    receivers = (status["receivers"]?.array ?? []).map { Evidence.ReceiverState($0) }
  }

  /// Takes in the first of the policy's rules, which is all there is but on large systems.
  /// - Parameter answer: To `policy`, which only root gets.
  mutating func takePolicy(_ answer: JSONValue) {
    for rule in answer["rules"]?.array ?? [] {
      guard let subject = rule["subject"]?.string, let verdict = rule["verdict"]?.string else {
        continue
      }
      if subject == "location" {
        isLocationOff = verdict == "off"
      } else if subject != "default", subject != "gpsd", verdict == "deny" {
        refusedClients.append(subject)
      }
    }
  }

  /// Takes in what a receiver said meanwhile.
  mutating func take(_ update: JSONValue) {
    guard update["type"]?.string == "observed",
      let index = receivers.firstIndex(where: { $0.identity == update["receiver"]?.string })
    else { return }
    if let fix = update["fix"] {
      receivers[index].hasFix = (fix["mode"]?.integer ?? 0) >= 2
      receivers[index].isDated = fix["time"] != nil || fix["tod"] == nil
      receivers[index].hasToldFix = true
      if let used = fix["sats_used"]?.integer, !receivers[index].reportsSatellites {
        receivers[index].satelliteCount = Int(clamping: used)
      }
    }
    guard let satellites = update["sky"]?["satellites"]?.array else { return }
    receivers[index].reportsSatellites = true
    receivers[index].satelliteCount = satellites.count
    receivers[index].strongestSignal =
      satellites.compactMap { $0["snr"]?.number }.filter { $0 > 0 }.max()
  }
}

extension Evidence.ReceiverState {
  init(_ members: JSONValue) {
    self.init()
    func text(_ name: String) -> String { members[name]?.string ?? "" }
    func count(_ name: String) -> Int { Int(clamping: members[name]?.integer ?? 0) }
    identity = text("receiver")
    let (family, model) = (text("family"), text("model"))
    name = model.hasPrefix(family) ? model : model.isEmpty ? family : "\(family) \(model)"
    firmware = text("firmware")
    (messageCount, rejectedCount) = (count("accepted"), count("rejected"))
    (byteCount, openSeconds) = (count("bytes"), count("openFor"))
    (frameErrorCount, overrunCount) = (count("framingErrors"), count("overruns"))
    antenna = members["antenna"]?.string.flatMap(ReceiverHealth.Antenna.init)
    isJammed = members["jammed"]?.bool ?? false
    isPresent = text("state") != "absent"
    // Only what it says itself counts as a report.
    reportsSatellites = false
    if members["power"]?["state"]?.string == "asleep" {
      sleepReason = members["power"]?["why"]?.string ?? "nobody wants a position"
    }
  }
}
