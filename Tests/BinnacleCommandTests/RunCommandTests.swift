import Glibc
import Testing

@testable import LinuxIO

/// The whole way: a receiver on a pseudo-terminal, the daemon, the ring, and the dump.
@Suite("run", .serialized) struct RunCommandTests {
  /// A folder for one test, gone with it.
  final class Folder {
    let path: String
    init() throws {
      var template = Array("/tmp/binnacle-run-XXXXXX".utf8CString)
      path = try #require(mkdtemp(&template).map { String(cString: $0) })
    }
    deinit { _ = ChildProgram(["/bin/rm", "-rf", path])?.wait() }
  }

  static let corpus: String = {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    return parts.dropLast(4).joined(separator: "/") + "/shared/corpus/gpsd"
  }()

  /// What the log keeps of a fix to the last digit.
  static let keys = ["time", "lat", "lon", "alt_msl", "alt_hae", "speed", "track", "mode"]

  /// The lines that place the receiver, cut down to `keys`.
  private func fixes(_ arguments: [String]) throws -> [String] {
    let program = try #require(ChildProgram(binnacle: arguments))
    var lines: [String] = []
    while let line = program.nextLine() {
      guard line.contains(#""type":"fix""#), line.contains(#""lat":"#) else { continue }
      lines.append(Self.keys.map { "\($0) \(Self.member($0, of: line))" }.joined(separator: ", "))
    }
    #expect(program.wait() == 0)
    return lines
  }

  /// The text of a member's value in a flat JSON object.
  private static func member(_ key: String, of line: String) -> Substring {
    let name = "\"\(key)\":"
    guard let start = line.indices.first(where: { line[$0...].hasPrefix(name) }) else { return "-" }
    return line[line.index(start, offsetBy: name.count)...].prefix { $0 != "," && $0 != "}" }
  }

  private func daemon(_ folder: Folder) throws -> ChildProgram {
    try #require(
      ChildProgram(binnacle: [
        "run", "--device", folder.path + "/port", "--log", folder.path + "/fixes.ring", "--config",
        folder.path + "/conf", "--build-date", "1999-01-01",
      ]))
  }

  private func prepare(_ folder: Folder) {
    SimulateCommandTests.write(
      "[log]\nsize = 1 MiB\n[gpsd]\nenable = no\n", to: folder.path + "/conf")
  }

  static let logs = [
    "ublox-glo", "mt3339", "sirfstarv-nmea", "quectel-l76k-nmea", "ublox-neo-m8p", "ublox-8",
  ]

