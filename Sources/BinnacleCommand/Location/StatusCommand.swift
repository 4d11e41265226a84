import BinnacleClient
import Bytes
import ControlProtocol
import GNSS
import LocationServices

extension Subcommand {
  static let status = Subcommand(
    name: "status", summary: "What the daemon does: receivers, power, log, clients",
    details: """
      Asks the running daemon. Exit code 1 if there is none.
      """,
    options: [DaemonCommand.format, DaemonCommand.json, DaemonCommand.socket],
    examples: [("binnacle status --json", "One JSON object, for programs")]
  ) { invocation throws(CommandError) in
    try invocation.expectNoOperands()
    let answer = try DaemonCommand.connect(invocation).ask(.status)
    guard !DaemonCommand.wantsJSON(invocation) else {
      try DaemonCommand.write(json: answer.withoutEnvelope)
      return .ok
    }
    var output = OutputBuffer()
    for (name, title) in [("daemon", "daemon"), ("service", "location")] {
      if let part = answer[name] { part.write(title, to: &output) }
    }
    for receiver in answer["receivers"]?.array ?? [] { receiver.write("receiver", to: &output) }
    for name in ["log", "clients"] { answer[name]?.write(name, to: &output) }
    try DaemonCommand.write(output)
    return .ok
  }

  static let sessions = Subcommand(
    name: "sessions", summary: "Who uses location now, how accurately and for what",
    details: """
      Lists the live sessions: those of connected clients, those that stand without one, and
      those of the configuration, such as the logger's.
      """,
    options: [DaemonCommand.format, DaemonCommand.json, DaemonCommand.socket]
  ) { invocation throws(CommandError) in
    try invocation.expectNoOperands()
    let daemon = try DaemonCommand.connect(invocation)
    let sessions = try daemon.list("sessions") { last, _ in
      .sessions(after: SessionID(clamping: last?["session"]?.integer ?? 0))
    }
    if DaemonCommand.wantsJSON(invocation) {
      for session in sessions { try DaemonCommand.write(json: session) }
      return .ok
    }
    var table = TextTable([
      "session", "user", "client", "tier", "services", "since", "state", "told", "purpose",
    ])
    for session in sessions {
      table.add([
        session.text("session"), session.text("user"), session.text("client"),
        session.text("tier"), session.text("services"), session.since, session.state,
        session.text("delivered"), session.text("purpose"),
      ])
    }
    var output = OutputBuffer()
    table.write(to: &output)
    try DaemonCommand.write(output)
    return .ok
  }
}

extension JSONValue {
  /// Without what belongs to the protocol.
  var withoutEnvelope: JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { !["type", "id"].contains($0.name) })
  }

  /// `title  name value, name value`
  fileprivate func write(_ title: String, to output: inout OutputBuffer) {
    guard case .object(let members) = self else { return }
    output.append(text: title)
    output.append(count: max(10 - title.utf8.count, 1), of: UInt8(ascii: " "))
    let parts = members.compactMap { member -> String? in
      if case .object = member.value { return "\(member.name) \(nested(member.name))" }
      let value = text(member.name)
      return value == "-" || value.isEmpty ? nil : "\(member.name) \(value)"
    }
    output.append(text: parts.joined(separator: ", ").printable)
    output.append(byte: 0x0a)
  }

  private func nested(_ name: String) -> String {
    guard let value = self[name], case .object(let members) = value else { return "-" }
    return "(" + members.map { "\($0.name) \(value.text($0.name))" }.joined(separator: ", ") + ")"
  }

  /// Since when a session lives: as an instant, or how long ago where the time was not known.
  fileprivate var since: String {
    if let time = time("since") { return FixText.time(time) }
    return self["age"]?.number.map { "\(Int64($0.rounded())) s ago" } ?? "-"
  }

  /// What a session gets at the moment.
  fileprivate var state: String {
    guard self["active"]?.bool == true else {
      return self["diagnostics"] == nil ? "waiting" : text("diagnostics")
    }
    var words = [self["paused"]?.bool == true ? "paused" : "live"]
    if self["connected"]?.bool == false { words.append("without client") }
    if self["diagnostics"] != nil { words.append(text("diagnostics")) }
    return words.joined(separator: ", ")
  }
}
