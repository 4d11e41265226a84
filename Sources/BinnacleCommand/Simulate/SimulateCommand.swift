import Bytes
import LinuxIO
import ReceiverSimulator

extension Subcommand {
  /// `binnacle simulate`
  static let simulate = Subcommand(
    name: "simulate", summary: "Play a receiver on a pseudo-terminal, from a track or a log",
    operands: "[FILE]",
    details: """
      Opens a pseudo-terminal, prints its path, and sends what a receiver would: from a
      captured log (NMEA, UBX or both) the bytes as they are, each epoch at its time; from
      a GPX track with times the epochs of a receiver that is carried along it, at constant
      velocity from point to point, without a fix between segments.

      It begins when a program opens the port and stands still while none has it open. A
      log's jumps of more than an hour, or back in time, last one second. Fixes along a
      track are marked as simulated where the protocol can say so (NMEA can, UBX cannot).
      With --receiver it is a whole receiver that is carried along FILE, a GPX track, or
      along a built-in journey: it searches before it has a fix, answers questions, obeys
      settings, sleeps and wakes, speaks at its own baud rate and mishears any other. It is
      switched on when a program opens the port and lives on whether somebody reads or not;
      each change of its state is told on standard error. Those named clone-... do what
      clones do: they are deaf, ignore settings, or are another chip than they say.

      Ends at the end of FILE or journey, or on SIGTERM or SIGINT.
      """,
    options: [
      Option(
        "speed", "N", help: "Seconds of the file that pass in one; a large N is as fast as taken"),
      Option(
        "receiver", "KIND", choices: LiveReceiver.kindNames,
        help: "Play a whole receiver of this kind"),
      Option(
        "journey", "NAME", choices: LiveReceiver.journeyNames,
        help: "Where to carry it without FILE; else still"),
      Option(
        "start", "STATE", choices: LiveReceiver.startNames,
        help: "What it knows when it is switched on; else cold"),
      Option("seed", "N", help: "Of its errors and search times: the same, the same life; else 1"),
      Option("link", "PATH", help: "A symbolic link to the port while it lasts"),
      Option("loop", help: "Begin again at the end, for ever"),
      Option("count", "N", help: "End after N epochs"),
      Option("no-wait", help: "Begin at once; what comes while nobody reads is lost"),
      Option("protocol", "NAME", choices: ["nmea", "ubx"], help: "What a track is sent as"),
      Option("rate", "HZ", help: "Epochs a second along a track, 1 to 20"),
      Option(
        "times", "WHICH", choices: ["recorded", "now"],
        help: "What the epochs of a track are stamped with; else recorded, with --receiver now"),
      Option(
        "ground-speed", "M/S",
        help: "Travel a track at this speed in m/s, whatever times it has, starting now"),
    ],
    examples: [
      ("binnacle simulate drive.nmea --link /tmp/gnss", "The log at its own pace, as /tmp/gnss"),
      ("binnacle simulate walk.gpx --protocol ubx --speed 10", "A walk in a tenth of its time"),
      ("binnacle simulate walk.gpx --times now --loop", "A receiver that walks today, for ever"),
      (
        "binnacle simulate --receiver ublox-m10 --journey line --start hot --link /tmp/gnss",
        "An M10 that is carried along a line"
      ),
    ]
  ) { invocation throws(CommandError) in
    let options = try SimulateOptions(invocation)
    if let kind = options.receiver {
      let receiver = try LiveReceiver(options, kind: kind)
      let port = try SimulatedPort(link: options.link)
      try LiveReceiverSession(options, receiver, port: port).run()
    } else if let path = options.path {
      let source = try ReplaySource(options, path: path)
      let port = try SimulatedPort(link: options.link)
      try SimulatorSession(options, source: source, port: port).run()
    }
    return .ok
  }
}

/// What was typed behind `binnacle simulate`.
struct SimulateOptions {
  /// `nil` where a receiver is carried along a built-in journey.
  let path: String?
  let receiver: String?
  let journey: String?
  let start: String?
  let seed: UInt64
  let speed: Double
  let link: String?
  let isLooping: Bool
  /// Epochs to send; `nil` for all.
  let count: Int?
  let waitsForReader: Bool
  let language: TrackReplay.Language
  let rate: Int
  let stamp: TrackReplay.Stamp
  /// m/s
  let groundSpeed: Double?
  /// Those given that only a track can take.
  let trackOptions: [String]

  init(_ invocation: Invocation) throws(CommandError) {
    receiver = invocation.value("receiver")
    path = try Self.path(invocation)
    journey = invocation.value("journey")
    start = invocation.value("start")
    seed = UInt64(clamping: try invocation.integer("seed", in: 0...Int.max) ?? 1)
    speed = try invocation.number("speed", in: 0.001...1e9) ?? 1
    link = invocation.value("link")
    isLooping = invocation.has("loop")
    count = try invocation.integer("count", in: 1...Int.max)
    waitsForReader = !invocation.has("no-wait")
    language = invocation.value("protocol") == "ubx" ? .ubx : .nmea
    rate = try invocation.integer("rate", in: TrackReplay.rates) ?? 1
    stamp = Self.stamp(invocation)
    groundSpeed = try invocation.number("ground-speed", in: 0.01...1e6)
    trackOptions = ["protocol", "rate", "times", "ground-speed"].filter { invocation.has($0) }
    if receiver == nil, stamp == .present, speed != 1 {
      throw .usage("--times now needs --speed 1: the present passes no faster")
    }
    if path == "-", isLooping { throw .usage("--loop needs a FILE, standard input comes once") }
  }

  private static func path(_ invocation: Invocation) throws(CommandError) -> String? {
    let (path, isReceiver) = (invocation.operands.first, invocation.has("receiver"))
    guard invocation.operands.count == (path == nil && isReceiver ? 0 : 1) else {
      throw .usage(
        "simulate takes one FILE: a GPX track or a captured log; or --receiver KIND")
    }
    for option in ["journey", "start", "seed"] where !isReceiver && invocation.has(option) {
      throw .usage("--\(option) is for a whole receiver: give --receiver KIND too")
    }
    for option in ["protocol", "rate"] where isReceiver && invocation.has(option) {
      throw .usage("--\(option): what a receiver sends is set through its port")
    }
    if path != nil, invocation.has("journey") {
      throw .usage("--journey takes the place of FILE: give one of them")
    }
    for option in ["times", "ground-speed"] where path == nil && invocation.has(option) {
      throw .usage("--\(option) is for GPX tracks, and no FILE is given")
    }
    return path
  }

  private static func stamp(_ invocation: Invocation) -> TrackReplay.Stamp {
    switch invocation.value("times") {
    case "now": .present
    case "recorded": .recorded
    default: invocation.has("receiver") ? .present : .recorded
    }
  }
}
