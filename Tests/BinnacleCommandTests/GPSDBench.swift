import Glibc
import Testing

@testable import LinuxIO

/// A receiver that is carried along a track, the daemon, and a port for its clients.
final class GPSDBench {
  let folder: RunCommandTests.Folder
  let port: UInt16
  let sentencesPort: UInt16
  let receiver: ChildProgram
  let daemon: ChildProgram
  /// What the daemon said until it had the receiver.
  let greeting: [String]
  var server: String { "127.0.0.1:\(port)" }

  static let track = """
    <?xml version="1.0"?><gpx version="1.1" creator="test"><trk><trkseg>
    <trkpt lat="-49.5" lon="70.25"><ele>12</ele><time>2026-10-14T10:00:00Z</time></trkpt>
    <trkpt lat="-49.4" lon="70.35"><ele>20</ele><time>2026-10-14T11:00:00Z</time></trkpt>
    </trkseg></trk></gpx>
    """

  /// - Parameters:
  ///   - tier: What the session that stands wants of the receiver, and clients, too, unless
  ///     `clientTier` says something else.
  ///   - port: `nil` for one that nobody has.
  init(
    simulating options: [String] = ["--times", "now", "--rate", "5"],
    tier: String = "bestForNavigation", clientTier: String? = nil, port: UInt16? = nil
  ) throws {
    folder = try RunCommandTests.Folder()
    self.port = try port ?? Self.freePort()
    sentencesPort = try Self.freePort()
    let path = folder.path
    SimulateCommandTests.write(Self.track, to: path + "/track.gpx")
    SimulateCommandTests.write(
      """
      [log]
      size = 1 MiB
      file = \(path)/fixes.ring
      [gpsd]
      listen = 127.0.0.1:\(self.port)
      tier = \(clientTier ?? tier)
      [session track]
      tier = \(tier)
      [control]
      socket = \(path)/control.sock
      [nmea]
      socket = \(path)/nmea.sock
      listen = 127.0.0.1:\(sentencesPort)
      [time]
      chrony = \(path)/chrony.sock
      simulated = yes
      """, to: path + "/conf")
    receiver = try #require(
      ChildProgram(
        binnacle: ["simulate", path + "/track.gpx", "--link", path + "/port"] + options))
    _ = try #require(receiver.nextLine())
    daemon = try #require(
      ChildProgram(binnacle: [
        "run", "--device", path + "/port", "--config", path + "/conf",
      ]))
    var greeting: [String] = []
    while let line = daemon.nextLine(), !line.contains("receiving on") { greeting.append(line) }
    self.greeting = greeting
  }

  static func freePort() throws -> UInt16 {
    let listener = try ListenSocket(#require(SocketAddress("127.0.0.1:0", defaultPort: 0)))
    return try #require(listener.boundAddress?.port)
  }

  /// Options for commands that ask the daemon.
  var control: [String] { ["--socket", folder.path + "/control.sock"] }

  /// Waits until the receiver sleeps; `false` where it does not.
  func becomesAsleep() throws -> Bool {
    for _ in 0..<360 {
      usleep(500_000)
      let show = ChildProgram(binnacle: ["receiver", "show", "--json"] + control)
      let lines = try #require(show).allLines()
      if lines.contains(where: { $0.contains(#""state":"asleep""#) }) { return true }
    }
    return false
  }

  /// What a client prints until it ends, or `seconds` have passed; `nil` where it is not
  /// installed.
  func output(of client: [String], seconds: Int) throws -> [String]? {
    guard let name = client.first(where: { $0.hasPrefix("/") }), fileExists(name) else {
      print("skipped: \(client.joined(separator: " ")): not installed")
      return nil
    }
    let limit = ["timeout", "--signal=INT", "--kill-after=2", "\(seconds)"]
    let program = try #require(ChildProgram(limit + client, variables: ["TERM=xterm"]))
    let lines = program.allLines()
    _ = program.wait()
    return lines
  }

  /// As `output(of:seconds:)`, on a terminal of 40 lines, without its control sequences.
  func screen(of client: String, seconds: Int) throws -> String? {
    guard fileExists(String(client.prefix { $0 != " " })) else {
      print("skipped: \(client): not installed")
      return nil
    }
    let script =
      "stty rows 40 cols 100; timeout --foreground -k 2 \(seconds) \(client) \(server); echo"
    let lines = try output(
      of: ["/usr/bin/script", "-qec", script, "/dev/null"], seconds: seconds + 3)
    return lines.map { Self.plain($0.joined(separator: "\n")) }
  }

  /// Without ECMA-48 control sequences.
  private static func plain(_ text: String) -> String {
    var plain = ""
    var isControl = false
    for character in text {
      switch character {
      case "\u{1b}": isControl = true
      case "[", "(", ";", "?", "0"..."9": if !isControl { plain.append(character) }
      default:
        if !isControl { plain.append(character) }
        isControl = false
      }
    }
    return plain
  }
}
