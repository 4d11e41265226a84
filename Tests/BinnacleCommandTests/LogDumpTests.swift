import BinnacleDaemon
import FixLog
import GNSS
import Glibc
import LinuxIO
import Testing

@testable import BinnacleCommand

@Suite("Log dump") struct LogDumpTests {
  /// Runs `log-dump` on the ring at a fixed time and gives what it wrote.
  private func dump(
    _ ring: TemporaryRing, _ options: String..., now: String = "2026-10-14T06:00:00Z"
  ) throws -> String {
    let arguments = ["--log", ring.path, "--output", ring.folder + "/out"] + options
    let now = try #require(UTCTime(iso8601: now))
    let invocation = try Invocation(of: .logDump, parsing: arguments)
    var dump = try LogDump(DumpRequest(invocation, now: now))
    #expect(try dump.run() == .ok)
    return try #require(ring.text(of: "out"))
  }

  /// The times of the lines of JSON that are fixes.
  private func times(_ json: String) -> [String] {
    json.split(separator: "\n").filter { $0.contains(#""type":"fix""#) }.compactMap { line in
      line.firstRange(of: #""time":""#).map { String(line[$0.upperBound...].prefix(19)) }
    }
  }

  @Test("a period may be given in many ways, both ends included")
  func periods() throws {
    let ring = try TemporaryRing()
    ring.append(60, from: "2026-10-14T05:00:00Z")
    let wanted = ["2026-10-14T05:00:10", "2026-10-14T05:00:11", "2026-10-14T05:00:12"]
    let json = ["--format", "json"]
    let since = "2026-10-14T05:00:10Z"
    #expect(
      times(try dump(ring, "--since", since, "--until", "05:00:12", json[0], json[1])) == wanted)
    #expect(times(try dump(ring, "--around", "05:00:11,1s", json[0], json[1])) == wanted)
    #expect(
      times(try dump(ring, "--until", "-59min 48s", "--last", "3", json[0], json[1])) == wanted)
    #expect(times(try dump(ring, "--since", "yesterday", json[0], json[1])).count == 60)
  }

  @Test("a reader with reduced accuracy gets the middles of cells, whatever is asked for")
  func reduced() throws {
    let ring = try TemporaryRing()
    ring.append(3000, from: "2026-10-14T05:00:00Z", accuracy: 3)
    ring.append(.visitArrival, at: "2026-10-14T05:05:00Z", [.init(.latitude, .number(50))])
    ring.append(.attach, at: "2026-10-14T05:06:00Z")
    func read(_ change: (inout LogQuery) -> Void) throws -> [LogRecord] {
      var query = LogQuery()
      change(&query)
      let source = try DumpSource(path: ring.path, query: query, isReduced: true)
      var records: [LogRecord] = []
      source.readAll { records.append($0) }
      return records
    }
    func places(_ records: [LogRecord]) -> [Coordinate] {
      records.compactMap { if case .fix(let fix, _) = $0.content { fix.position } else { nil } }
    }
    let all = try read { _ in }
    // 50 minutes are four quarters of an hour, and 30 m/s go through a cell in less than three.
    #expect(places(all).count == 4 && Set(places(all)).count >= 3)
    let kinds = all.compactMap { record -> EventKind? in
      if case .event(let event) = record.content { event.kind } else { nil }
    }
    #expect(kinds == [.attach])
    let late = try read { $0.since = UTCTime(iso8601: "2026-10-14T05:20:07Z") }
    #expect(places(late) == Array(places(all).suffix(2)))
    let here = Coordinate(latitude: 50.05, longitude: 20)
    let near = try read { query in
      query.isWanted = { record in
        guard case .fix(let fix, _) = record.content, let place = fix.position else { return false }
        return place.distance(to: here) < 100
      }
    }
    #expect(places(near).isEmpty)
  }

  @Test("events are shown on demand, with the receiver's or of all")
  func events() throws {
    let ring = try TemporaryRing()
    ring.append(.attach, at: "2026-10-14T04:59:59Z", [.init(.receiver, .text("car"))])
    ring.append(2, from: "2026-10-14T05:00:00Z")
    ring.append(.clockStep, at: "2026-10-14T05:00:02Z")
    #expect(!(try dump(ring)).contains("--"))
    let all = try dump(ring, "--events")
    #expect(all.contains("-- attach: receiver car\n") && all.contains("-- clock_step\n"))
    let boat = try dump(ring, "--events", "--receiver", "boat")
    #expect(!boat.contains("-- attach") && boat.contains("-- clock_step\n"))
  }

  @Test("a receiver is chosen by a part of its name or id", arguments: ["car", "ca5"])
  func receivers(part: String) throws {
    let ring = try TemporaryRing()
    ring.append(3, from: "2026-10-14T05:00:00Z")
    ring.append(2, from: "2026-10-14T05:00:00Z", of: TemporaryRing.car)
    #expect(times(try dump(ring, "--receiver", part, "--format", "json")).count == 2)
  }

