import BinnacleClient
import BinnacleDaemon
import Bytes
import ControlProtocol
import LinuxIO
import ReceiverControl

extension Subcommand {
  static let receiver = Subcommand(
    name: "receiver", summary: "What a receiver is and does; configure, restart or restore it",
    operands: "show|configure|restart|restore [RECEIVER]",
    details: """
      Asks the running daemon, which knows a receiver by its identity or its port, or by a
      part of either; with one receiver it needs no name. Without a daemon, give the port:
      --device PATH does the same on a port that no other program has open.

      'show' tells what the receiver is, whether it is configured, whether it sleeps and why,
      and what it has used. 'configure' writes the settings again. 'restart' forgets what
      --warm (the ephemerides) or --cold (everything) says. 'restore' puts back what was found
      before the first configuration, and leaves the receiver alone from then on;
      'configure = no' in its section of the configuration makes that last.
      """,
    options: [
      Option("device", "PATH", help: "Use this port, without the daemon"),
      Option("hot", help: "restart: forget nothing; the default"),
      Option("warm", help: "restart: forget the ephemerides"),
      Option("cold", help: "restart: forget everything"),
      Option("config", "FILE", help: "Read this configuration instead"),
      Option("json", help: "Print one JSON object"),
      Option("socket", "PATH", help: "The daemon's socket; without it the configured one"),
    ],
    examples: [
      ("binnacle receiver show", "of the only receiver"),
      ("sudo binnacle receiver restart --cold ttyACM0", "as after years in a drawer"),
      ("binnacle receiver show --device /dev/ttyAMA0", "while no daemon runs"),
    ]
  ) { invocation throws(CommandError) in
    let names = ReceiverRequest.Action.allCases.map(\.rawValue).joined(separator: ", ")
    guard let word = invocation.operands.first,
      let action = ReceiverRequest.Action(rawValue: word)
    else { throw .usage("receiver: say what to do: \(names)") }
    guard invocation.operands.count <= 2 else {
      throw .usage("\(invocation.operands[2]): unexpected; one receiver at a time")
    }
    let name = invocation.operands.count == 2 ? invocation.operands[1] : nil
    let kind = try restartKind(invocation, action)
    let answer: [JSONMember]
    if let node = invocation.value("device") {
      guard name == nil else { throw .usage("--device names the receiver already") }
      answer = try direct(invocation, action, kind, node)
    } else {
      answer = try ask(invocation, action, kind, name)
    }
    try write(answer, asJSON: invocation.has("json"))
    return .ok
  }

  private static func restartKind(
    _ invocation: Invocation, _ action: ReceiverRequest.Action
  ) throws(CommandError) -> ReceiverCommand.Restart {
    let given = ReceiverCommand.Restart.allCases.filter { invocation.has($0.rawValue) }
    guard given.count <= 1 else { throw .usage("restart: one of --hot, --warm and --cold") }
    guard given.isEmpty || action == .restart else {
      throw .usage("--\(given[0].rawValue): only for 'receiver restart'")
    }
    return given.first ?? .hot
  }

  /// Longer than the daemon takes for any order.
  private static let patience = Duration.seconds(200)

  private static func ask(
    _ invocation: Invocation, _ action: ReceiverRequest.Action, _ kind: ReceiverCommand.Restart,
    _ name: String?
  ) throws(CommandError) -> [JSONMember] {
    let configured = (try? Configuration.read(invocation.value("config")))?.control.socket
    let path = invocation.value("socket") ?? configured ?? Control.defaultPath
    var options: [JSONMember] = []
    if action == .restart { options.add("kind", kind.rawValue) }
    let request = ControlRequest.receiver(
      ReceiverRequest(action, receiver: name, options: options))
    do throws(BinnacleError) {
      let daemon = try BinnacleConnection(path: path, clientName: "binnacle")
      guard case .object(let members) = try daemon.perform(request, timeout: patience) else {
        return []
      }
      return members.filter { $0.name != "type" && $0.name != "id" }
    } catch {
      throw .failed(error.message)
    }
  }

  private static func direct(
    _ invocation: Invocation, _ action: ReceiverRequest.Action,
    _ kind: ReceiverCommand.Restart, _ node: String
  ) throws(CommandError) -> [JSONMember] {
    let task: DirectReceiver.Task =
      switch action {
      case .show: .show
      case .configure: .order(.configure)
      case .restart: .order(.restart(kind))
      case .restore: .order(.restore)
      }
    let configuration = try Configuration.read(invocation.value("config"))
    do throws(DaemonError) {
      switch try DirectReceiver(node: node, configuration: configuration).run(task) {
      case .done(let members): return members
      case .failed(let reason): throw .log(reason)
      }
    } catch {
      throw .failed(error.message)
    }
  }

  // MARK: Output

  private static func write(
    _ members: [JSONMember], asJSON: Bool
  ) throws(CommandError) {
    var output = OutputBuffer()
    if asJSON {
      output.append(json: .object(members))
      output.append(byte: UInt8(ascii: "\n"))
    } else {
      for member in members { append(member, indent: 0, to: &output) }
    }
    do throws(Errno) { try StandardOutput.write(output) } catch {
      throw .failed("standard output: \(error.text)")
    }
  }

  /// `name: value` a line; what lies inside is indented.
  private static func append(
    _ member: JSONMember, indent: Int, to output: inout OutputBuffer
  ) {
    let nested: [JSONMember]
    switch member.value {
    case .object(let members): nested = members
    case .array(let values):
      // Settings are pairs of a name and its outcome; other lists are plain.
      nested = values.compactMap { value in
        guard let name = value["name"]?.string, let outcome = value["outcome"] else { return nil }
        return JSONMember(name: name, value: outcome)
      }
    default: nested = []
    }
    output.append(count: indent, of: UInt8(ascii: " "))
    output.append(text: "\(member.name):")
    if nested.isEmpty { output.append(text: " \(text(member.value))") }
    output.append(byte: UInt8(ascii: "\n"))
    for inner in nested { append(inner, indent: indent + 2, to: &output) }
  }

  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): text
    case .bool(let flag): flag ? "yes" : "no"
    case .integer(let number): String(number)
    case .number(let number): decimal(number)
    case .array(let values):
      values.isEmpty ? "none" : values.map { text($0) }.joined(separator: ", ")
    case .object, .null: "-"
    }
  }

  private static func decimal(_ number: Double) -> String {
    var output = OutputBuffer()
    output.append(trimmed: number, decimals: 3)
    return output.text
  }
}
