import BinnacleClient
import Bytes
import ControlProtocol
import GNSS
import LinuxIO
import LocationServices

extension Subcommand {
  static let regions = Subcommand(
    name: "regions", summary: "Be told when the board enters or leaves an area",
    operands: "add NAME | list | remove NAME... | watch",
    details: """
      add     watches an area: a circle or a polygon
      list    shows the areas and whether the board is inside
      remove  ends that
      watch   prints a line each time the board enters or leaves one

      Areas outlive the command, the daemon and a reboot where the policy allows the user to
      use location always; else they are watched while 'regions watch' runs. What happened
      meanwhile is told by the next 'regions watch', and is in the log: log-dump --events.

      They are kept in a monitor, a named set that one program at a time may have open.
      """,
    options: [
      Option("monitor", "NAME", help: "The set of areas; without it 'binnacle'"),
      Option("circle", "LAT,LON,M", help: "For add: a middle and a radius in metres"),
      Option("polygon", "LAT,LON...", help: "For add: three or more corners, separated by spaces"),
      Option("no-entry", help: "For add: do not tell of entries"),
      Option("no-exit", help: "For add: do not tell of exits"),
      Option(
        "assume", "STATE", choices: ["unknown", "satisfied", "unsatisfied"],
        help: "For add: what to take for true until the first fix; satisfied is inside"),
      Option("count", "N", help: "For watch: end after so many events"),
      DaemonCommand.format, DaemonCommand.json, DaemonCommand.socket,
    ],
    examples: [
      ("binnacle regions add home --circle 48.1,11.6,200", "Watch 200 m around a place"),
      ("binnacle regions watch", "Wait until it is entered or left"),
    ]
  ) { invocation throws(CommandError) in
    let names = invocation.operands.dropFirst()
    switch invocation.operands.first {
    case "add":
      guard let name = names.first, names.count == 1 else {
        throw .usage("regions add takes one name: binnacle regions add NAME --circle LAT,LON,M")
      }
      return try RegionsCommand.add(name, invocation)
    case "list" where names.isEmpty: return try RegionsCommand.list(invocation)
    case "remove":
      guard !names.isEmpty else { throw .usage("regions remove: which? give names") }
      return try RegionsCommand.remove(Array(names), invocation)
    case "watch" where names.isEmpty: return try RegionsCommand.watch(invocation)
    default:
      throw .usage("regions takes add NAME, list, remove NAME or watch; see 'regions --help'")
    }
  }
}

private enum RegionsCommand {
  static func monitor(_ invocation: Invocation) -> String {
    invocation.value("monitor") ?? "binnacle"
  }

  static func add(_ name: String, _ invocation: Invocation) throws(CommandError) -> ExitCode {
    let shape = try shape(invocation)
    var options = RegionOptions()
    options.notifiesEntry = !invocation.has("no-entry")
    options.notifiesExit = !invocation.has("no-exit")
    options.assumedState =
      invocation.value("assume").flatMap { RegionState(named: $0) } ?? .unknown
    let daemon = try DaemonCommand.connect(invocation)
    let monitor = monitor(invocation)
    _ = try daemon.ask(.service(.openMonitor(monitor)))
    let answer = try daemon.ask(
      .service(.addRegion(monitor: monitor, identifier: name, shape, options)))
    if let warning = answer["warning"]?.string { StandardError.line("binnacle: \(warning)") }
    if try daemon.ask(.authorization)["authorization"]?.string == "authorizedWhenInUse" {
      StandardError.line("binnacle: the policy lets it be watched only by 'binnacle regions watch'")
    }
    return .ok
  }

