import GNSS
import Glibc
import LinuxIO
import Testing

@testable import BinnacleCommand

/// The daemon is killed again and again while it works.
@Suite("Killed daemon") struct KillTests {
  private static let killCount = 100
  private static let feedSeconds = 3600

  private typealias Folder = RunCommandTests.Folder

  private func prepare(_ folder: Folder) {
    SimulateCommandTests.write(
      "[log]\nsize = 2 MiB\n[gpsd]\nenable = no\n", to: folder.path + "/conf")
    var track = "<gpx version=\"1.1\"><trk><trkseg>"
    for second in [0, Self.feedSeconds] {
      let time = (UTCTime(seconds: 1_791_954_000) + .seconds(second)).iso8601
      track += "<trkpt lat=\"50.\(second)\" lon=\"20\"><time>\(time)</time></trkpt>"
    }
    SimulateCommandTests.write(
      track + "</trkseg></trk></gpx>", to: folder.path + "/track.gpx")
  }

  /// - Parameter folder: Where its mirror lies, too, as its runtime directory.
  private func program(_ folder: Folder, _ arguments: String...) throws -> ChildProgram {
    try #require(
      ChildProgram(binnacle: arguments, variables: ["RUNTIME_DIRECTORY=\(folder.path)"]))
  }

  private func daemon(_ folder: Folder) throws -> ChildProgram {
    try program(
      folder, "run", "--config", folder.path + "/conf", "--device", folder.path + "/port", "--log",
      folder.path + "/ring", "--socket", folder.path + "/control")
  }

  private func waitUntilReceiving(_ daemon: ChildProgram) {
    while let line = daemon.nextLine() {
      if line.hasSuffix("receiving on \(line.prefix { $0 != ":" })") { return }
    }
  }

  private func times(_ csv: [Substring]) -> [Substring] {
    csv.filter { $0.hasPrefix("20") }.map { $0.prefix { $0 != "," } }
  }

  @Test("what a reader has seen stays in the log, once, however the daemon ends")
  func kills() throws {
    let folder = try Folder()
    prepare(folder)
    let feed = try program(
      folder,
      "simulate", folder.path + "/track.gpx", "--rate", "20", "--link", folder.path + "/port")
    try #require(feed.nextLine() != nil)
    let first = try daemon(folder)
    while !fileExists(folder.path + "/ring") { usleep(10_000) }
    #expect(first.end(with: SIGTERM) == 0)
    let reader = try program(
      folder,
      "log-dump", "--follow", "--format", "csv", "--last", "1000000", "--log",
      folder.path + "/ring", "--output", folder.path + "/seen")
    for index in 0..<Self.killCount {
      let victim = try daemon(folder)
      // Half of them while they start, half at work.
      if index % 2 == 0 { waitUntilReceiving(victim) }
      usleep(UInt32.random(in: 0...200_000))
      #expect(victim.end(with: SIGKILL) == -SIGKILL)
    }
    let last = try daemon(folder)
    waitUntilReceiving(last)
    usleep(1_500_000)
    #expect(last.end(with: SIGTERM) == 0)
    usleep(1_200_000)
    #expect(reader.end(with: SIGTERM) == 0)
    _ = feed.end(with: SIGTERM)
    let seen = times(
      (smallFile(folder.path + "/seen", byteLimit: 1 << 24) ?? "").split(separator: "\n"))
    let dump = try program(folder, "log-dump", "--format", "csv", "--log", folder.path + "/ring")
    let logged = times(dump.allLines().map { Substring($0) })
    print("killed \(Self.killCount) times: \(logged.count) fixes logged, \(seen.count) seen before")
    #expect(seen.count > 20 && logged.count >= seen.count)
    #expect(Set(logged).count == logged.count, "a fix stands twice in the log")
    #expect(Set(seen).subtracting(logged).isEmpty, "a fix that was seen is gone")
    #expect(logged == logged.sorted())
    let check = try program(folder, "log-check", "--log", folder.path + "/ring")
    #expect(check.wait() == 0)
  }
}
