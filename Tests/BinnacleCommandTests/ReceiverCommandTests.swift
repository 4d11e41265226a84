import Bytes
import Glibc
import Testing

@testable import LinuxIO

/// Receivers on pseudo-terminals, led by the real daemon and by the command alone.
@Suite("receiver") struct ReceiverCommandTests {
  typealias Folder = RunCommandTests.Folder

  /// Those that can be sent to sleep.
  static let kinds = [
    ("ublox-m10", "MAX-M10S"), ("ublox-m8", "NEO-M8N-0"), ("ublox-f9", "ZED-F9P"),
    ("mtk3339", "PA6H"), ("l76k", "L76K"), ("lc29h", "LC29HDANR11A03S"), ("teseo-liv3f", "Teseo"),
  ]
  /// Those that cannot, with their families.
  static let sleepless = [
    ("unicore", "unicore"), ("allystar", "allystar"), ("skytraq", "skytraq"),
  ]

  /// A simulated receiver on `port` in the folder.
  private func receiver(_ kind: String, _ folder: Folder) throws -> ChildProgram {
    let arguments = [
      "simulate", "--receiver", kind, "--start", "hot", "--link", folder.path + "/port",
    ]
    let program = try #require(ChildProgram(binnacle: arguments))
    _ = try #require(program.nextLine())
    return program
  }

  private func configure(_ folder: Folder, _ more: [String] = []) {
    let lines = [
      "[log]", "size = 1 MiB", "file = \(folder.path)/fixes.ring", "[gpsd]", "enable = no",
      "[nmea]", "socket = none", "[control]", "socket = \(folder.path)/control.sock",
    ]
    SimulateCommandTests.write(
      (lines + more + [""]).joined(separator: "\n"), to: folder.path + "/conf")
  }

  private func daemon(_ folder: Folder, _ more: [String] = []) throws -> ChildProgram {
    configure(folder, more)
    return try #require(
      ChildProgram(binnacle: [
        "run", "--config", folder.path + "/conf", "--device", folder.path + "/port",
      ]))
  }

  private func ask(_ words: [String]) throws -> (status: CInt, answer: JSONValue?) {
    let program = try #require(ChildProgram(binnacle: ["receiver"] + words + ["--json"]))
    var answer: JSONValue?
    // The program's own patience with a receiver, and some more.
    while let line = program.nextLine(patience: 240) {
      let parsed = Array(line.utf8).withByteView { try? JSONReader.value(of: $0) }
      answer = parsed ?? answer
    }
    return (program.wait(), answer)
  }

  /// What `show` says once it says so, or last.
  private func shown(
    _ folder: Folder, until isSo: (JSONValue) -> Bool
  ) throws -> JSONValue? {
    var shown: JSONValue?
    for _ in 0..<360 {
      usleep(500_000)
      shown = try ask(["show", "--socket", folder.path + "/control.sock"]).answer
      if let shown, isSo(shown) { break }
    }
    return shown
  }

  @Test("the daemon restarts a receiver by order, and tells of one that is not there")
  func daemon() throws {
    let folder = try Folder()
    let receiver = try receiver("mtk3339", folder)
    let daemon = try daemon(folder)
    let socket = ["--socket", folder.path + "/control.sock"]
    let shown = try shown(folder) { $0["configured"]?.bool == true }
    #expect(shown?["control"]?.string == "awake")
    #expect(shown?["problems"]?.array == [])
    #expect(shown?["power"]?["why"]?.string == "for bestForNavigation")
    let restarted = try ask(["restart", "--warm", "port"] + socket)
    #expect(restarted.status == 0)
    #expect(try ask(["show", "nothing"] + socket).status == 1)
    #expect(daemon.end(with: SIGTERM) == 0)
    _ = receiver.end(with: SIGTERM)
  }

  @Test(
    "it is identified and configured, sleeps while that is enough, and wakes for one fix",
    arguments: kinds)
  func sleeps(kind: String, model: String) throws {
    let folder = try Folder()
    let receiver = try receiver(kind, folder)
    let daemon = try daemon(folder, ["[session track]", "tier = reduced"])
    let shown = try shown(folder) { $0["power"]?["state"]?.string == "asleep" }
    #expect(shown?["power"]?["state"]?.string == "asleep", "\(String(describing: shown))")
    #expect(shown?["configured"]?.bool == true)
    #expect(shown?["model"]?.string == model)
    #expect(shown?["problems"]?.array == [])
    #expect(shown?["power"]?["why"]?.string == "for reduced")
    #expect(shown?["power"]?["wakesIn"]?.number ?? 0 > 60)
    let fix = try #require(
      ChildProgram(
        binnacle: [
          "fix", "--accuracy", "hundredMeters", "--timeout", "400", "--socket",
          folder.path + "/control.sock",
        ]))
    #expect(fix.wait() == 0)
    #expect(daemon.end(with: SIGTERM) == 0)
    _ = receiver.end(with: SIGTERM)
  }

  @Test("one that cannot sleep is identified, and has a fix all the time", arguments: sleepless)
  func staysAwake(kind: String, family: String) throws {
    let folder = try Folder()
    let receiver = try receiver(kind, folder)
    let daemon = try daemon(folder, ["[session track]", "tier = reduced"])
    let shown = try shown(folder) { $0["configured"]?.bool == true }
    #expect(shown?["configured"]?.bool == true, "\(String(describing: shown))")
    #expect(shown?["family"]?.string == family)
    #expect(shown?["power"]?["why"]?.string == "it cannot be sent to sleep")
    let fix = try #require(
      ChildProgram(
        binnacle: ["fix", "--timeout", "120", "--socket", folder.path + "/control.sock"]))
    #expect(fix.wait() == 0)
    #expect(daemon.end(with: SIGTERM) == 0)
    _ = receiver.end(with: SIGTERM)
  }

  @Test("one that sends our questions back is taken for nothing, and left as it is")
  func passive() throws {
    let folder = try Folder()
    let receiver = try receiver("sirf", folder)
    let daemon = try daemon(folder)
    let shown = try shown(folder) { $0["control"]?.string == "passive" }
    #expect(shown?["control"]?.string == "passive", "\(String(describing: shown))")
    #expect(daemon.end(with: SIGTERM) == 0)
    _ = receiver.end(with: SIGTERM)
  }

  @Test("without a daemon it is shown and left as it is, configured and restored by order")
  func direct() throws {
    let folder = try Folder()
    let receiver = try receiver("ublox-m8", folder)
    configure(folder)
    let port = ["--device", folder.path + "/port", "--config", folder.path + "/conf"]
    let shown = try ask(["show"] + port)
    #expect(shown.status == 0)
    #expect(shown.answer?["model"]?.string == "NEO-M8N-0")
    #expect(shown.answer?["configured"]?.bool == false)
    let configured = try ask(["configure"] + port)
    #expect(configured.status == 0)
    #expect(configured.answer?["configured"]?.bool == true)
    #expect(try ask(["restore"] + port).status == 0)
    _ = receiver.end(with: SIGTERM)
  }

  @Test("what makes no sense is refused with a word")
  func usage() throws {
    for words in [[], ["polish"], ["show", "--warm"], ["restart", "--hot", "--cold"]] {
      #expect(try ask(words).status == 2)
    }
  }
}