  private static func shape(_ invocation: Invocation) throws(CommandError) -> RegionShape {
    switch (invocation.value("circle"), invocation.value("polygon")) {
    case (let circle?, nil):
      guard let numbers = numbers(circle), numbers.count == 3 else {
        throw .usage("--circle \(circle): not LAT,LON,M, such as 48.1,11.6,200")
      }
      return .circle(
        centre: Coordinate(latitude: numbers[0], longitude: numbers[1]), radius: numbers[2])
    case (nil, let polygon?):
      let corners = polygon.split(separator: " ").compactMap { corner -> Coordinate? in
        guard let pair = numbers(String(corner)), pair.count == 2 else { return nil }
        return Coordinate(latitude: pair[0], longitude: pair[1])
      }
      guard corners.count >= 3, corners.count == polygon.split(separator: " ").count else {
        throw .usage("--polygon: not three or more LAT,LON, separated by spaces")
      }
      return .polygon(corners)
    default: throw .usage("regions add takes either --circle or --polygon")
    }
  }

  private static func numbers(_ text: String) -> [Double]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0) }
    return numbers.count == parts.count && numbers.allSatisfy(\.isFinite) ? numbers : nil
  }

  static func list(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let daemon = try DaemonCommand.connect(invocation)
    let known = try daemon.ask(.monitors)["monitors"]?.array ?? []
    let names = known.compactMap { $0["monitor"]?.string }
      .filter { invocation.value("monitor") == nil || invocation.value("monitor") == $0 }
    var table = TextTable(["monitor", "region", "state", "since", "shape"])
    var count = 0
    for name in names {
      let regions = try daemon.list("regions") { last, _ in
        .regions(monitor: name, after: last?["identifier"]?.string ?? "")
      }
      count += regions.count
      for region in regions {
        if DaemonCommand.wantsJSON(invocation) {
          var members = [JSONMember(name: "monitor", value: .string(name))]
          if case .object(let more) = region { members += more }
          try DaemonCommand.write(json: .object(members))
        } else {
          table.add([
            name, region.text("identifier"), stateWord(region["state"]?.string),
            region.time("changed").map { FixText.time($0) } ?? "-", shapeText(region),
          ])
        }
      }
    }
    guard count > 0 else {
      throw .nothingFound("no regions; 'binnacle regions add NAME --circle LAT,LON,M' adds one")
    }
    guard !DaemonCommand.wantsJSON(invocation) else { return .ok }
    var output = OutputBuffer()
    table.write(to: &output)
    try DaemonCommand.write(output)
    return .ok
  }

  private static func stateWord(_ state: String?) -> String {
    switch state {
    case "satisfied": "inside"
    case "unsatisfied": "outside"
    default: "unknown"
    }
  }

  private static func shapeText(_ region: JSONValue) -> String {
    guard let circle = region["circle"] else {
      return "polygon of \(region["polygon"]?.array?.count ?? 0) corners"
    }
    return "\(circle.text("radius")) m around \(FixText.position(Coordinate(circle)))"
  }

  static func remove(
    _ names: [String], _ invocation: Invocation
  ) throws(CommandError) -> ExitCode {
    let daemon = try DaemonCommand.connect(invocation)
    let monitor = monitor(invocation)
    _ = try daemon.ask(.service(.openMonitor(monitor)))
    for name in names {
      _ = try daemon.ask(.service(.removeRegion(monitor: monitor, identifier: name)))
    }
    return .ok
  }

  static func watch(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let count = try invocation.integer("count", in: 1...1_000_000_000)
    let daemon = try DaemonCommand.connect(invocation)
    _ = try daemon.ask(.service(.openMonitor(monitor(invocation))))
    var seen = 0
    while count.map({ seen < $0 }) ?? true, let line = try daemon.next() {
      guard case .region(let identifier, let state, let time) = Update(line) else { continue }
      seen += 1
      if DaemonCommand.wantsJSON(invocation) {
        try DaemonCommand.write(json: line.withoutEnvelope)
      } else {
        let word = state == .satisfied ? "entered" : "left"
        try DaemonCommand.write(text: "\(FixText.time(time))  \(word) \(identifier.printable)")
      }
    }
    return .ok
  }
}
