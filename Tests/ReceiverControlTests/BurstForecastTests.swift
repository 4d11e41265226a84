import GNSS
import ReceiverControl
import Testing

/// Plays a line on which bytes arrive in pieces, and reads it as the forecast says.
private struct PacedLine {
  var forecast: BurstForecast
  private(set) var now = Monotonic.zero
  private(set) var wakeUpCounts: [Int] = []
  /// From the last byte of each epoch to when it was read.
  private(set) var delays: [Duration] = []
  private(set) var firstByteDelays: [Duration] = []
  private var time = UTCTime(microseconds: 1_800_000_000_000_000)

  init(savesPower: Bool) { forecast = BurstForecast(savesPower: savesPower) }

  /// One burst of pieces that arrive `spacing` apart, in epochs `interval` apart.
  mutating func play(pieces: Int, spacing: Duration, interval: Duration, byteCount: Int = 16) {
    let start = now + .milliseconds(1)
    let arrivals = (1...pieces).map { start + spacing * $0 }
    var (next, wakeUps) = (0, 0)
    var firstRead: Monotonic?
    while next < pieces {
      // Woken by the end of the wait, or by the next piece.
      now = max(forecast.holdEnd ?? arrivals[next], now)
      if forecast.holdEnd != nil { forecast.holdEnded(at: now) }
      wakeUps += 1
      let instant = now
      let read = arrivals[next...].prefix { $0 <= instant }.count
      guard read > 0 else { continue }
      next += read
      firstRead = firstRead ?? instant
      forecast.received(read * byteCount, at: instant)
      guard next == pieces else { continue }
      var epoch = Epoch()
      epoch.lastByte = instant
      epoch.fix.time = time
      forecast.closed(epoch, at: instant)
    }
    wakeUpCounts.append(wakeUps)
    delays.append(now - arrivals[pieces - 1])
    firstByteDelays.append((firstRead ?? now) - arrivals[0])
    now = max(now, start + (interval - .milliseconds(1)))
    time = time + interval
  }
}

@Suite("Burst forecast") struct BurstForecastTests {
  struct Line: Sendable {
    let pieces: Int
    let spacing: Duration
    let interval: Duration
  }

  static let lines = [
    // 9600 baud, 590 bytes in pieces of 16; 921,600 baud, 538 bytes in pieces of 64.
    Line(pieces: 37, spacing: .microseconds(16_667), interval: .seconds(1)),
    Line(pieces: 9, spacing: .microseconds(694), interval: .milliseconds(40)),
  ]

  @Test("fewer than half of the pieces wake us, and nothing is read later", arguments: lines)
  func prompt(on line: Line) {
    var played = PacedLine(savesPower: false)
    for _ in 0..<200 {
      played.play(pieces: line.pieces, spacing: line.spacing, interval: line.interval)
    }
    #expect(played.delays.allSatisfy { $0 == .zero })
    #expect(played.firstByteDelays.allSatisfy { $0 == .zero })
    #expect(played.wakeUpCounts.prefix(16).allSatisfy { $0 == line.pieces })
    #expect(played.wakeUpCounts.suffix(100).allSatisfy { $0 * 2 < line.pieces })
  }

  @Test("with power saving there is hardly more than one wake-up an epoch", arguments: lines)
  func saving(on line: Line) {
    var played = PacedLine(savesPower: true)
    for _ in 0..<400 {
      played.play(pieces: line.pieces, spacing: line.spacing, interval: line.interval)
    }
    let settled = played.wakeUpCounts.suffix(200)
    #expect(Double(settled.reduce(0, +)) / 200 < 2)
    #expect(played.delays.allSatisfy { $0 <= .milliseconds(20) })
  }

  @Test("a burst that gets shorter is late for some epochs, not for good")
  func shorter() {
    var played = PacedLine(savesPower: false)
    for pieces in [Int](repeating: 37, count: 40) + [Int](repeating: 25, count: 40) {
      played.play(pieces: pieces, spacing: .microseconds(16_667), interval: .seconds(1))
    }
    #expect(played.delays[40] > .zero)
    #expect(played.delays.suffix(30).allSatisfy { $0 == .zero })
  }

  @Test("an epoch that only silence ended makes it read everything at once")
  func missed() {
    var played = PacedLine(savesPower: true)
    for _ in 0..<40 {
      played.play(pieces: 9, spacing: .milliseconds(1), interval: .milliseconds(100))
    }
    #expect(played.forecast.holdEnd != nil)
    played.forecast.missed()
    #expect(played.forecast.holdEnd == nil)
    played.forecast.received(64, at: played.now)
    #expect(played.forecast.holdEnd == nil)
  }

  @Test("a burst larger than a terminal's buffer is read before that is full")
  func large() {
    var played = PacedLine(savesPower: true)
    for _ in 0..<40 {
      played.play(
        pieces: 100, spacing: .milliseconds(1), interval: .milliseconds(200), byteCount: 64)
    }
    #expect(played.forecast.holdEnd == nil)
    let start = played.now
    played.forecast.received(64, at: start)
    // 3072 of 6400 bytes.
    #expect(played.forecast.holdEnd.map { $0 - start <= .milliseconds(48) } == true)
  }
}
