import GNSS
import Testing

@testable import TerminalView

@Suite("Watch screen") struct WatchScreenTests {
  private static func satellite(
    _ constellation: Constellation, _ svid: UInt8, elevation: Int8, azimuth: Int16, cn0: UInt8,
    isUsed: Bool = true
  ) -> Satellite {
    var satellite = Satellite(constellation: constellation, svid: svid)
    (satellite.elevation, satellite.azimuth, satellite.cn0) = (elevation, azimuth, cn0)
    satellite.isUsed = isUsed
    return satellite
  }

  private static func state() throws -> WatchState {
    var state = WatchState()
    var fix = Fix()
    fix.time = UTCTime(iso8601: "2026-10-14T10:11:12Z")
    (fix.mode, fix.status, fix.dateSource) = (.threeD, .dgps, .receiver)
    fix.position = Coordinate(latitude: -49.5, longitude: 70.25)
    (fix.altitudeMSL, fix.speed, fix.course) = (12.3, 2.5, 44)
    (fix.horizontalAccuracy, fix.verticalAccuracy) = (2.1, 4.4)
    state.fix = fix
    state.now = fix.time
    state.satellites = [
      satellite(.gps, 5, elevation: 90, azimuth: 0, cn0: 50),
      satellite(.galileo, 11, elevation: 0, azimuth: 90, cn0: 10),
      satellite(.glonass, 7, elevation: 45, azimuth: 180, cn0: 30, isUsed: false),
    ]
    var receiver = WatchState.Receiver()
    (receiver.model, receiver.node, receiver.baud) = ("u-blox MAX-M10S", "/dev/ttyACM0", 9600)
    receiver.power = .tracking
    state.receiver = receiver
    state.timeline = [.asleep, .acquiring, .tracking, .tracking]
    return state
  }

  private func lines(
    _ state: WatchState, _ columnCount: Int = 80, _ rowCount: Int = 24,
    _ style: TerminalStyle = CanvasTests.rich
  ) -> [String] {
    WatchScreen.page(state, columnCount: columnCount, rowCount: rowCount, style: style).lines
  }

  @Test("80 columns and 24 rows hold everything")
  func everything() throws {
    let page = lines(try Self.state())
    #expect(page.count == 24)
    #expect(page.allSatisfy { $0.unicodeScalars.count <= 80 })
    let text = page.joined(separator: "\n")
    let wanted = [
      "3D fix, dgps", "49.5000000° S", "70.2500000° E", "12.3 m above sea", "±2.1 m, height ±4.4 m",
      "2.5 m/s (9.0 km/h)", "44° NE", "2026-10-14 10:11:12", "2 of 3 used", "u-blox MAX-M10S",
      "/dev/ttyACM0, 9600 baud", "tracking", "q leave", "power over the last 40 s",
    ]
    for part in wanted { #expect(text.contains(part), "\(part)") }
  }

  @Test("without Unicode every character is ASCII")
  func ascii() throws {
    let page = lines(try Self.state(), 80, 24, CanvasTests.plain)
    #expect(page.allSatisfy { line in line.utf8.allSatisfy { $0 < 0x80 } })
    // What could not be shown would be a question mark.
    #expect(page.dropLast().allSatisfy { !$0.contains("?") })
    #expect(page.joined().contains("49.5000000 deg S"))
  }

  @Test("satellites stand where the sky has them: zenith, east, halfway to the south")
  func sky() throws {
    var canvas = Canvas(columnCount: 45, rowCount: 21, style: CanvasTests.plain)
    SkyPlot(satellites: try Self.state().satellites).draw(
      on: &canvas, row: 0, column: 0, rowCount: 21, columnCount: 45)
    func place(_ name: String) -> (row: Int, column: Int)? {
      for (row, line) in canvas.lines.enumerated() {
        let characters = Array(line)
        for column in characters.indices.dropLast(2)
        where String(characters[column..<column + 3]) == name { return (row, column + 1) }
      }
      return nil
    }
    // 21 rows: the middle is row 10, the horizon 10 rows, 20 columns, away.
    #expect(try #require(place("G05")) == (10, 22))
    #expect(try #require(place("E11")) == (10, 42))
    #expect(try #require(place("R07")) == (15, 22))
  }

  @Test("bars are as high as the signals are strong, and grouped")
  func bars() throws {
    var canvas = Canvas(columnCount: 12, rowCount: 6, style: CanvasTests.plain)
    SignalBars(satellites: try Self.state().satellites).draw(
      on: &canvas, row: 0, column: 0, rowCount: 6, columnCount: 12)
    // 50 dB-Hz fill four rows, 10 none, 30 two.
    #expect(canvas.lines == ["##", "##", "##    ##", "##    ##", "05 11 07", "GP GA GL"])
  }

  @Test("a lost fix leaves the last position, greyed, and says that it was")
  func lost() throws {
    var state = try Self.state()
    state.lastPosition = state.fix?.position
    var fix = Fix()
    fix.mode = .none
    state.fix = fix
    let text = lines(state).joined(separator: "\n")
    #expect(text.contains("no fix"))
    #expect(text.contains("was at"))
  }

  @Test("any size and any values are a page")
  func sizes() throws {
    var random = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: .min ... .max, using: &random)
    print("seed \(seed)")
    var generator = SplitMix(state: seed)
    for _ in 0..<400 {
      var state = try Self.state()
      state.fix?.speed = Double(bitPattern: generator.next())
      state.fix?.course = Double(bitPattern: generator.next())
      state.fix?.position?.latitude = Double(bitPattern: generator.next())
      state.satellites = (0..<generator.next() % 140).map { _ in
        Self.satellite(
          Constellation.allCases[Int(generator.next() % 8)],
          UInt8(truncatingIfNeeded: generator.next()),
          elevation: Int8(truncatingIfNeeded: generator.next()),
          azimuth: Int16(truncatingIfNeeded: generator.next()),
          cn0: UInt8(truncatingIfNeeded: generator.next()))
      }
      state.timeline = Array(repeating: .asleep, count: Int(generator.next() % 500))
      state.showsHelp = generator.next() % 8 == 0
      let (width, height) = (Int(generator.next() % 200), Int(generator.next() % 70))
      let page = lines(state, width, height)
      #expect(page.count == height)
      #expect(page.allSatisfy { $0.unicodeScalars.count <= width })
    }
  }

  /// SplitMix64.
  private struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var z = state
      z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
      z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
      return z ^ (z >> 31)
    }
  }
}
