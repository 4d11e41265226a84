import BinnacleClient
import BinnacleDaemon
import Bytes
import ControlProtocol
import GNSS
import LinuxIO
import LocationServices

/// What all subcommands that talk to the daemon have in common.
enum DaemonCommand {
  /// By this name the policy and `sessions` know the command line.
  static let clientName = "binnacle"

  static let socket = Option(
    "socket", "PATH", help: "The daemon's socket; without it the configured one")
  static let format = Option(
    "format", "FORMAT", choices: ["text", "json"], help: "How to print; without it text")
  static let json = Option("json", help: "The same as --format json")

  static func wantsJSON(_ invocation: Invocation) -> Bool {
    invocation.has("json") || invocation.value("format") == "json"
  }

  static func connect(_ invocation: Invocation) throws(CommandError) -> BinnacleConnection {
    // A configuration that cannot be read is the daemon's to complain about.
    let configured = (try? Configuration.read(nil))?.control.socket
    let path = invocation.value("socket") ?? configured ?? Control.defaultPath
    do throws(BinnacleError) {
      return try BinnacleConnection(path: path, clientName: clientName)
    } catch {
      throw CommandError(error)
    }
  }

  static func tier(_ name: String?) throws(CommandError) -> Tier? {
    guard let name else { return nil }
    guard let tier = Tier(named: name) else {
      throw .usage("\(name): no tier; there are \(tierNames.joined(separator: ", "))")
    }
    return tier
  }

  static let tierNames = Tier.allCases.map { "\($0.name)" }

  static func write(_ output: OutputBuffer) throws(CommandError) {
    do throws(Errno) { try StandardOutput.write(output) } catch {
      throw .failed("standard output: \(error.text)")
    }
  }

  /// One object, as a line.
  static func write(json value: JSONValue) throws(CommandError) {
    var output = OutputBuffer()
    output.append(json: value)
    output.append(byte: 0x0a)
    try write(output)
  }

  static func write(text: String) throws(CommandError) {
    var output = OutputBuffer()
    output.append(text: text)
    output.append(byte: 0x0a)
    try write(output)
  }
}

extension CommandError {
  init(_ error: BinnacleError) {
    switch error {
    // CLError.locationUnknown
    case .refused(_, 0, let message): self = .nothingFound(message)
    default: self = .failed(error.message)
    }
  }
}

extension BinnacleConnection {
  /// Asks, and ends the command where that is refused. Where the policy wants a session first, one
  /// is opened that needs little.
  func ask(
    _ request: ControlRequest, timeout: Duration = .seconds(10)
  ) throws(CommandError) -> JSONValue {
    do throws(BinnacleError) {
      do throws(BinnacleError) { return try perform(request, timeout: timeout) } catch {
        guard error.message.holds("serviceSessionRequired") else { throw error }
        var session = SessionOptions()
        (session.services, session.purpose) = (.significantChanges, "binnacle \(request.name)")
        _ = try perform(.service(.openSession(session)))
        return try perform(request, timeout: timeout)
      }
    } catch {
      throw CommandError(error)
    }
  }

  /// The next update; waits for it.
  func next(timeout: Duration? = nil) throws(CommandError) -> JSONValue? {
    do throws(BinnacleError) { return try nextUpdate(timeout: timeout) } catch {
      throw CommandError(error)
    }
  }

  /// A list that may come in several answers, each asked for after the one before.
  func list(
    _ name: String, _ request: (_ last: JSONValue?, _ count: Int) -> ControlRequest
  ) throws(CommandError) -> [JSONValue] {
    var all: [JSONValue] = []
    while true {
      let answer = try ask(request(all.last, all.count))
      let page = answer[name]?.array ?? []
      all += page
      guard answer["more"]?.bool == true, !page.isEmpty else { return all }
    }
  }
}

/// Rows of text under a header, for people: columns as wide as their widest text.
struct TextTable {
  private var rows: [[String]]

  init(_ header: [String]) { rows = [header] }

  mutating func add(_ row: [String]) { rows.append(row.map { $0.printable }) }

  func write(to output: inout OutputBuffer) {
    let widths = (rows.first ?? []).indices.map { column in
      rows.map { $0[column].unicodeScalars.count }.max() ?? 0
    }
    for row in rows {
      for (column, text) in row.enumerated() {
        output.append(text: text)
        guard column + 1 < row.count else { continue }
        let count = widths[column] - text.unicodeScalars.count + 2
        output.append(count: count, of: UInt8(ascii: " "))
      }
      output.append(byte: 0x0a)
    }
  }
}

extension String {
  /// Without characters that would move a terminal's cursor.
  var printable: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { scalar in
          let isControl = scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value)
          return isControl ? "?" : scalar
        }))
  }
}

extension JSONValue {
  /// A member as text; `-` where it is not there.
  func text(_ name: String) -> String {
    guard let member = self[name], let text = member.scalarText else { return "-" }
    return text
  }

  /// Texts and numbers as they are, lists of them with commas; `nil` for what is no text.
  private var scalarText: String? {
    switch self {
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .number(let number): Self.text(number)
    case .bool(let flag): flag ? "yes" : "no"
    case .array(let values):
      values.isEmpty ? nil : values.compactMap(\.scalarText).joined(separator: ",")
    case .null, .object: nil
    }
  }

  private static func text(_ number: Double) -> String {
    var output = OutputBuffer()
    output.append(trimmed: number, decimals: 3)
    return output.text
  }
}
