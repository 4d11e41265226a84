import GNSS
import Testing

@testable import ReceiverSimulator

@Suite("GPX reader") struct GPXReaderTests {
  static func read(_ text: String, chunk: Int = 4096) throws -> (GPXReader, isCutShort: Bool) {
    try read(Array(text.utf8), chunk: chunk)
  }

  static func read(_ bytes: [UInt8], chunk: Int = 4096) throws -> (GPXReader, isCutShort: Bool) {
    var reader = GPXReader()
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      try reader.feed(Array(bytes[start..<min(start + chunk, bytes.count)]))
    }
    let isCutShort = try reader.finish()
    return (reader, isCutShort)
  }

  /// Legal XML in unusual dress, all of it one point at 49.1 S 70.1 E, 12.5 m, 05:00:00.
  static let dresses: [String] = [
    #"<gpx><trk><trkseg><trkpt lat="-49.1" lon="70.1"><ele>12.5</ele>"#
      + "<time>2026-10-14T05:00:00Z</time></trkpt></trkseg></trk></gpx>",
    "\u{feff}<?xml version='1.0' encoding='UTF-8'?><!DOCTYPE gpx [<!ENTITY a \"<b>\">]>"
      + "<g:gpx xmlns:g='x'><g:trk><g:name>A&amp;B &lt;1&gt;</g:name><g:trkseg>"
      + "<g:trkpt\n lon = '70.1'\n lat='-49.1' ><g:ele>12.5</g:ele>"
      + "<g:time>2026-10-14T05:00:00Z</g:time></g:trkpt></g:trkseg></g:trk></g:gpx>",
    "<gpx><metadata><time>1999-01-01</time></metadata><!-- <trkpt> -- - -> --><rte>"
      + "<name><![CDATA[<trkpt>]]]]></name><rtept lon=\"&#55;0&#46;1\" lat=\"-49.1\">"
      + "<extensions><ele>9</ele><time>never</time></extensions>"
      + "<ele> 12<![CDATA[.]]>5\n</ele><time><!-- -->2026-10-14T07:00:00+02:00</time>"
      + "<desc>a > b</desc></rtept></rte></gpx>",
    "<gpx><wpt lat='1' lon='2'><time>2020-01-01T00:00:00Z</time></wpt><trk><trkseg/><trkseg>"
      + "<trkpt a='>' lat='-49.1' lon='70.1'><ele>12.5</ele><time>2026-10-14T05:00:00Z</time>"
      + "<?hint?></trkpt></trkseg></trk></gpx>",
  ]

  @Test("reads XML in any dress, cut anywhere", arguments: dresses, [1, 2, 3, 4096])
  func dress(text: String, chunk: Int) throws {
    let (reader, isCutShort) = try Self.read(text, chunk: chunk)
    let point = GPXPoint(
      coordinate: Coordinate(latitude: -49.1, longitude: 70.1), altitude: 12.5,
      time: UTCTime(iso8601: "2026-10-14T05:00:00Z"))
    #expect(reader.segments == [[point]])
    #expect(!isCutShort)
  }

  @Test("offsets and fractions of times count")
  func times() throws {
    let times = [
      "2026-03-19T15:49:10-07:00", "2026-03-19T22:49:11Z", "2026-03-19T22:49:12.250Z",
      "2026-03-20T00:19:13.5+01:30",
    ]
    let points = times.map { "<trkpt lat='1' lon='2'><time>\($0)</time></trkpt>" }.joined()
    let (reader, _) = try Self.read("<gpx><trk><trkseg>\(points)</trkseg></trk></gpx>")
    #expect(
      reader.segments.joined().map { $0.time?.iso8601 } == [
        "2026-03-19T22:49:10.000Z", "2026-03-19T22:49:11.000Z", "2026-03-19T22:49:12.250Z",
        "2026-03-19T22:49:13.500Z",
      ])
  }

  @Test("all tracks, segments and routes count; empty ones do not")
  func segments() throws {
    let point = "<trkpt lat='1' lon='2'/>"
    let (reader, _) = try Self.read(
      "<gpx><trk><trkseg>\(point)\(point)</trkseg><trkseg></trkseg><trkseg>\(point)</trkseg></trk>"
        + "<trk><trkseg>\(point)</trkseg></trk><rte><rtept lat='1' lon='2'/></rte></gpx>")
    #expect(reader.segments.map(\.count) == [2, 1, 1, 1])
  }

  @Test("a file without its end gives what it has")
  func cutShort() throws {
    let whole = "<gpx><trk><trkseg><trkpt lat='1' lon='2'></trkpt><trkpt lat='3' lon='4'>"
    let (reader, isCutShort) = try Self.read(whole + "<time>2026-")
    #expect(reader.pointCount == 1)
    #expect(isCutShort)
  }

  static let refused: [(text: String, error: GPXError)] = [
    ("", .notGPX(root: "")), ("hello", .notGPX(root: "")),
    ("<html><body/></html>", .notGPX(root: "html")), ("<gpx></gpx>", .noPoints),
    ("<gpx>\n<trkpt lon='1'/>", .badCoordinate(line: 2)),
    ("<gpx><trkpt lat='91' lon='1'/>", .badCoordinate(line: 1)),
    ("<gpx><trkpt lat='nan' lon='1'/>", .badCoordinate(line: 1)),
    ("<gpx><trkpt lat='1' lon='181'/>", .badCoordinate(line: 1)),
    ("<gpx><trkpt lat=1 lon='1'/>", .badCoordinate(line: 1)),
    (
      "<gpx><trkpt lat='1' lon='1'><time>noon</time>", .badTime(line: 1, text: "noon")
    ),
    ("<gpx><trk></gpx>", .malformed(line: 1, .mismatch)),
    ("</gpx>", .malformed(line: 1, .mismatch)),
    ("<gpx><>", .malformed(line: 1, .namelessTag)),
    ("<gpx <trk>", .malformed(line: 1, .unclosedTag)),
    ("<gpx>" + String(repeating: "<a>", count: 64), .malformed(line: 1, .deep)),
    ("<gpx " + String(repeating: "a", count: 20_000), .malformed(line: 1, .longTag)),
  ]

  @Test("refuses what is no track, and says where", arguments: refused)
  func refuses(text: String, error: GPXError) {
    #expect(throws: error) { try Self.read(text) }
  }

  @Test("refuses UTF-16", arguments: [true, false])
  func utf16(isBigEndian: Bool) {
    let bytes = "<?xml version='1.0'?><gpx></gpx>".utf16.flatMap { unit in
      let pair = [UInt8(unit >> 8), UInt8(unit & 255)]
      return isBigEndian ? pair : pair.reversed()
    }
    #expect(throws: GPXError.malformed(line: 1, .encoding)) { try Self.read(bytes) }
  }

  @Test("entities that a document type declares stay unexpanded")
  func entities() throws {
    let (reader, _) = try Self.read(
      "<!DOCTYPE gpx [<!ENTITY a 'aaaaaaaa'><!ENTITY b '&a;&a;&a;'>]>"
        + "<gpx><trkpt lat='1' lon='2'><ele>&b;</ele></trkpt></gpx>")
    #expect(reader.segments.first?.first?.altitude == nil)
  }

  @Test("damaged files never trap", arguments: 0..<40)
  func damaged(seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    for _ in 0..<25 {
      var bytes = Array((Self.dresses.randomElement(using: &random) ?? "").utf8)
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[index] = UInt8.random(in: .min ... .max, using: &random)
        case 1: bytes.remove(at: index)
        case 2:
          bytes.insert(Array("<>&;'\"/!-[]?".utf8).randomElement(using: &random) ?? 0, at: index)
        default: bytes.append(contentsOf: bytes[index...])
        }
      }
      guard let (reader, _) = try? Self.read(bytes) else { continue }
      #expect(reader.segments.joined().allSatisfy { $0.coordinate.isValid }, "seed \(seed)")
    }
  }
}

/// Random numbers that are the same for the same seed. Source: Steele, Lea, Flood, "Fast splittable
/// pseudorandom number generators", 2014.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}
