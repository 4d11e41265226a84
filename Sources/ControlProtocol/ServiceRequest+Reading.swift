import Bytes
import GNSS
import LocationServices

extension Request {
  /// - Returns: `nil` where the location services know no such request.
  init?(_ name: String, _ members: RequestMembers) throws(ControlError) {
    switch name {
    case "openSession": self = .openSession(try SessionOptions(members))
    case "closeSession": self = .closeSession(SessionID(try members.count("session")))
    case "requestLocation":
      var options = OneShot.Options(
        tier: try members.named("tier", "tier", { Tier(named: $0) }) ?? .best)
      options.timeout = try members.span("timeout") ?? options.timeout
      options.maximumAge = try members.span("maximumAge") ?? options.maximumAge
      self = .requestLocation(options)
    case "openMonitor": self = .openMonitor(try members.text("monitor"))
    case "closeMonitor": self = .closeMonitor(try members.text("monitor"))
    case "removeMonitor": self = .removeMonitor(try members.text("monitor"))
    case "addRegion":
      self = .addRegion(
        monitor: try members.text("monitor"), identifier: try members.text("identifier"),
        try RegionShape(members), try RegionOptions(members))
    case "removeRegion":
      self = .removeRegion(
        monitor: try members.text("monitor"), identifier: try members.text("identifier"))
    case "requestFullAccuracy":
      self = .requestFullAccuracy(
        purpose: try members.text("purpose"),
        try members.span("span") ?? Authorizations.temporarySpanMax)
    default:
      guard let change = try PolicyChange(name, members) else { return nil }
      self = .administer(change)
    }
  }
}

extension PolicyChange {
  init?(_ name: String, _ members: RequestMembers) throws(ControlError) {
    switch name {
    case "grant":
      let subject = try Subject(members)
      let words = try members.text("verdict").split { $0 == " " || $0 == "," }
      do throws(VerdictError) { self = .grant(subject, try Verdict(words: words)) } catch {
        throw .invalid(error.problem)
      }
    case "revoke": self = .revoke(try Subject(members))
    case "forget": self = .forget(try Subject(members))
    case "setEnabled": self = .setEnabled(try members.flag("enabled"))
    case "grantFullAccuracy":
      guard let user = UInt32(exactly: try members.count("user")) else {
        throw .invalid("'user' is to be the number of a user")
      }
      let owner = Owner(
        userID: user, clientName: try members.text("client", orNil: true) ?? "")
      self = .grantFullAccuracy(
        owner, purpose: try members.text("purpose"),
        try members.span("span") ?? Authorizations.temporarySpanMax)
    default: return nil
    }
  }
}

extension Subject {
  /// `user pi`, as in the policy file.
  package init?(text: String) {
    let words = text.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[1].utf8.count <= 256 else { return nil }
    let name = String(words[1])
    switch words[0] {
    case "user": self = .user(name)
    case "group": self = .group(name)
    case "client": self = .client(name)
    default: return nil
    }
  }

  init(_ members: RequestMembers) throws(ControlError) {
    let subject = try members.named("subject", "'user NAME', 'group NAME' or 'client NAME'") {
      Subject(text: $0)
    }
    guard let subject else { throw .invalid("'subject' is to be a text") }
    self = subject
  }
}

extension SessionOptions {
  init(_ members: RequestMembers) throws(ControlError) {
    let live = try members.named("live", "configuration") {
      SessionOptions.LiveConfiguration(rawValue: $0)
    }
    self = live.map { SessionOptions($0) } ?? SessionOptions()
    if members["services"] != nil {
      guard let services = Services(names: try members.texts("services")) else {
        throw .invalid("'services' are updates, significantChanges, visits or heading")
      }
      self.services = services
    }
    tier = try members.named("tier", "tier", { Tier(named: $0) }) ?? tier
    activity = try members.named("activity", "activity", { Activity(named: $0) }) ?? activity
    switch members["filter"] {
    case nil: break
    case .string("none")?: filter = .everyEpoch
    case .string("tier")?: filter = .tierDefault
    case let value?:
      guard let metres = value.number else {
        throw .invalid("'filter' is to be none, tier or a number of metres")
      }
      filter = .distance(metres)
    }
    name = try members.text("name", orNil: true) ?? name
    isStanding = try members.flag("standing") ?? isStanding
    purpose = try members.text("purpose", orNil: true) ?? purpose
    wantsFullAccuracy = try members.flag("fullAccuracy") ?? wantsFullAccuracy
    pausesAutomatically = try members.flag("pauses") ?? pausesAutomatically
    headingFilter = try members.number("headingFilter") ?? headingFilter
  }
}

extension SessionOptions.Services {
  private static let named: [(SessionOptions.Services, String)] = [
    (.updates, "updates"), (.significantChanges, "significantChanges"), (.visits, "visits"),
    (.heading, "heading"),
  ]

  package var names: [String] { Self.named.filter { contains($0.0) }.map(\.1) }

  package init?(names: [String]) {
    self = []
    for name in names {
      guard let known = Self.named.first(where: { $0.1 == name }) else { return nil }
      insert(known.0)
    }
  }
}

extension RegionOptions {
  init(_ members: RequestMembers) throws(ControlError) {
    self.init()
    notifiesEntry = try members.flag("notifyEntry") ?? notifiesEntry
    notifiesExit = try members.flag("notifyExit") ?? notifiesExit
    assumedState =
      try members.named("assumed", "state", { RegionState(named: $0) }) ?? assumedState
  }
}

extension RegionState {
  package init?(named name: String) {
    let all: [RegionState] = [.unknown, .satisfied, .unsatisfied]
    guard let state = all.first(where: { $0.name == name }) else { return nil }
    self = state
  }
}

extension RegionShape {
  /// `"circle":{"lat":..,"lon":..,"radius":..}` or `"polygon":[[lat,lon],...]`.
  init(_ members: RequestMembers) throws(ControlError) {
    if let circle = members["circle"], members["polygon"] == nil {
      guard let latitude = circle["lat"]?.number, let longitude = circle["lon"]?.number,
        let radius = circle["radius"]?.number
      else { throw .invalid("'circle' is to have the numbers lat, lon and radius") }
      self = .circle(
        centre: Coordinate(latitude: latitude, longitude: longitude), radius: radius)
      return
    }
    guard let corners = members["polygon"]?.array, members["circle"] == nil else {
      throw .invalid("a region is to have either 'circle' or 'polygon'")
    }
    guard corners.count <= Control.cornerCountMax else {
      throw .invalid("a polygon has at most \(Control.cornerCountMax) corners")
    }
    let points = corners.compactMap { corner -> Coordinate? in
      guard let pair = corner.array, pair.count == 2, let latitude = pair[0].number,
        let longitude = pair[1].number
      else { return nil }
      return Coordinate(latitude: latitude, longitude: longitude)
    }
    guard points.count == corners.count else {
      throw .invalid("'polygon' is to be a list of pairs of numbers, latitude and longitude")
    }
    self = .polygon(points)
  }
}
