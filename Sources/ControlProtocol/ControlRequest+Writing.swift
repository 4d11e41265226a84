import Bytes
import GNSS
import LocationServices

extension ControlRequest {
  /// The name in `request`.
  package var name: String {
    switch self {
    case .hello: "hello"
    case .service(let request): request.name
    case .authorization: "authorization"
    case .sessions: "sessions"
    case .monitors: "monitors"
    case .regions: "regions"
    case .record: "record"
    case .visit: "visit"
    case .policy: "policy"
    case .status: "status"
    case .observe: "observe"
    case .receiver(let request): "receiver.\(request.action.rawValue)"
    }
  }

  /// What the request consists of besides its number and name.
  package var members: [JSONMember] {
    var members: [JSONMember] = []
    switch self {
    case .hello(let clientName):
      members.add("protocol", Control.version)
      members.add("client", clientName)
    case .service(let request): return request.members
    case .authorization, .monitors, .visit, .status: break
    case .sessions(let after): members.add("after", Int(clamping: after))
    case .regions(let monitor, let after):
      members.add("monitor", monitor)
      members.add("after", after)
    case .record(let monitor, let identifier):
      members.add("monitor", monitor)
      members.add("identifier", identifier)
    case .policy(let start): members.add("after", start)
    case .observe(let topics): members.add("topics", topics.names.json)
    case .receiver(let request):
      members = request.options
      members.add("receiver", request.receiver)
    }
    return members
  }
}

extension Request {
  fileprivate var name: String {
    switch self {
    case .openSession: "openSession"
    case .closeSession: "closeSession"
    case .requestLocation: "requestLocation"
    case .openMonitor: "openMonitor"
    case .closeMonitor: "closeMonitor"
    case .removeMonitor: "removeMonitor"
    case .addRegion: "addRegion"
    case .removeRegion: "removeRegion"
    case .requestFullAccuracy: "requestFullAccuracy"
    case .administer(.grant): "grant"
    case .administer(.revoke): "revoke"
    case .administer(.forget): "forget"
    case .administer(.setEnabled): "setEnabled"
    case .administer(.grantFullAccuracy): "grantFullAccuracy"
    }
  }

  fileprivate var members: [JSONMember] {
    var members: [JSONMember] = []
    switch self {
    case .openSession(let options): return options.members
    case .closeSession(let session): members.add("session", Int(clamping: session))
    case .requestLocation(let options):
      members.add("tier", "\(options.tier.name)")
      members.add("timeout", options.timeout.inSeconds)
      members.add("maximumAge", options.maximumAge.inSeconds)
    case .openMonitor(let name), .closeMonitor(let name), .removeMonitor(let name):
      members.add("monitor", name)
    case .addRegion(let monitor, let identifier, let shape, let options):
      members.add("monitor", monitor)
      members.add("identifier", identifier)
      members.add(shape)
      members.add("notifyEntry", options.notifiesEntry)
      members.add("notifyExit", options.notifiesExit)
      members.add("assumed", options.assumedState.name)
    case .removeRegion(let monitor, let identifier):
      members.add("monitor", monitor)
      members.add("identifier", identifier)
    case .requestFullAccuracy(let purpose, let span):
      members.add("purpose", purpose)
      members.add("span", span.inSeconds)
    case .administer(let change): return change.members
    }
    return members
  }
}

extension PolicyChange {
  fileprivate var members: [JSONMember] {
    var members: [JSONMember] = []
    switch self {
    case .grant(let subject, let verdict):
      members.add("subject", subject.text)
      members.add("verdict", verdict.text)
    case .revoke(let subject), .forget(let subject): members.add("subject", subject.text)
    case .setEnabled(let isEnabled): members.add("enabled", isEnabled)
    case .grantFullAccuracy(let owner, let purpose, let span):
      members.add("user", Int(owner.userID))
      if !owner.clientName.isEmpty { members.add("client", owner.clientName) }
      members.add("purpose", purpose)
      members.add("span", span.inSeconds)
    }
    return members
  }
}

extension SessionOptions {
  /// Also how a session is shown.
  package var members: [JSONMember] {
    var members: [JSONMember] = []
    members.add("services", services.names.json)
    members.add("tier", "\(tier.name)")
    switch filter {
    case .tierDefault: members.add("filter", "tier")
    case .everyEpoch: members.add("filter", "none")
    case .distance(let metres): members.add("filter", metres)
    }
    members.add("activity", "\(activity.name)")
    if isStanding { members.add("standing", true) }
    if !name.isEmpty { members.add("name", name) }
    if !purpose.isEmpty { members.add("purpose", purpose) }
    if wantsFullAccuracy { members.add("fullAccuracy", true) }
    if !pausesAutomatically { members.add("pauses", false) }
    if services.contains(.heading) { members.add("headingFilter", headingFilter) }
    return members
  }
}

extension [String] {
  package var json: JSONValue { .array(map { JSONValue.string($0) }) }
}

extension [JSONMember] {
  /// `circle` or `polygon`.
  package mutating func add(_ shape: RegionShape) {
    switch shape {
    case .circle(let centre, let radius):
      var circle: [JSONMember] = []
      circle.add(centre)
      circle.add("radius", radius)
      add("circle", .object(circle))
    case .polygon(let corners):
      add(
        "polygon",
        .array(corners.map { .array([.number($0.latitude), .number($0.longitude)]) }))
    }
  }

  /// `lat` and `lon`.
  package mutating func add(_ coordinate: Coordinate) {
    add("lat", coordinate.latitude)
    add("lon", coordinate.longitude)
  }

  package mutating func add(_ name: String, _ time: UTCTime?) {
    add(name, time.map { JSONValue.string($0.iso8601) })
  }
}

extension UTCTime {
  /// `2026-10-14T05:06:07.250Z`
  package var iso8601: String {
    var output = OutputBuffer()
    output.append(
      time: self, fractionDigits: FixJSON.fractionDigits(microseconds: microseconds))
    return output.text
  }
}
