import Foundation
import Testing

/// The example programs, as they are, against the daemon and a simulated receiver.
@Suite("Examples", .serialized, .timeLimit(.minutes(2))) struct ExampleTests {
  /// Where the running test program lies, and what was built next to it.
  private static let products = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()
  private static let captures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Captures")

  /// A daemon with a receiver that goes due north at 5 m/s.
  private final class Board: @unchecked Sendable {
    let folder: URL
    private var programs: [Process] = []

    init() async throws {
      folder = URL(fileURLWithPath: "/tmp/binnacle-examples-\(UInt32.random(in: 0 ... .max))")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let configuration = """
        [log]
        size = 1 MiB
        [gpsd]
        enable = no
        [nmea]
        socket = none
        [control]
        socket = \(folder.path)/control.sock
        """
      try configuration.write(
        toFile: folder.path + "/conf", atomically: true, encoding: .utf8)
      let track = ExampleTests.captures.appendingPathComponent("straight-line.gpx").path
      try start("binnacle", ["simulate", track, "--loop", "--link", folder.path + "/port"])
      try start(
        "binnacle",
        [
          "run", "--device", folder.path + "/port", "--log", folder.path + "/fixes.ring",
          "--config", folder.path + "/conf",
        ])
      let socket = folder.path + "/control.sock"
      for _ in 0..<1000 where !FileManager.default.fileExists(atPath: socket) {
        try await Task.sleep(for: .milliseconds(10))
      }
    }

    /// Ends all programs; called by each test, as a board may not go while its programs run.
    func end() {
      for program in programs where program.isRunning { kill(program.processIdentifier, SIGKILL) }
      for program in programs { program.waitUntilExit() }
      try? FileManager.default.removeItem(at: folder)
    }

    /// Starts a program of those that were built next to this one.
    /// - Returns: Its standard output and standard error.
    @discardableResult
    func start(
      _ name: String, _ arguments: [String], socket: String = "control.sock"
    ) throws -> (output: FileHandle, errors: FileHandle) {
      let (program, output, errors) = (Process(), Pipe(), Pipe())
      program.executableURL = ExampleTests.products.appendingPathComponent(name)
      program.arguments = arguments
      program.environment = [
        "BINNACLE_SOCKET": "\(folder.path)/\(socket)",
        "BINNACLE_PLACES": folder.path + "/places.index",
      ]
      (program.standardOutput, program.standardError) = (output, errors)
      try program.run()
      programs.append(program)
      return (output.fileHandleForReading, errors.fileHandleForReading)
    }

    /// What a program prints up to its end, or to the first line with this start.
    func lines(
      of name: String, _ arguments: [String], through start: String? = nil
    ) async throws -> [String] {
      await ExampleTests.lines(of: try self.start(name, arguments).output, through: start)
    }
  }

  private static func lines(
    of output: FileHandle, through start: String? = nil
  ) async -> [String] {
    await withCheckedContinuation { done in
      // A thread of its own: reading waits.
      Thread.detachNewThread { done.resume(returning: read(output, through: start)) }
    }
  }

  private static func read(_ output: FileHandle, through start: String?) -> [String] {
    var text = ""
    while true {
      let data = output.availableData
      text += String(decoding: data, as: UTF8.self)
      let lines = text.split(separator: "\n").map(String.init)
      if data.isEmpty { return lines }
      if let start, lines.contains(where: { $0.hasPrefix(start) }) { return lines }
    }
  }

  @Test("a delegate gets one location, and then a stream of them")
  func trackOnce() async throws {
    let board = try await Board()
    defer { board.end() }
    for count in [1, 3] {
      let lines = try await board.lines(of: "TrackOnce", ["\(count)"])
      #expect(lines.count { $0 == "authorization: granted" } == 1, "\(lines)")
      let places = lines.filter { $0.hasPrefix("location 54.32") }
      #expect(places.count == count, "\(lines)")
    }
  }

  @Test("live updates add up to the way that was gone")
  func walkAlong() async throws {
    let board = try await Board()
    defer { board.end() }
    let lines = try await board.lines(of: "WalkAlong", [], through: "walked 1")
    #expect(lines.contains("walked 0 m") && lines.last?.hasPrefix("walked 1") == true, "\(lines)")
  }

  @Test("a geofence is watched, and known to the next run")
  func geofenceWatch() async throws {
    let board = try await Board()
    defer { board.end() }
    let near = ["54.32", "10.13", "5000", "1"]
    #expect(try await board.lines(of: "GeofenceWatch", near) == ["inside circle"])
    let second = try await board.lines(of: "GeofenceWatch", near)
    #expect(second == ["known: circle was satisfied", "inside circle"])
    let far = try await board.lines(of: "GeofenceWatch", ["47", "8", "5000", "1"])
    #expect(far == ["known: circle was satisfied", "outside circle"])
  }

  @Test("without a daemon a program is told so, with one line in the log")
  func withoutDaemon() async throws {
    let board = try await Board()
    let program = try board.start("TrackOnce", [], socket: "nowhere.sock")
    let told = await Self.lines(of: program.output, through: "no location yet")
    #expect(told.contains { $0.hasPrefix("no location yet: ") && $0.contains("binnacle run") })
    let log = await Self.lines(of: program.errors, through: "CoreLocation: ")
    board.end()
    let rest = await Self.lines(of: program.errors)
    #expect(log.count == 1 && rest.isEmpty, "\(log + rest)")
  }
}
