import Bytes
import GNSS
import Testing

@testable import ReceiverControl

/// Runs a hunt against a simulated line.
private struct Hunter {
  var hunt: BaudHunt
  let frames: [[UInt8]]
  let hasFrameErrors: Bool
  private(set) var commands: [BaudHunt.Command] = []
  private(set) var timer = Monotonic.never
  private var receiver = SimulatedLine.Receiver()
  private var counter: SimulatedLine.FrameCounter

  init(_ hunt: BaudHunt, frames: [[UInt8]], hasFrameErrors: Bool) {
    (self.hunt, self.frames, self.hasFrameErrors) = (hunt, frames, hasFrameErrors)
    counter = SimulatedLine.FrameCounter(frames)
    obey(self.hunt.handle(.start, at: .zero))
  }

  var time: Double { receiver.time }

  /// Reads every 8 ms, as a USB bridge hands its bytes over, until `limit` seconds or until the
  /// speed is proven.
  mutating func run(_ line: SimulatedLine, limit: Double, stopsWhenLocked: Bool = true) {
    while receiver.time < limit {
      let end = receiver.time + 0.008
      let (bytes, errors) = receiver.run(line, speed: Double(hunt.speed), until: end)
      let now = Monotonic(nanoseconds: Int64(receiver.time * 1e9))
      if now >= timer {
        timer = .never
        obey(hunt.handle(.timerFired, at: now))
      }
      guard !bytes.isEmpty else { continue }
      let activity = LineActivity(
        byteCount: bytes.count,
        transitionCount: bytes.withByteView { LineActivity.transitions(in: $0) },
        validFrameCount: counter.count(bytes), frameErrorCount: hasFrameErrors ? errors : nil)
      obey(hunt.handle(.received(activity), at: now))
      if stopsWhenLocked, hunt.isLocked { return }
    }
  }

  private mutating func obey(_ new: [BaudHunt.Command]) {
    commands += new
    for command in new {
      switch command {
      case .armTimer(let instant): timer = instant
      case .setSpeed: counter = SimulatedLine.FrameCounter(frames)
      case .locked, .gaveUp: break
      }
    }
  }
}

@Suite("Baud hunt") struct BaudHuntTests {
  /// One second of a receiver: 335 bytes, so that 4800 baud suffice.
  static let sentences = [
    "$GNRMC,120000.00,A,5954.83400,N,01045.25200,E,0.213,,301126,,,A*6D\r\n",
    "$GNGGA,120000.00,5954.83400,N,01045.25200,E,1,12,0.78,100.00,M,39.8,M,,*79\r\n",
    "$GNGSA,A,3,02,05,07,13,15,18,20,24,28,30,,,1.42,0.78,1.19,1*0C\r\n",
    "$GPGSV,3,1,11,02,36,271,41,05,31,196,38,07,06,345,30,13,70,224,44,1*62\r\n",
    "$GNGLL,5954.83400,N,01045.25200,E,120000.00,A,A*76\r\n",
  ].map { Array($0.utf8) }

  /// The same in UBX: much of it zeros, the hardest to tell from a line sampled too fast.
  static let ubxFrames: [[UInt8]] = [
    frame([0xb5, 0x62, 0x01, 0x07, 0x5c, 0x00], 94) { $0 % 4 == 0 ? $0 * 37 : 0 },
    frame([0xb5, 0x62, 0x01, 0x04, 0x12, 0x00], 20) { $0 % 2 == 0 ? $0 * 11 : 0 },
    frame([0xb5, 0x62, 0x01, 0x35, 0x80, 0x00], 130) { $0 % 3 != 0 ? $0 * 91 : 0 },
    [0xb5, 0x62, 0x01, 0x61, 0x04, 0x00, 0x68, 0x4a, 0x03, 0x1b, 0x36, 0x9e],
  ]

