import Bytes
import GNSS
import LocationServices

extension Update {
  /// Reads what `ControlUpdate` writes; `nil` for an update that this version does not know.
  package init?(_ line: JSONValue) {
    switch line["update"]?.string {
    case "location":
      guard let location = LocationUpdate(line) else { return nil }
      self = .location(location)
    case "visit":
      guard let visit = Visit(line) else { return nil }
      self = .visit(visit)
    case "headingLost": self = .heading(.lost)
    case "heading":
      guard let heading = line["true"]?.number else { return nil }
      self = .heading(
        .heading(
          Heading(
            trueHeading: heading, magneticHeading: line["magnetic"]?.number,
            accuracy: line["accuracy"]?.number, time: line.time("time"))))
    case "region":
      guard let identifier = line["identifier"]?.string,
        let state = line["state"]?.string.flatMap({ RegionState(named: $0) })
      else { return nil }
      self = .region(identifier: identifier, state: state, time: line.time("time"))
    case "diagnostics":
      self = .diagnostics(Diagnostics(names: line["diagnostics"]?.array ?? []))
    case "failure":
      guard let error = LocationError(line) else { return nil }
      self = .failure(error)
    default: return nil
    }
  }
}

extension LocationUpdate {
  /// Reads `fix` and its marks.
  package init?(_ line: JSONValue) {
    guard let fix = line["fix"].map({ Fix($0) }) else { return nil }
    self.init(fix)
    isStationary = line["stationary"]?.bool ?? false
    isJump = line["jump"]?.bool ?? false
    isReduced = line["reduced"]?.bool ?? false
    meetsTier = !(line["best"]?.bool ?? false)
  }
}

extension Visit {
  package init?(_ line: JSONValue) {
    guard let coordinate = Coordinate(line), let accuracy = line["accuracy"]?.number,
      let arrival = line.time("arrival")
    else { return nil }
    self.init(
      coordinate: coordinate, horizontalAccuracy: accuracy, arrival: arrival,
      departure: line.time("departure"))
  }
}

extension LocationError {
  /// Cause and next step come as one message.
  package init?(_ line: JSONValue) {
    guard let number = line["number"]?.integer.flatMap({ Int(exactly: $0) }),
      let code = Code(rawValue: number)
    else { return nil }
    let parts = (line["message"]?.string ?? "").split(separator: ";", maxSplits: 1)
    self.init(
      code, cause: parts.first.map { String($0) } ?? code.name,
      nextStep: parts.count > 1 ? String(parts[1].drop { $0 == " " }) : nil)
  }
}

extension Diagnostics {
  init(names: [JSONValue]) {
    self = []
    let all = (0..<16).map { Diagnostics(rawValue: 1 << UInt16($0)) }
    for name in names.compactMap(\.string) {
      for diagnostic in all where diagnostic.names == [name] { insert(diagnostic) }
    }
  }
}

extension Coordinate {
  /// Reads `lat` and `lon`.
  package init?(_ line: JSONValue) {
    guard let latitude = line["lat"]?.number, let longitude = line["lon"]?.number else {
      return nil
    }
    self.init(latitude: latitude, longitude: longitude)
    guard isValid else { return nil }
  }
}

extension JSONValue {
  /// An instant as ISO 8601.
  package func time(_ name: String) -> UTCTime? {
    self[name]?.string.flatMap { UTCTime(iso8601: $0) }
  }
}

extension Fix {
  /// Reads what `FixJSON` writes; what is not there, or not what it should be, is unknown.
  package init(_ json: JSONValue) {
    self.init()
    time = json.time("time")
    dateSource = Self.dateSource(json["date"]?.string, hasTime: time != nil)
    mode =
      json["mode"]?.integer.flatMap { UInt8(exactly: $0) }.flatMap { FixMode(rawValue: $0) }
      ?? .unknown
    status = json["status"]?.string.flatMap { FixStatus(named: $0) } ?? .unknown
    position = Coordinate(json)
    (altitudeMSL, altitudeEllipsoid) = (json["alt_msl"]?.number, json["alt_hae"]?.number)
    geoidSeparation = json["geoid_sep"]?.number
    (speed, course, climb) = (
      json["speed"]?.number, json["track"]?.number, json["climb"]?.number
    )
    (heading, magneticVariation) = (json["heading"]?.number, json["mag_var"]?.number)
    (horizontalAccuracy, verticalAccuracy) = (json["eph"]?.number, json["epv"]?.number)
    (speedAccuracy, courseAccuracy) = (json["eps"]?.number, json["epd"]?.number)
    accuracyIsEstimated = json["estimated"]?.bool ?? false
    satellitesUsed = json["sats_used"]?.integer.flatMap { Int(exactly: $0) }
    (dop.horizontal, dop.vertical) = (json["hdop"]?.number, json["vdop"]?.number)
    (dop.position, dop.time) = (json["pdop"]?.number, json["tdop"]?.number)
    dop.geometric = json["gdop"]?.number
  }

  private static func dateSource(_ name: String?, hasTime: Bool) -> DateSource {
    switch name {
    case "rollover_corrected": .rolloverCorrected
    case "carried": .carried
    case "host_clock": .hostClock
    case "leap_table": .leapTable
    default: hasTime ? .receiver : .none
    }
  }
}

extension FixStatus {
  fileprivate init?(named name: String) {
    let all = (UInt8(0)...10).compactMap { FixStatus(rawValue: $0) }
    guard let status = all.first(where: { $0.name.map { "\($0)" } == name }) else { return nil }
    self = status
  }
}
