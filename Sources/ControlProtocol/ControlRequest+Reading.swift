import Bytes
import GNSS
import LocationServices

/// A request with the number that its answer carries.
package struct NumberedRequest: Equatable, Sendable {
  package var id: RequestID
  package var request: ControlRequest

  package init(_ id: RequestID, _ request: ControlRequest) {
    (self.id, self.request) = (id, request)
  }

  /// Why a line was refused, with the request's number where it was legible.
  package struct Refusal: Error, Equatable, Sendable {
    package var id: RequestID?
    package var error: ControlError
  }

  /// Reads a client's line.
  package init(parsing line: ByteView) throws(Refusal) {
    let value: JSONValue
    do throws(JSONError) { value = try JSONReader.value(of: line) } catch {
      throw Refusal(error: .malformed(error.message))
    }
    guard case .object(let members) = value else {
      throw Refusal(error: .malformed("it is no object"))
    }
    guard let id = value["id"]?.integer, id >= 0 else {
      throw Refusal(error: .malformed("'id' is to be a whole number from 0"))
    }
    guard let name = value["request"]?.string else {
      throw Refusal(id: RequestID(id), error: .malformed("'request' is to be a name"))
    }
    self.id = RequestID(id)
    do throws(ControlError) {
      request = try ControlRequest(name, RequestMembers(members))
    } catch {
      throw Refusal(id: RequestID(id), error: error)
    }
  }
}

extension ControlRequest {
  init(_ name: String, _ members: RequestMembers) throws(ControlError) {
    if let action = name.receiverAction {
      self = .receiver(
        ReceiverRequest(
          action, receiver: try members.text("receiver", orNil: true), options: members.others))
    } else if let request = try Self.query(name, members) {
      self = request
    } else if let request = try Request(name, members) {
      self = .service(request)
    } else {
      throw .unknownRequest(name)
    }
  }

  private static func query(
    _ name: String, _ members: RequestMembers
  ) throws(ControlError) -> ControlRequest? {
    switch name {
    case "hello":
      let version = try members.integer("protocol") ?? Int64(Control.version)
      guard version == Control.version else { throw .unsupportedVersion(version) }
      let client = try members.text("client", orNil: true)
      guard client.map({ !$0.isEmpty && $0.utf8.count <= Control.clientNameByteCountMax }) ?? true
      else { throw .invalid("'client' has 1 to \(Control.clientNameByteCountMax) bytes") }
      return .hello(clientName: client)
    case "authorization": return .authorization
    case "sessions": return .sessions(after: SessionID(try members.count("after")))
    case "monitors": return .monitors
    case "regions":
      return .regions(
        monitor: try members.text("monitor"), after: try members.text("after", orNil: true) ?? "")
    case "record":
      return .record(
        monitor: try members.text("monitor"), identifier: try members.text("identifier"))
    case "visit": return .visit
    case "policy": return .policy(from: try members.count("after"))
    case "status": return .status
    case "observe":
      guard let topics = Observation(names: try members.texts("topics")) else {
        throw .invalid("'topics' are fixes, satellites or receivers")
      }
      return .observe(topics)
    default: return nil
    }
  }
}

extension String {
  /// `show` of `receiver.show`.
  fileprivate var receiverAction: ReceiverRequest.Action? {
    hasPrefix("receiver.") ? ReceiverRequest.Action(rawValue: String(dropFirst(9))) : nil
  }
}

/// The members of a request. What is there must be of the right kind; what is not known is ignored,
/// as a newer client may send it.
struct RequestMembers {
  let members: [JSONMember]

  init(_ members: [JSONMember]) { self.members = members }

  /// Those that are no part of every request.
  var others: [JSONMember] {
    members.filter { !["id", "request", "receiver"].contains($0.name) }
  }

  /// `nil` also where it is `null`.
  subscript(name: String) -> JSONValue? {
    members.last { $0.name == name }.flatMap { $0.value == .null ? nil : $0.value }
  }

  func text(_ name: String) throws(ControlError) -> String {
    guard let text = self[name]?.string else { throw .invalid("'\(name)' is to be a text") }
    return text
  }

  func text(_ name: String, orNil: Bool) throws(ControlError) -> String? {
    self[name] == nil ? nil : try text(name)
  }

  func texts(_ name: String) throws(ControlError) -> [String] {
    guard let values = self[name]?.array else {
      throw .invalid("'\(name)' is to be a list of texts")
    }
    let texts = values.compactMap(\.string)
    guard texts.count == values.count else { throw .invalid("'\(name)' is to be a list of texts") }
    return texts
  }

  func flag(_ name: String) throws(ControlError) -> Bool? {
    guard let value = self[name] else { return nil }
    guard let flag = value.bool else { throw .invalid("'\(name)' is to be true or false") }
    return flag
  }

  func number(_ name: String) throws(ControlError) -> Double? {
    guard let value = self[name] else { return nil }
    guard let number = value.number else { throw .invalid("'\(name)' is to be a number") }
    return number
  }

  func requiredNumber(_ name: String) throws(ControlError) -> Double {
    guard let number = try number(name) else { throw .invalid("'\(name)' is to be a number") }
    return number
  }

  func integer(_ name: String) throws(ControlError) -> Int64? {
    guard let value = self[name] else { return nil }
    guard let integer = value.integer else { throw .invalid("'\(name)' is to be a whole number") }
    return integer
  }

  /// 0 where it is not there.
  func count(_ name: String) throws(ControlError) -> Int {
    guard let count = Int(exactly: try integer(name) ?? 0), count >= 0 else {
      throw .invalid("'\(name)' is to be a whole number from 0")
    }
    return count
  }

  /// A span in seconds, at most a year; more makes no sense anywhere.
  func span(_ name: String) throws(ControlError) -> Duration? {
    guard let seconds = try number(name) else { return nil }
    guard seconds >= 0, seconds <= 31_536_000 else {
      throw .invalid("'\(name)' is to be a number of seconds, at most a year")
    }
    return .microseconds(Int64((seconds * 1e6).rounded()))
  }

  /// One of the names that `read` knows.
  func named<Value>(
    _ name: String, _ kinds: String, _ read: (String) -> Value?
  ) throws(ControlError) -> Value? {
    guard let text = try text(name, orNil: true) else { return nil }
    guard let value = read(text) else {
      throw .invalid("'\(name)': '\(text.prefix(64))' is no \(kinds)")
    }
    return value
  }
}