  private static func frame(_ header: [UInt8], _ count: Int, _ byte: (Int) -> Int) -> [UInt8] {
    var bytes = header
    for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: byte(index))) }
    return bytes
  }

  /// Seconds from the start to the first byte.
  static let phases = [0.03, 0.25, 0.41, 0.6, 0.77, 0.93]

  /// How long after the first byte the speed is proven, for each phase.
  private func times(
    speed: Int, frames: [[UInt8]], remembered: Int? = nil, current: Int = 9600,
    hasFrameErrors: Bool
  ) -> [Double] {
    Self.phases.map { phase in
      var hunter = Hunter(
        BaudHunt(remembered: remembered, current: current), frames: frames,
        hasFrameErrors: hasFrameErrors)
      hunter.run(
        SimulatedLine(senderSpeed: speed, epoch: frames.flatMap(\.self), phase: phase), limit: 60)
      #expect(hunter.commands.last == .locked(baud: speed))
      #expect(hunter.timer == .never)
      return hunter.time - phase
    }
  }

  @Test(
    "finds every common speed within 6 s, the defaults within 2 s, by frame errors",
    arguments: BaudHunt.commonSpeeds)
  func withFrameErrors(speed: Int) throws {
    for frames in [Self.sentences, Self.ubxFrames] {
      let times = times(speed: speed, frames: frames, hasFrameErrors: true).sorted()
      #expect(times[times.count - 1] < 6, "\(times)")
      if [9600, 38_400, 115_200].contains(speed) { #expect(times[3] < 2, "\(times)") }
    }
  }

  @Test(
    "finds every common speed within 8 s where no frame errors are counted",
    arguments: BaudHunt.commonSpeeds)
  func withoutFrameErrors(speed: Int) throws {
    for frames in [Self.sentences, Self.ubxFrames] {
      let times = times(speed: speed, frames: frames, hasFrameErrors: false).sorted()
      #expect(times[times.count - 1] < 8, "\(times)")
    }
  }

  @Test("the remembered speed is proven by its first frames", arguments: [4800, 9600, 230_400])
  func remembered(speed: Int) {
    for hasFrameErrors in [true, false] {
      let times = times(
        speed: speed, frames: Self.sentences, remembered: speed, hasFrameErrors: hasFrameErrors)
      #expect(times.allSatisfy { $0 < 0.4 }, "\(times)")
    }
  }

  @Test("a speed that another program set is tried before the common ones")
  func current() {
    let times = times(
      speed: 14_400, frames: Self.sentences, current: 14_400, hasFrameErrors: true)
    #expect(times.allSatisfy { $0 < 0.4 }, "\(times)")
  }

  @Test(
    "a line that pauses for 3 % of the time only is found too", arguments: [9600, 38_400, 115_200])
  func saturated(speed: Int) {
    let frames = Self.sentences
    let epoch = frames.flatMap(\.self)
    for hasFrameErrors in [true, false] {
      var hunter = Hunter(
        BaudHunt(remembered: 57_600, current: 9600), frames: frames,
        hasFrameErrors: hasFrameErrors)
      hunter.run(
        SimulatedLine(
          senderSpeed: speed, epoch: epoch, phase: 0,
          period: Double(epoch.count) * 10.3 / Double(speed)), limit: 30)
      #expect(hunter.commands.last == .locked(baud: speed))
      #expect(hunter.time < 8)
    }
  }

  @Test("silence is waited out without a timer, at the first speed")
  func silence() {
    var hunter = Hunter(
      BaudHunt(remembered: nil, current: 9600), frames: Self.sentences, hasFrameErrors: true)
    let epoch = Self.sentences.flatMap(\.self)
    hunter.run(SimulatedLine(senderSpeed: 115_200, epoch: epoch, phase: 1000), limit: 500)
    #expect(hunter.commands == [.setSpeed(115_200), .armTimer(.never)])
    hunter.run(SimulatedLine(senderSpeed: 115_200, epoch: epoch, phase: 510), limit: 520)
    #expect(hunter.commands.last == .locked(baud: 115_200))
  }

  @Test("what is no receiver is given up after two passes, for longer each time")
  func givesUp() {
    var hunt = BaudHunt(remembered: nil, current: 9600)
    // Text at a right speed, but no frames.
    let chatter = LineActivity(
      byteCount: 30, transitionCount: 140, validFrameCount: 0, frameErrorCount: 0)
    var commands = hunt.handle(.start, at: .zero)
    var timer = Monotonic.never
    var rests: [Duration] = []
    var tunings = 1
    for step in 1..<20_000 {
      let now = Monotonic.zero + .milliseconds(200 * step)
      commands = now >= timer ? hunt.handle(.timerFired, at: now) : []
      commands += hunt.handle(.received(chatter), at: now)
      for command in commands {
        switch command {
        case .armTimer(let instant): timer = instant
        case .setSpeed: tunings += 1
        case .gaveUp(let until):
          // Two passes over nine speeds, and the first once more to rest at.
          #expect(tunings == 19)
          #expect(hunt.speed == 115_200)
          tunings = 0
          rests.append(until - now)
        case .locked: Issue.record("proven by \(chatter)")
        }
      }
    }
    let expected: [Duration] = [30, 60, 120, 240, 480, 600, 600].map { .seconds($0) }
    #expect(Array(rests.prefix(7)) == expected)
    let frames = LineActivity(
      byteCount: 140, transitionCount: 600, validFrameCount: 2, frameErrorCount: 0)
    let end = Monotonic.zero + .seconds(4000)
    #expect(hunt.handle(.received(frames), at: end).last == .locked(baud: hunt.speed))
  }

  @Test("a receiver that falls back to another speed is found again")
  func loss() {
    let epoch = Self.sentences.flatMap(\.self)
    var hunter = Hunter(
      BaudHunt(remembered: 115_200, current: 9600), frames: Self.sentences, hasFrameErrors: true)
    hunter.run(SimulatedLine(senderSpeed: 115_200, epoch: epoch, phase: 0), limit: 10)
    #expect(hunter.hunt.isLocked)
    let fallenBack = SimulatedLine(senderSpeed: 9600, epoch: epoch, phase: 0)
    hunter.run(fallenBack, limit: 11, stopsWhenLocked: false)
    #expect(hunter.hunt.isLocked)
    hunter.run(fallenBack, limit: 30, stopsWhenLocked: false)
    #expect(hunter.commands.last == .locked(baud: 9600))
    #expect(hunter.hunt.speed == 9600)
  }

  @Test("a pause of an hour does not unsettle a proven speed")
  func longPause() {
    var hunt = BaudHunt(remembered: 9600, current: 9600)
    let start = Monotonic.zero
    _ = hunt.handle(.start, at: start)
    let frames = LineActivity(
      byteCount: 140, transitionCount: 600, validFrameCount: 2, frameErrorCount: 0)
    let part = LineActivity(
      byteCount: 200, transitionCount: 900, validFrameCount: 0, frameErrorCount: 0)
    #expect(hunt.handle(.received(frames), at: start).last == .locked(baud: 9600))
    #expect(hunt.handle(.received(part), at: start + .seconds(3600)) == [])
    #expect(hunt.handle(.received(part), at: start + .seconds(3601)) == [])
    #expect(hunt.handle(.received(frames), at: start + .seconds(3604)) == [])
    #expect(hunt.isLocked)
  }

  @Test("nothing happens before the start, or at a stray timer")
  func stray() {
    var hunt = BaudHunt(remembered: nil, current: 9600)
    let some = LineActivity(
      byteCount: 1, transitionCount: 1, validFrameCount: 9, frameErrorCount: 9)
    #expect(hunt.handle(.timerFired, at: .zero) == [])
    #expect(hunt.handle(.received(some), at: .zero) == [])
    _ = hunt.handle(.start, at: .zero)
    #expect(hunt.handle(.timerFired, at: .never) == [])
  }

  @Test("speeds that are none are not tried", arguments: [0, -1, Int.min])
  func badSpeeds(speed: Int) {
    var hunt = BaudHunt(remembered: speed, current: speed)
    #expect(hunt.handle(.start, at: .zero).first == .setSpeed(115_200))
  }

  @Test(
    "changes of level are those on the line",
    arguments: [
      // Start bit, eight bits from the least on, stop bit: 0 00000000 1, 0 11111111 1, and so on.
      ([0x00], 1), ([0xff], 1), ([0x55], 9), ([0xaa], 7), ([0x0f], 3), ([0xf0], 1), ([], 0),
      ([0x00, 0x55], 10),
    ] as [([UInt8], Int)])
  func transitions(bytes: [UInt8], count: Int) {
    #expect(bytes.withByteView { LineActivity.transitions(in: $0) } == count)
  }
}
