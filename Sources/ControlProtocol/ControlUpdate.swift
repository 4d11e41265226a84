import Bytes
import GNSS
import LocationServices

/// The lines that stream to a client.
package enum ControlUpdate {
  /// `{"type":"update",...}` with its line end.
  package static func line(
    _ update: Update, for recipient: LocationService.Recipient
  ) -> [UInt8] {
    var output = OutputBuffer()
    output.append(#"{"type":"update""#)
    switch recipient {
    case .session(let session, _): output.append(member: "session", Int(clamping: session))
    case .monitor(let name, _): output.append(member: "monitor", name)
    }
    output.append(member: "update", name: update.name)
    append(update, to: &output)
    output.append("}\n")
    return output.bytes
  }

  /// `{"type":"observed",...}` with its line end.
  /// - Parameter write: Adds members, each with a comma before it.
  package static func observed(
    _ topic: StaticString, receiver: String, _ write: (inout OutputBuffer) -> Void
  ) -> [UInt8] {
    var output = OutputBuffer()
    output.append(#"{"type":"observed""#)
    output.append(member: "topic", name: topic)
    output.append(member: "receiver", receiver)
    write(&output)
    output.append("}\n")
    return output.bytes
  }

  private static func append(_ update: Update, to output: inout OutputBuffer) {
    switch update {
    case .location(let location): append(location, to: &output)
    case .visit(let visit): output.append(members: visit.members)
    case .heading(.lost): break
    case .heading(.heading(let heading)): output.append(members: heading.members)
    case .region(let identifier, let state, let time):
      output.append(member: "identifier", identifier)
      output.append(member: "state", state.name)
      output.append(member: "time", time?.iso8601)
    case .diagnostics(let diagnostics):
      output.append(member: "diagnostics")
      output.append(json: diagnostics.names.json)
    case .failure(let error): output.append(members: error.members)
    }
  }

  /// `fix` and its marks.
  static func append(_ location: LocationUpdate, to output: inout OutputBuffer) {
    output.append(member: "fix")
    FixJSON.append(location.fix, to: &output)
    if location.isStationary { output.append(member: "stationary", true) }
    if location.isJump { output.append(member: "jump", true) }
    if location.isReduced { output.append(member: "reduced", true) }
    if !location.meetsTier { output.append(member: "best", true) }
  }
}

extension OutputBuffer {
  /// Each with a comma before it.
  package mutating func append(members: [JSONMember]) {
    for member in members {
      append(byte: UInt8(ascii: ","))
      append(jsonString: member.name)
      append(byte: UInt8(ascii: ":"))
      append(json: member.value)
    }
  }
}

extension Update {
  /// The name in `update`.
  package var name: StaticString {
    switch self {
    case .location: "location"
    case .visit: "visit"
    case .heading(.lost): "headingLost"
    case .heading: "heading"
    case .region: "region"
    case .diagnostics: "diagnostics"
    case .failure: "failure"
    }
  }
}

extension Visit {
  package var members: [JSONMember] {
    var members: [JSONMember] = []
    members.add(coordinate)
    members.add("accuracy", horizontalAccuracy)
    members.add("arrival", arrival)
    members.add("departure", departure)
    return members
  }
}

extension Heading {
  fileprivate var members: [JSONMember] {
    var members: [JSONMember] = []
    members.add("true", trueHeading)
    members.add("magnetic", magneticHeading)
    members.add("accuracy", accuracy)
    members.add("time", time)
    return members
  }
}

extension LocationError {
  fileprivate var members: [JSONMember] {
    var members: [JSONMember] = []
    members.add("code", code.name)
    members.add("number", code.rawValue)
    members.add("temporary", code.isTemporary)
    members.add("message", "\(cause); \(nextStep)")
    return members
  }
}
