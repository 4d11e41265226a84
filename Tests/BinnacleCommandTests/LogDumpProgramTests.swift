import Bytes
import GNSS
import Glibc
import LinuxIO
import Testing

@testable import BinnacleCommand

/// `log-dump` as a program: followed, interrupted, and read by somebody who stops reading.
@Suite("Log dump, the program") struct LogDumpProgramTests {
  @Test("following shows a record soon after it was logged, and ends well-formed")
  func follow() throws {
    let ring = try TemporaryRing()
    ring.append(20, from: "2026-10-14T05:00:00Z")
    let program = try #require(
      ChildProgram(binnacle: ["log-dump", "--log", ring.path, "--follow", "--format", "gpx"]))
    var points = 0
    while points < 10, let line = program.nextLine() { points += line.contains("<trkpt") ? 1 : 0 }
    let start = Clocks.monotonic()
    ring.append(1, from: "2026-10-14T05:00:20Z")
    let line = program.nextLine()
    #expect(line?.contains("2026-10-14T05:00:20.000Z") == true)
    #expect((Clocks.monotonic() - start) < .milliseconds(900), "not by the one-second poll")
    #expect(program.end(with: SIGTERM) == 0)
    #expect(program.nextLine() == "</trkseg></trk>")
    #expect(program.nextLine() == "</gpx>")
  }

  static let documents: [(format: String, point: String, end: String)] = [
    ("gpx", "<trkpt ", "</gpx>"), ("kml", "<gx:coord>", "</kml>"), ("geojson", "", "]}"),
    ("html", "", "</script></body></html>"), ("csv", "2026-", ""), ("json", "\"fix\"", "}"),
  ]

  @Test("interrupted it closes what it opened", arguments: documents)
  func interrupted(format: String, point: String, end: String) throws {
    let ring = try TemporaryRing()
    ring.append(12_000, from: "2026-10-14T00:00:00Z", accuracy: 3)
    let program = try #require(
      ChildProgram(binnacle: ["log-dump", "--log", ring.path, "--format", format]))
    // The pipe is full by then and the program waits; it sees the signal when it goes on.
    let first = try #require(program.nextLine())
    usleep(300_000)
    kill(program.processID, SIGINT)
    let lines = [first] + program.allLines()
    #expect(program.wait() == 0)
    #expect(lines.last?.hasSuffix(end) == true)
    guard !point.isEmpty else { return }
    let count = lines.filter { $0.contains(point) }.count
    #expect(count > 0 && count < 12_000, "\(count)")
  }

  @Test("a reader that has enough ends it, quietly and well")
  func pipe() throws {
    let ring = try TemporaryRing()
    ring.append(12_000, from: "2026-10-14T00:00:00Z")
    let folder = try #require(ChildProgram.folder)
    let dump = "'\(folder)/binnacle' log-dump --log '\(ring.path)' --format csv"
    let shell = try #require(
      ChildProgram(["/bin/sh", "-c", "{ \(dump); echo \"exit $?\" >&2; } | head -n 1"]))
    let lines = shell.allLines()
    #expect(lines.count == 2)
    #expect(lines.contains("exit 0") && lines.contains { $0.hasPrefix("time,mode,") })
  }

  /// Places as GeoNames has them: 19 columns, most of them empty.
  static let geoNames = [
    ("1", "Nova Ves", "50.0001", "20.0"), ("2", "Stary \"Dub\"", "51", "20.0"),
    ("3", "As it is", "39.915", "116.404"), ("4", "As drawn", "39.9164", "116.4102"),
  ]
  .map { id, name, latitude, longitude in
    "\(id)\t\(name)\t\(name)\t\t\(latitude)\t\(longitude)\tP\tPPL\tPL\t\t77\t\t\t\t1500\t\t60"
      + "\tEurope/Warsaw\t2024-01-01"
  }

  /// What a dump of `ring` prints that names places.
  private func dumpNamingPlaces(
    _ ring: TemporaryRing, format: String, _ more: [String] = []
  ) throws -> [String] {
    let (names, index) = (ring.folder + "/names.txt", ring.folder + "/names.index")
    SimulateCommandTests.write(Self.geoNames.joined(separator: "\n") + "\n", to: names)
    defer { for path in [names, index] { unlink(path) } }
    let imported = ChildProgram(binnacle: ["places", "import", names, "--output", index])
    #expect(imported?.wait() == 0)
    let arguments = [
      "log-dump", "--log", ring.path, "--format", format, "--places", "--index", index,
    ]
    let program = try #require(ChildProgram(binnacle: arguments + more))
    let lines = program.allLines()
    #expect(program.wait() == 0)
    return lines
  }

  @Test("each fix is named after the place next to it", arguments: ["text", "json", "csv"])
  func places(format: String) throws {
    let ring = try TemporaryRing()
    ring.append(1, from: "2026-10-14T05:00:00Z")
    let lines = try dumpNamingPlaces(ring, format: format)
    let last = try #require(lines.last)
    switch format {
    case "csv":
      #expect(lines[0].hasSuffix(",receiver,place"))
      #expect(last.hasSuffix(#",u-blox boat,"Nova Ves, 77, PL""#))
    case "json": #expect(last.contains(#""place":{"name":"Nova Ves""#))
    default: #expect(last.contains(" of Nova Ves, 77, PL"))
    }
  }

  /// The shift is worked out in `ChineseDatumTests`.
  @Test("a place is that of the position as it is, whatever datum the dump draws it in")
  func placeInOtherDatum() throws {
    let ring = try TemporaryRing()
    var fix = Fix()
    (fix.time, fix.mode) = (UTCTime(iso8601: "2026-10-14T05:00:00Z"), .threeD)
    fix.position = Coordinate(latitude: 39.915, longitude: 116.404)
    ring.append(.fix(fix, TemporaryRing.boat))
    let lines = try dumpNamingPlaces(ring, format: "csv", ["--datum", "gcj02"])
    let last = try #require(lines.last)
    #expect(last.contains(",39.916404282,116.410244499,"))
    #expect(last.hasSuffix(#","As it is, 77, PL""#))
  }
}
