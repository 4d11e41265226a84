import Bytes
import LinuxIO
import ReceiverSimulator

extension Subcommand {
  /// `binnacle simulate`
  static let simulate = Subcommand(
    name: "simulate", summary: "Play a receiver on a pseudo-terminal, from a track or a log",
    operands: "FILE",
    details: """
      Opens a pseudo-terminal, prints its path, and sends what a receiver would: from a
      captured log (NMEA, UBX or both) the bytes as they are, each epoch at its time; from
      a GPX track with times the epochs of a receiver that is carried along it, at constant
      velocity from point to point, without a fix between segments.

      It begins when a program opens the port and stands still while none has it open. A
      log's jumps of more than an hour, or back in time, last one second. Fixes along a
      track are marked as simulated where the protocol can say so (NMEA can, UBX cannot).
      Ends at the end of FILE, or on SIGTERM or SIGINT.
      """,
    options: [
      Option(
        "speed", "N", help: "Seconds of the file that pass in one; a large N is as fast as taken"),
      Option("link", "PATH", help: "A symbolic link to the port while it lasts"),
      Option("loop", help: "Begin again at the end, for ever"),
      Option("count", "N", help: "End after N epochs"),
      Option("no-wait", help: "Begin at once; what comes while nobody reads is lost"),
      Option("protocol", "NAME", choices: ["nmea", "ubx"], help: "What a track is sent as"),
      Option("rate", "HZ", help: "Epochs a second along a track, 1 to 20"),
      Option(
        "times", "WHICH", choices: ["recorded", "now"],
        help: "What the epochs of a track are stamped with"),
      Option(
        "ground-speed", "M/S",
        help: "Travel a track at this speed in m/s, whatever times it has, starting now"),
    ],
    examples: [
      ("binnacle simulate drive.nmea --link /tmp/gnss", "The log at its own pace, as /tmp/gnss"),
      ("binnacle simulate walk.gpx --protocol ubx --speed 10", "A walk in a tenth of its time"),
      ("binnacle simulate walk.gpx --times now --loop", "A receiver that walks today, for ever"),
    ]
  ) { invocation throws(CommandError) in
    let options = try SimulateOptions(invocation)
    let loop = try Self.attempt("event loop") { () throws(Errno) in try EventLoop() }
    let source = try ReplaySource(options)
    let terminal = try Self.attempt("pseudo-terminal") { () throws(Errno) in
      try Pseudoterminal()
    }
    let session = SimulatorSession(options, source: source, terminal: terminal, loop: loop)
    try session.run()
    return .ok
  }

  /// Runs what may fail with an error of the kernel, and names the thing in the message.
  private static func attempt<T>(_ thing: String, _ body: () throws(Errno) -> T)
    throws(CommandError) -> T
  {
    do throws(Errno) { return try body() } catch { throw .failed("\(thing): \(error.text)") }
  }
}

/// What was typed behind `binnacle simulate`.
struct SimulateOptions {
  let path: String
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
    guard let path = invocation.operands.first, invocation.operands.count == 1 else {
      throw .usage("simulate takes one FILE: a GPX track or a captured log")
    }
    self.path = path
    speed = try invocation.number("speed", in: 0.001...1e9) ?? 1
    link = invocation.value("link")
    isLooping = invocation.has("loop")
    count = try invocation.integer("count", in: 1...Int.max)
    waitsForReader = !invocation.has("no-wait")
    language = invocation.value("protocol") == "ubx" ? .ubx : .nmea
    rate = try invocation.integer("rate", in: TrackReplay.rates) ?? 1
    stamp = invocation.value("times") == "now" ? .present : .recorded
    groundSpeed = try invocation.number("ground-speed", in: 0.01...1e6)
    trackOptions = ["protocol", "rate", "times", "ground-speed"].filter { invocation.has($0) }
    if stamp == .present, speed != 1 {
      throw .usage("--times now needs --speed 1: the present passes no faster")
    }
    if path == "-", isLooping { throw .usage("--loop needs a FILE, standard input comes once") }
  }
}
