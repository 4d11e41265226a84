import Bytes
import GNSS
import ReceiverControl

extension ReceiverPilot {
  /// What `status` and `receiver show` say of a receiver's control: whether it is configured, what
  /// it does about power and why, what that cost, and what was learned.
  func members(at now: Monotonic) -> [JSONMember] {
    var members: [JSONMember] = []
    members.add("control", stateName)
    members.add("configured", .bool(configuration?.isReachable ?? false))
    if let configuration { members.add("settings", .array(Self.settings(configuration))) }
    members.add("power", .object(powerMembers(at: now)))
    if let times = knownFixTimes {
      // By how long it was off: up to 30 s, 30 min, 2 h, 4 h, and longer.
      members.add("fixTimes", .array(times.expected.map { .number($0) }))
    }
    let problems = Degradation.allCases.filter { degradations.contains($0) }
    members.add("problems", .array(problems.map { .string($0.rawValue) }))
    return members
  }

  private static func settings(_ report: ConfigurationReport) -> [JSONValue] {
    report.lines.map { line in
      var members: [JSONMember] = []
      members.add("name", line.name)
      members.add("outcome", "\(line.outcome)")
      return .object(members)
    }
  }

  private func powerMembers(at now: Monotonic) -> [JSONMember] {
    var members: [JSONMember] = []
    members.add("state", sleeping == nil ? "awake" : "asleep")
    if let sleeping {
      members.add("method", sleeping.method.rawValue)
      members.add("since", max((now - sleeping.since).inSeconds, 0).rounded())
      members.add("wakesIn", max((min(sleeping.until, wakesAt) - now).inSeconds, 0).rounded())
    } else {
      members.add("method", sleepMethod?.rawValue)
    }
    members.add("why", whyPower)
    var meter = meter
    meter.settle(profile, at: now)
    if profile != nil { members.add("joules", (meter.joules * 1000).rounded() / 1000) }
    members.add("awakeSeconds", meter.awakeSeconds.rounded())
    members.add("asleepSeconds", meter.asleepSeconds.rounded())
    return members
  }

  /// What decides whether it sleeps.
  var whyPower: String {
    if sleepMethod == nil { return "it cannot be sent to sleep" }
    guard let demand = currentDemand else { return "nobody wants a position" }
    if currentSupply == .external { return "the board has a supply from outside" }
    return "for \(demand.tier.name)" + (demand.isPaused ? ", at rest" : "")
  }
}
