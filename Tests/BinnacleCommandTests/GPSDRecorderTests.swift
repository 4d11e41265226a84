import Bytes
import GNSS
import Glibc
import Testing

@testable import LinuxIO

/// gpsd's clients that write down what they are told, against the running daemon.
@Suite("Recorders of gpsd", .serialized) struct GPSDRecorderTests {
  @Test("gpxlogger writes one track with a point an epoch")
  func gpxlogger() throws {
    let bench = try GPSDBench(simulating: ["--times", "now"])
    let lines = try bench.output(of: ["/usr/bin/gpxlogger", bench.server], seconds: 8)
    guard let lines else { return }
    #expect(lines.count { $0.contains("<trkseg>") } == 1)
    #expect(lines.last?.contains("</gpx>") == true)
    let times = lines.filter { $0.contains("<time>") }.dropFirst()
    #expect(times.count >= 5)
    #expect(Set(times).count == times.count)
  }

  /// A GPX file's times, and whether every element is closed.
  private func read(_ path: String) throws -> (times: [UTCTime], isWhole: Bool) {
    let text = try #require(smallFile(path, byteLimit: 1 << 20))
    let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
    let isWhole = ["trk", "trkseg", "trkpt"].allSatisfy { name in
      lines.count { $0.hasPrefix("<\(name)>") || $0.hasPrefix("<\(name) ") }
        == lines.count { $0 == "</\(name)>" }
    }
    let times = lines.compactMap { line in
      line.hasPrefix("<time>") ? UTCTime(iso8601: String(line.dropFirst(6).dropLast(7))) : nil
    }
    // The first is that of the file.
    return (Array(times.dropFirst()), isWhole && lines.last == "</gpx>")
  }

  private struct TPV: Equatable {
    let mode: Int64?
    let time: String?
  }

  private func solutions(_ path: String) throws -> [TPV] {
    let text = try #require(smallFile(path, byteLimit: 1 << 20))
    return text.split(whereSeparator: \.isNewline).compactMap { line in
      let report = Array(line.utf8).withByteView { try? JSONReader.value(of: $0) }
      guard report?["class"]?.string == "TPV" else { return nil }
      return TPV(mode: report?["mode"]?.integer, time: report?["time"]?.string)
    }
  }

  @Test("a sleep of the receiver is no end of gpxlogger's track, no loss, and has no point")
  func asleep() throws {
    let (gpxlogger, gpspipe) = ("/usr/bin/gpxlogger", "/usr/bin/gpspipe")
    guard fileExists(gpxlogger), fileExists(gpspipe) else {
      print("skipped: gpsd's clients are not installed")
      return
    }
    let bench = try GPSDBench(
      simulating: ["--receiver", "ublox-m8", "--start", "hot"], tier: "reduced")
    let (track, reports) = (bench.folder.path + "/track.out", bench.folder.path + "/reports.out")
    let logger = try #require(ChildProgram([gpxlogger, "-f", track, bench.server]))
    // Line by line, as it is ended by a signal.
    let listen = "exec stdbuf -oL \(gpspipe) -w \(bench.server) > \(reports)"
    let pipe = try #require(ChildProgram(["sh", "-c", listen]))
    #expect(try bench.becomesAsleep())
    let asleepAt = Clocks.utc()
    // Without a word for five seconds gpxlogger leaves.
    sleep(9)
    let wokenAt = Clocks.utc()
    let fix = try #require(
      ChildProgram(binnacle: ["fix", "--timeout", "100"] + bench.control))
    #expect(fix.wait() == 0)
    for _ in 0..<100 where (try read(track).times.last ?? asleepAt) < wokenAt { usleep(100_000) }
    #expect(logger.end(with: SIGINT) == 0)
    _ = pipe.end(with: SIGTERM)

    let (times, isWhole) = try read(track)
    #expect(isWhole)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    #expect(times.count { $0 < asleepAt } >= 2)
    #expect(times.count { $0 > wokenAt } >= 1)
    #expect(!times.contains { $0 > asleepAt && $0 < wokenAt })

    // What it was told meanwhile: the last fix as it was, several times, and nothing of a loss.
    let told = try solutions(reports).drop { $0.mode != 3 }
    let repeated = try #require(
      zip(told, told.dropFirst()).first { $0 == $1 }?.0, "no heartbeat: \(told)")
    #expect(told.count { $0 == repeated } >= 3)
    let last = try #require(told.lastIndex(of: repeated))
    #expect(told[...last].allSatisfy { $0.mode == 3 }, "\(told)")
  }

  static let tables: [(name: String, fields: String)] = [
    ("TPV", "time,lat,lon,altHAE"), ("SKY", "time,xdop,ydop,vdop,tdop,hdop,gdop,pdop"),
    ("SAT", "time,gnssid,svid,PRN,az,el,ss,used,health"),
  ]

  @Test("gpscsv makes tables of positions, dilutions and satellites")
  func gpscsv() throws {
    let bench = try GPSDBench()
    for (name, fields) in Self.tables {
      let lines = try bench.output(
        of: ["/usr/bin/gpscsv", "-c", name, "-n", "4", bench.server], seconds: 60)
      guard let lines else { return }
      #expect(lines.first == fields)
      // The first report may be of a receiver that has said nothing yet.
      let rows = lines.dropFirst().filter { !$0.hasPrefix(",") }.map { line in
        line.split(separator: ",", omittingEmptySubsequences: false)
      }
      let width = fields.split(separator: ",").count
      #expect(rows.allSatisfy { $0.count == width }, "\(lines)")
      #expect(Set(rows.map { $0[0] }).count >= 3, "an epoch each: \(lines)")
      if name == "TPV" { #expect(rows.allSatisfy { $0[1].hasPrefix("-49.") }) }
      // Ten of twelve are used.
      if name == "SAT" { #expect(rows.count == 48 && rows.count { $0[7] == "True" } == 40) }
    }
  }

  /// gpsprof has two more: `time` is of pulses, which no pseudo-terminal has, and `instrumented` of
  /// what gpsd measures of itself and only gpsd tells (`rtime`, `sor`, `chars`).
  static let plots = ["space", "polar", "polarused", "polarunused", "uninstrumented"]

  @Test("gpsprof plots what it gathers")
  func gpsprof() throws {
    let bench = try GPSDBench()
    for plot in Self.plots {
      let lines = try bench.output(
        of: ["/usr/bin/gpsprof", "-f", plot, "-n", "5", bench.server], seconds: 60)
      guard let lines else { return }
      let title = lines.first { $0.hasPrefix("set title") }
      #expect(title?.contains(bench.folder.path) == true, "\(plot): \(lines)")
      // Data: numbers only.
      let rows = lines.filter { line in
        let words = line.split { $0 == " " || $0 == "\t" }
        return !words.isEmpty
          && words.allSatisfy { Double($0) != nil || $0 == "True" || $0 == "False" }
      }
      #expect(rows.count >= 5, "\(plot): \(lines)")
    }
  }
}