  @Test("a receiver's log comes out of the ring as it is decoded", arguments: logs)
  func played(log: String) throws {
    let path = "\(Self.corpus)/\(log).log"
    guard fileExists(path) else {
      print("skipped: \(path) is not there")
      return
    }
    let folder = try Folder()
    prepare(folder)
    let receiver = try #require(
      ChildProgram(binnacle: [
        "simulate", path, "--speed", "40", "--link", folder.path + "/port",
      ]))
    _ = try #require(receiver.nextLine())
    let daemon = try daemon(folder)
    #expect(receiver.wait() == 0)
    usleep(600_000)
    #expect(daemon.end(with: SIGTERM) == 0)
    let logged = try fixes([
      "log-dump", "--log", folder.path + "/fixes.ring", "--format", "json",
    ])
    let decoded = try fixes(["decode", "--build-date", "1999-01-01", path])
    #expect(!decoded.isEmpty)
    #expect(logged == decoded)
  }

  @Test("a killed daemon loses nothing that it had, and its successor goes on")
  func killed() throws {
    let folder = try Folder()
    prepare(folder)
    let receiver = try #require(
      ChildProgram(binnacle: [
        "simulate", SimulateCommandTests.captures + "/straight-line.gpx", "--speed", "20",
        "--link", folder.path + "/port",
      ]))
    _ = try #require(receiver.nextLine())
    let first = try daemon(folder)
    usleep(1_500_000)
    #expect(first.end(with: SIGKILL) == -SIGKILL)
    let dump = ["log-dump", "--log", folder.path + "/fixes.ring", "--format", "json"]
    let before = try fixes(dump)
    #expect(before.count >= 10)
    let second = try daemon(folder)
    usleep(1_500_000)
    #expect(second.end(with: SIGTERM) == 0)
    let after = try fixes(dump)
    #expect(after.starts(with: before))
    #expect(after.count >= before.count + 10)
    _ = receiver.end(with: SIGTERM)
  }

  @Test("a port that comes later, goes and comes back is found each time")
  func comesAndGoes() throws {
    let folder = try Folder()
    prepare(folder)
    let daemon = try daemon(folder)
    usleep(300_000)
    for _ in 0..<2 {
      let receiver = try #require(
        ChildProgram(binnacle: [
          "simulate", SimulateCommandTests.captures + "/straight-line.gpx", "--speed", "40",
          "--count", "20", "--link", folder.path + "/port",
        ]))
      _ = try #require(receiver.nextLine())
      #expect(says("receiving", daemon))
      #expect(receiver.wait() == 0)
      #expect(says("port: ", daemon))
    }
    #expect(daemon.end(with: SIGINT) == 0)
  }

  /// Whether one of its next lines holds `words`.
  private func says(_ words: String, _ program: ChildProgram) -> Bool {
    (0..<8).contains { _ in program.nextLine()?.contains(words) == true }
  }

  @Test("a log that another user owns is left alone, and taken up once it may be written")
  func otherOwner() throws {
    let setpriv = "/usr/bin/setpriv"
    guard geteuid() == 0, fileExists(setpriv) else {
      print("skipped: only the superuser can start a daemon as another user, with setpriv")
      return
    }
    let folder = try Folder()
    let (ring, other): (String, uid_t) = (folder.path + "/fixes.ring", 65_534)
    chown(folder.path, other, other)
    SimulateCommandTests.write(
      "[log]\nfile = \(ring)\nsize = 1 MiB\n[gpsd]\nenable = no\n[control]\nsocket = none\n",
      to: folder.path + "/conf")
    chown(folder.path + "/conf", other, other)
    let program = try #require(ChildProgram.folder) + "/binnacle"
    let arguments = ["run", "--config", folder.path + "/conf", "--device", folder.path + "/port"]
    let ours = try #require(ChildProgram([program] + arguments))
    for _ in 0..<400 where !fileExists(ring) { usleep(25_000) }
    #expect(ours.end(with: SIGTERM) == 0)
    let bytes = smallFile(ring, byteLimit: 1 << 21)
    let daemon = try #require(
      ChildProgram([setpriv, "--reuid=\(other)", "--clear-groups", program] + arguments))
    #expect(says("\(ring): access denied; its owner may write", daemon))
    #expect(smallFile(ring, byteLimit: 1 << 21) == bytes)
    chown(ring, other, other)
    #expect(says("\(ring): writing works again; 0 records lost", daemon))
    #expect(daemon.end(with: SIGTERM) == 0)
    let dump = try #require(ChildProgram(binnacle: ["log-dump", "--log", ring, "--events"]))
    #expect(dump.allLines().contains { $0.contains("-- records_lost") && $0.contains("denied") })
  }

  @Test("an idle daemon does not wake up")
  func idle() throws {
    let folder = try Folder()
    prepare(folder)
    let daemon = try daemon(folder)
    usleep(800_000)
    func wakeUps() -> Substring? {
      smallFile("/proc/\(daemon.processID)/status")?.split(separator: "\n")
        .first { $0.hasPrefix("voluntary_ctxt_switches") }
    }
    let before = wakeUps()
    usleep(2_500_000)
    #expect(before != nil && wakeUps() == before)
    #expect(daemon.end(with: SIGTERM) == 0)
  }

  static let refused: [(arguments: [String], words: String)] = [
    (["extra"], "takes no operands"), (["--config", "/nowhere"], "/nowhere: cannot be read"),
    (["--build-date", "soon"], "not a day"), (["--log"], "needs a value"),
    (["--device", "/dev/null", "--log", "/dev/null"], "/dev/null"),
    (["--device", "/x", "--log", "/proc/version"], "/proc/version"),
  ]

  @Test("refuses what cannot be, in one line", arguments: refused)
  func refuses(arguments: [String], words: String) throws {
    let program = try #require(ChildProgram(binnacle: ["run"] + arguments))
    let line = program.nextLine() ?? ""
    #expect(line.hasPrefix("binnacle: ") && line.contains(words), "\(line)")
    #expect([1, 2].contains(program.wait()))
    #expect(program.nextLine() == nil)
  }
}
