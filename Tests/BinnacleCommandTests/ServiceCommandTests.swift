import BinnacleClient
import Bytes
import Glibc
import Testing

@testable import LinuxIO

/// The daemon, a simulated receiver and clients, as programs of their own.
@Suite("Services", .serialized) struct ServiceCommandTests {
  /// A daemon with a receiver that plays a track again and again.
  final class Scene {
    let folder: RunCommandTests.Folder
    private(set) var daemon: ChildProgram
    private let receiver: ChildProgram

    init(track: String, speed: String = "20", policy: String = "user nobody reduced") throws {
      folder = try RunCommandTests.Folder()
      chmod(folder.path, 0o755)
      let configuration = """
        [log]
        size = 1 MiB
        [gpsd]
        listen = 127.0.0.1:\(Self.port)
        [nmea]
        socket = none
        [control]
        socket = \(folder.path)/socket
        [policy]
        file = \(folder.path)/policy
        """
      SimulateCommandTests.write(configuration, to: folder.path + "/conf")
      SimulateCommandTests.write(policy + "\n", to: folder.path + "/policy")
      receiver = try #require(
        ChildProgram(binnacle: [
          "simulate", SimulateCommandTests.captures + "/\(track).gpx", "--speed", speed, "--link",
          folder.path + "/port",
        ]))
      _ = try #require(receiver.nextLine())
      daemon = try Self.start(folder.path)
      try waitForSocket()
    }

    /// Away from gpsd's own, which may be taken.
    static let port = 31_947