  @Test("mixed receivers have a track each")
  func tracks() throws {
    let ring = try TemporaryRing()
    for second in 0..<5 {
      ring.append(1, from: "2026-10-14T05:00:0\(second)Z")
      ring.append(1, from: "2026-10-14T05:00:0\(second)Z", of: TemporaryRing.car)
    }
    let gpx = try dump(ring, "--format", "gpx")
    #expect(gpx.ranges(of: "<trk>").count == 2)
    #expect(gpx.ranges(of: "<trkseg>").count == 2)
    #expect(gpx.ranges(of: "<trkpt ").count == 10)
  }

  @Test("fixes are chosen by place and accuracy, and thinned out by time")
  func places() throws {
    let ring = try TemporaryRing()
    ring.append(60, from: "2026-10-14T05:00:00Z", accuracy: 5)
    let json = ["--format", "json"]
    // A step of 1e-4 degrees of latitude is 11.1 m.
    let near = times(try dump(ring, "--within", "50,20,0.1km", json[0], json[1]))
    #expect(near.count == 9)
    let box = times(try dump(ring, "--bbox", "50.00095,19,50.00125,-19", json[0], json[1]))
    #expect(box == ["2026-10-14T05:00:10", "2026-10-14T05:00:11", "2026-10-14T05:00:12"])
    #expect(times(try dump(ring, "--every", "20s", json[0], json[1])).count == 3)
    #expect(times(try dump(ring, "--min-distance", "100", json[0], json[1])).count == 7)
    #expect(times(try dump(ring, "--max-accuracy", "5", json[0], json[1])).count == 60)
    #expect(times(try dump(ring, "--smooth", json[0], json[1])).count == 60)
    #expect(times(try dump(ring, "--within=50,20,100", "--last=2", json[0], json[1])).count == 2)
  }

  @Test("a cursor file makes the next dump go on behind this one")
  func cursor() throws {
    let ring = try TemporaryRing()
    ring.append(3, from: "2026-10-14T05:00:00Z")
    let file = ring.folder + "/cursor"
    #expect(times(try dump(ring, "--cursor-file", file, "--format", "json")).count == 3)
    ring.append(2, from: "2026-10-14T05:00:03Z")
    #expect(
      times(try dump(ring, "--cursor-file", file, "--format", "json")) == [
        "2026-10-14T05:00:03", "2026-10-14T05:00:04",
      ])
    let nothing = CommandError.nothingFound(
      ring.path + ": nothing new that matches behind the cursor")
    #expect(throws: nothing) { try dump(ring, "--cursor-file", file) }
  }

  @Test("a cursor that was told makes the next dump go on behind it")
  func cursorByHand() throws {
    let ring = try TemporaryRing()
    ring.append(3, from: "2026-10-14T05:00:00Z")
    let arguments = ["log-dump", "--log", ring.path, "--format", "csv"]
    let first = try #require(ChildProgram(binnacle: arguments + ["--last", "1", "--show-cursor"]))
    let lines = first.allLines()
    let cursor = try #require(lines.first { $0.hasPrefix("cursor: ") }).dropFirst(8)
    ring.append(2, from: "2026-10-14T05:00:03Z")
    let json = ["--cursor", String(cursor), "--format", "json"]
    #expect(
      times(try dump(ring, json[0], json[1], json[2], json[3])) == [
        "2026-10-14T05:00:03", "2026-10-14T05:00:04",
      ])
  }

  @Test("what cannot be done is said in one line with the next step")
  func errors() throws {
    let ring = try TemporaryRing()
    ring.append(1, from: "2026-10-14T05:00:00Z")
    let failures: [([String], ExitCode)] = [
      (["--since", "now"], .nothingFound), (["--log", "/nonexistent"], .failed),
      (["--log", "/etc/passwd"], .failed), (["--since", "noon"], .usage),
      (["--around", "now", "--since", "today"], .usage), (["--around", "now,x"], .usage),
      (["--events", "--format", "csv"], .usage), (["--within", "91,0,5"], .usage),
      (["--within", "1,2"], .usage), (["--within", "1,2,-5m"], .usage),
      (["--bbox", "5,0,4,1"], .usage), (["--bbox", "x"], .usage), (["--every", "x"], .usage),
      (["--max-accuracy", "nan"], .usage), (["--smooth", "--follow"], .usage),
      (["--events", "--follow", "--format", "kml"], .usage),
      (["--since", "now", "--until", "-1h"], .usage),
      (["--output", "/nonexistent/x"], .failed), (["--cursor-file", "/etc/passwd"], .failed),
      (["--cursor", "x"], .usage), (["--cursor", "x", "--cursor-file", "y"], .usage),
      (["--index", "x"], .usage), (["--places", "--index", "/nonexistent"], .failed),
      (["--places", "--format", "gpx"], .usage),
    ]
    for (options, code) in failures {
      let known = options.contains("--log") ? [] : ["--log", ring.path]
      let output = options.contains("--output") ? [] : ["--output", ring.folder + "/out"]
      do throws(CommandError) {
        let invocation = try Invocation(of: .logDump, parsing: options + known + output)
        var dump = try LogDump(DumpRequest(invocation, now: Clocks.utc()))
        _ = try dump.run()
        Issue.record("\(options) was taken")
      } catch {
        #expect(error.exitCode == code, "\(options)")
        #expect(!error.message.contains("\n"))
      }
    }
  }
}
