import Bytes
import LocationServices

/// Why a client's request was not done, as it is told.
package enum ControlError: Error, Equatable, Sendable {
  /// The line is no JSON object, or has no number or no name.
  case malformed(String)
  /// The line is longer than `Control.requestByteCountMax`.
  case lineTooLong
  case unknownRequest(String)
  /// The request makes no sense; why, in words for people.
  case invalid(String)
  /// The client wants another version of the protocol.
  case unsupportedVersion(Int64)
  /// Too many clients are connected.
  case tooManyClients
  /// The service refuses.
  case refused(LocationError)
  /// Only root may do this, or, where it concerns a receiver, the daemon's own user.
  case notPermitted(String)
  /// A receiver refused or did not answer; with the next step.
  case receiver(String)

  /// The name in `code`.
  package var code: String {
    switch self {
    case .malformed: "malformed"
    case .lineTooLong: "lineTooLong"
    case .unknownRequest: "unknownRequest"
    case .invalid: "invalid"
    case .unsupportedVersion: "unsupportedVersion"
    case .tooManyClients: "tooManyClients"
    case .refused(let error): error.code.name
    case .notPermitted: "notPermitted"
    case .receiver: "receiver"
    }
  }

  /// One line: what is wrong, and the next step.
  package var message: String {
    switch self {
    case .malformed(let problem): "the line is no request: \(problem)"
    case .lineTooLong: "the line is longer than \(Control.requestByteCountMax) bytes"
    case .unknownRequest(let name): "'\(name.prefix(64))': unknown request; update the daemon?"
    case .invalid(let problem): problem
    case .unsupportedVersion(let version):
      "version \(version) of the protocol is not spoken; version \(Control.version) is"
    case .tooManyClients: "too many clients are connected; close some"
    case .refused(let error): "\(error.cause); \(error.nextStep)"
    case .notPermitted(let what):
      "\(what) is for administrators; run the command with sudo"
    case .receiver(let problem): problem
    }
  }

  /// `{"type":"error",...}` with its line end.
  /// - Parameter id: Of the request; `nil` where it could not be read.
  package func line(_ id: RequestID?) -> [UInt8] {
    var members: [JSONMember] = []
    members.add("type", "error")
    members.add("id", id.map { JSONValue.integer(Int64(clamping: $0)) })
    members.add("code", code)
    if case .refused(let error) = self {
      members.add("number", error.code.rawValue)
      members.add("temporary", error.code.isTemporary)
    }
    members.add("message", message)
    return ControlLine.bytes(members)
  }
}

/// Whole lines of the protocol.
package enum ControlLine {
  /// An object with its line end.
  package static func bytes(_ members: [JSONMember]) -> [UInt8] {
    var output = OutputBuffer()
    output.append(json: .object(members))
    output.append(byte: 0x0a)
    return output.bytes
  }

  /// `{"type":"answer","id":...}` with what the answer holds.
  package static func answer(_ id: RequestID, _ members: [JSONMember] = []) -> [UInt8] {
    var all: [JSONMember] = []
    all.add("type", "answer")
    all.add("id", JSONValue.integer(Int64(clamping: id)))
    return bytes(all + members)
  }

  /// What a client gets first.
  package static func greeting(daemonVersion: String) -> [UInt8] {
    var members: [JSONMember] = []
    members.add("type", "hello")
    members.add("protocol", Control.version)
    members.add("daemon", daemonVersion)
    return bytes(members)
  }
}