    private static func start(_ folder: String) throws -> ChildProgram {
      try #require(
        ChildProgram(binnacle: [
          "run", "--device", folder + "/port", "--log", folder + "/fixes.ring", "--config",
          folder + "/conf",
        ]))
    }

    var socket: String { folder.path + "/socket" }

    private func waitForSocket() throws {
      for _ in 0..<100 where (try? BinnacleConnection(path: socket)) == nil { usleep(50_000) }
      _ = try BinnacleConnection(path: socket)
    }

    /// Memory of the daemon in use.
    var residentByteCount: Int {
      let pages = smallFile("/proc/\(daemon.processID)/statm")?.split(separator: " ").dropFirst()
      return (pages?.first.flatMap { Int($0) } ?? 0) * 4096
    }

    /// Kills the daemon as a power cut would, and starts it anew.
    func restart() throws {
      #expect(daemon.end(with: SIGKILL) == -SIGKILL)
      daemon = try Self.start(folder.path)
      try waitForSocket()
    }

    /// What a command prints, and its exit code.
    func run(_ arguments: [String], asNobody: Bool = false) throws -> (lines: [String], code: CInt)
    {
      let words = arguments + ["--socket", socket]
      let binnacle = try #require(ChildProgram.folder) + "/binnacle"
      let nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
      let program = try #require(ChildProgram((asNobody ? nobody : []) + [binnacle] + words))
      return (program.allLines(), program.wait())
    }

    func end() {
      #expect(daemon.end(with: SIGTERM) == 0)
      _ = receiver.end(with: SIGTERM)
    }
  }

  @Test("without a daemon every command says so in one line, and what to do")
  func alone() throws {
    let commands = [
      ["fix"], ["watch"], ["status"], ["sessions"], ["regions", "list"], ["visits", "--follow"],
      ["policy"], ["grant", "user", "pi", "allow"], ["revoke", "user", "pi"],
    ]
    for command in commands {
      let program = try #require(
        ChildProgram(binnacle: command + ["--socket", "/tmp/binnacle-nowhere.sock"]))
      let line = program.nextLine() ?? ""
      #expect(
        line.hasPrefix("binnacle: /tmp/binnacle-nowhere.sock: no daemon listens there; start"))
      #expect(program.wait() == 1 && program.nextLine() == nil)
    }
  }

  static let wrong: [([String], String)] = [
    (["fix", "--accuracy", "great"], "--accuracy great: unknown"),
    (["fix", "--timeout", "-1"], "not a number from 0"), (["fix", "now"], "takes no operands"),
    (["watch", "--count", "0"], "not a whole number"), (["regions"], "regions takes add"),
    (["regions", "add"], "takes one name"), (["regions", "add", "x"], "--circle or --polygon"),
    (["regions", "add", "x", "--circle", "1,2"], "not LAT,LON,M"),
    (["regions", "add", "x", "--polygon", "1,2 3,4"], "three or more"),
    (["regions", "remove"], "which?"), (["grant", "pi"], "whom?"),
    (["grant", "user", "pi"], "says nothing"),
    (["grant", "user", "pi", "maybe"], "'maybe' is not"),
    (["revoke", "somebody", "pi"], "whom?"), (["policy", "maybe"], "policy takes on, off"),
    (["visits", "--since", "soon"], "not a time"),
  ]

  @Test("wrong words are told in one line, with exit code 2", arguments: wrong)
  func refused(arguments: [String], words: String) throws {
    let program = try #require(ChildProgram(binnacle: arguments))
    let line = program.nextLine() ?? ""
    #expect(line.hasPrefix("binnacle: ") && line.contains(words), "\(line)")
    #expect(program.wait() == 2)
  }

  @Test("one position, a stream, who uses location, regions and the policy")
  func commands() throws {
    let scene = try Scene(track: "straight-line", speed: "4")
    let (fix, code) = try scene.run(["fix", "--json"])
    #expect(code == 0 && fix.first?.contains(#""mode":3"#) == true)
    let watched = try scene.run(["watch", "--count", "5"])
    #expect(watched.lines.count == 5 && watched.code == 0)
    #expect(watched.lines.allSatisfy { $0.hasPrefix("2026-10-14 05:0") })
    #expect(try scene.run(["sessions"]).lines.last?.contains("the log") == true)
    #expect(try scene.run(["status"]).lines.contains { $0.contains("state locating") })
    #expect(try scene.run(["regions", "list"]).code == 3)
    let around = ["regions", "add", "all", "--circle", "54.3213,10.1349,5000"]
    #expect(try scene.run(around).code == 0)
    // Without it, the wait for its event would have no end.
    var isInside = false
    for _ in 0..<50 where !isInside {
      usleep(100_000)
      isInside = try scene.run(["regions", "list"]).lines.last?.contains("inside") == true
    }
    try #require(isInside)
    // Nobody listened when it was entered: that is told to the first who does.
    let told = try scene.run(["regions", "watch", "--count", "1"])
    #expect(told.lines.first?.hasSuffix("entered all") == true)
    #expect(try scene.run(["grant", "group", "boat", "always"]).code == 0)
    #expect(try scene.run(["policy", "--json"]).lines.contains { $0.contains("group boat") })
    try scene.restart()
    #expect(try scene.run(["policy", "--json"]).lines.contains { $0.contains("group boat") })
    #expect(try scene.run(["regions", "list"]).lines.last?.contains("inside") == true)
    #expect(try scene.run(["regions", "remove", "all"]).code == 0)
    #expect(try scene.run(["policy", "off"]).code == 0)
    #expect(try scene.run(["fix", "--timeout", "0"]).code == 1)
    scene.end()
  }

  static let subjects: [(words: [String], warning: String?)] = [
    (["user", "nosuchuser"], "nosuchuser: no such user yet"),
    (["group", "nosuchgroup"], "nosuchgroup: no such group yet"),
    (["user", "root"], nil), (["user", "4711"], nil), (["group", "root"], nil),
    (["client", "nosuchclient"], nil),
  ]

  @Test("a grant to whom there is not is made, with a warning")
  func mistyped() throws {
    let scene = try Scene(track: "straight-line")
    for (words, warning) in Self.subjects {
      let (lines, code) = try scene.run(["grant"] + words + ["allow"])
      #expect(code == 0)
      #expect(lines.count == (warning == nil ? 0 : 1), "\(words): \(lines)")
      if let warning { #expect(lines.first?.contains(warning) == true, "\(lines)") }
    }
    scene.end()
  }

  @Test("an event of a region is in the log once, however often the daemon is killed")
  func killed() throws {
    let scene = try Scene(track: "straight-line", speed: "4")
    #expect(
      try scene.run(["regions", "add", "all", "--circle", "54.3213,10.1349,5000"]).code == 0)
    for pause in [5, 30, 120, 400, 900] {
      usleep(useconds_t(pause) * 1000)
      try scene.restart()
    }
    usleep(300_000)
    let dump = try #require(
      ChildProgram(binnacle: [
        "log-dump", "--log", scene.folder.path + "/fixes.ring", "--events", "--format", "json",
      ]))
    var entries = 0
    while let line = dump.nextLine() { entries += line.contains("region_enter") ? 1 : 0 }
    _ = dump.wait()
    scene.end()
    #expect(entries == 1)
  }

  @Test("200 clients see every fix, beside one that never reads and one that sends garbage")
  func many() throws {
    let scene = try Scene(track: "straight-line", speed: "5")
    let deaf = try BinnacleConnection(path: scene.socket)
    _ = try deaf.request("openSession", [JSONMember(name: "filter", value: .string("none"))])
    let address = try #require(SocketAddress(path: scene.socket))
    let rude = try StreamSocket(connectingTo: address)
    let halfOpen = try StreamSocket(connectingTo: address)
    _ = halfOpen.send(Array(#"{"id":1,"requ"#.utf8))
    var members: [JSONMember] = []
    members.add("tier", "bestForNavigation")
    members.add("filter", "none")
    members.add("pauses", false)
    let clients = try (0..<200).map { _ in try BinnacleConnection(path: scene.socket) }
    for client in clients { _ = try client.request("openSession", members) }
    let before = scene.residentByteCount
    var seen = [[String]](repeating: [], count: clients.count)
    for round in 0..<15 {
      _ = rude.send((0..<2000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ round) })
      for (index, client) in clients.enumerated() {
        var time: String?
        while time == nil {
          let line = try #require(try client.nextUpdate(timeout: .seconds(5)))
          time = line["fix"]?["time"]?.string
        }
        seen[index].append(time ?? "")
      }
    }
    #expect(clients.allSatisfy { $0.lostCount == 0 })
    let last = try #require(seen.last)
    // Those that came earlier began earlier; from where the last one began all saw the same.
    for times in seen {
      let start = try #require(times.firstIndex(of: last[0]))
      #expect(times[start...].elementsEqual(last.prefix(times.count - start)))
    }
    #expect(Set(last).count == 15)
    #expect(scene.residentByteCount < before + (8 << 20))
    withExtendedLifetime((deaf, rude, halfOpen)) {}
    scene.end()
  }

  @Test("who may know the location only roughly learns no more on any way")
  func reduced() throws {
    guard getuid() == 0, fileExists("/usr/bin/setpriv") else {
      print("skipped: only root can become another user")
      return
    }
    let scene = try Scene(track: "straight-line")
    let exact = try scene.run(["fix", "--json"]).lines.joined()
    #expect(exact.contains(#""lat":54.3"#))
    var heard: [String] = []
    for command in [
      ["fix", "--json"], ["watch", "--json", "--count", "1"], ["sessions", "--json"], ["status"],
      ["regions", "add", "small", "--circle", "54.3213,10.1349,5000"], ["policy"],
      ["grant", "user", "nobody", "always"],
      ["visits", "--log", scene.folder.path + "/fixes.ring"],
    ] {
      heard += try scene.run(command, asNobody: true).lines
    }
    let script =
      "exec 3<>/dev/tcp/127.0.0.1/\(Scene.port); "
      + #"echo '?WATCH={"enable":true,"json":true,"nmea":true,"raw":2};?POLL;' >&3; "#
      + "timeout 1 cat <&3"
    let gpsd = try #require(
      ChildProgram([
        "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "bash", "-c", script,
      ]))
    heard += gpsd.allLines()
    _ = gpsd.wait()
    #expect(heard.contains { $0.contains(#""class":"TPV""#) })
    #expect(heard.contains { $0.contains("reduced") || $0.contains("54.3375") })
    // The track goes north at 10.1349 E, from 54.3213 N; the cell's middle is 54.3375 N.
    for line in heard {
      for part in ["10.1349", "54.321", "54.322", "54.323", "5419.", "01008.", "altMSL", "alt_msl"]
      {
        #expect(!line.contains(part), "\(line)")
      }
    }
    scene.end()
  }
}
