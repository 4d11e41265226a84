import GNSS
import GPSDProtocol
import LinuxIO
import Testing

@testable import BinnacleDaemon

@Suite("Time keeper") struct TimeKeeperTests {
  /// A machine whose clock is 0.3 s ahead of UTC, and a receiver whose epochs come 0.1 s late.
  struct Bench {
    var keeper = TimeKeeper(device: "/dev/ttyS0", mayStep: false, acceptsSimulated: false)
    var isSynchronised = true
    var aheadBy = Duration.milliseconds(300)
    static let start = UTCTime(seconds: 1_791_972_672)

    /// The epoch of `second` after the start, and perhaps the pulse at its top.
    mutating func epoch(
      _ second: Double, leap: Int64 = 0, pulse: (sequence: UInt32, second: Double)? = nil,
      _ change: (inout Fix) -> Void = { _ in }
    ) -> [TimeKeeper.Command] {
      let arrival = Self.start + .seconds(second) + .milliseconds(100)
      let boottime =
        Monotonic(nanoseconds: 50_000_000_000) + (.seconds(second) + .milliseconds(100))
      var epoch = Epoch()
      epoch.fix.time = Self.start + .seconds(second) + .seconds(leap)
      (epoch.fix.mode, epoch.fix.dateSource) = (.threeD, .receiver)
      epoch.fix.position = Coordinate(latitude: 1, longitude: 2)
      change(&epoch.fix)
      epoch.firstByte = boottime
      let seen = pulse.map { pulse in
        let clock = Self.start + .seconds(pulse.second) + aheadBy - UTCTime(seconds: 0)
        return PulseSource.Pulse(clock: clock.wholeNanoseconds, sequence: pulse.sequence)
      }
      // It is handled 40 ms after its first byte.
      let now = Now(
        monotonic: boottime + .milliseconds(40), system: arrival + aheadBy + .milliseconds(40),
        isSynchronised: isSynchronised)
      return keeper.epoch(epoch, pulse: seen, at: now)
    }

    static func sample(_ second: Int64, clock: Duration) -> ClockSample {
      let real = start + .seconds(second) - UTCTime(seconds: 0)
      return ClockSample(
        device: "/dev/ttyS0", real: real.wholeNanoseconds,
        clock: (real + clock).wholeNanoseconds, precision: -2)
    }
  }

  @Test("after four epochs in three seconds that agree, one sample a second")
  func settling() {
    var bench = Bench()
    for second in 0...2 { #expect(bench.epoch(Double(second)) == []) }
    for second: Int64 in 3...5 {
      let sample = Bench.sample(second, clock: .milliseconds(400))
      #expect(bench.epoch(Double(second)) == [.sample(sample)])
    }
  }

  @Test("ten epochs a second are settled as long, and give one sample a second")
  func fast() {
    var bench = Bench()
    let counts = (0..<60).map { bench.epoch(Double($0) / 10).count }
    #expect(counts.prefix(30).allSatisfy { $0 == 0 })
    #expect(counts.dropFirst(30).reduce(0, +) == 3)
  }

  @Test("leap seconds that come late start it over")
  func lateLeap() {
    var bench = Bench()
    for second in 0...5 { _ = bench.epoch(Double(second), leap: 2) }
    for second in 6...8 { #expect(bench.epoch(Double(second)) == []) }
    #expect(bench.epoch(9).count == 1)
  }

  static let untrusted: [(name: String, change: @Sendable (inout Fix) -> Void)] = [
    ("no fix", { $0.mode = .none }), ("no date", { $0.time = nil }),
    ("the host's date", { $0.dateSource = .hostClock }),
    ("leap second", { $0.isLeapSecond = true }),
    ("simulated", { $0.status = .simulated }),
    ("far future", { $0.time = UTCTime(seconds: 253_000_000_000) }),
  ]

  @Test("what is not trusted", arguments: untrusted.map(\.name))
  func refused(name: String) throws {
    let change = try #require(Self.untrusted.first { $0.name == name }?.change)
    var bench = Bench()
    for second in 0...9 { #expect(bench.epoch(Double(second), change) == []) }
  }

  @Test("a solution of time alone counts; so does a simulated one where allowed")
  func timeOnly() {
    var bench = Bench()
    for second in 0...3 {
      let commands = bench.epoch(Double(second)) { ($0.mode, $0.status) = (.none, .time) }
      #expect(commands.count == (second == 3 ? 1 : 0))
    }
    bench.keeper = TimeKeeper(device: "/dev/ttyS0", mayStep: false, acceptsSimulated: true)
    for second in 0...3 {
      let commands = bench.epoch(Double(second)) { $0.status = .simulated }
      #expect(commands.count == (second == 3 ? 1 : 0))
    }
  }

  @Test("a pulse gets the second of the epoch that follows it")
  func pulses() {
    var bench = Bench()
    for second in 0...3 {
      _ = bench.epoch(Double(second), pulse: (UInt32(second), Double(second)))
    }
    let commands = bench.epoch(4, pulse: (4, 4))
    var pulse = Bench.sample(4, clock: .milliseconds(300))
    pulse.precision = -20
    #expect(commands == [.pulse(pulse), .sample(Bench.sample(4, clock: .milliseconds(400)))])
    // The same pulse again, as the next one was missed.
    #expect(bench.epoch(5, pulse: (4, 4)).count == 1)
    // Two later: the count tells.
    #expect(bench.epoch(6, pulse: (6, 6)).count == 2)
    // Ten a second: which is which?
    #expect(bench.epoch(7, pulse: (16, 7)).count == 1)
    // Pulses that stand still, or were stamped by a clock that was set.
    #expect(bench.epoch(8, pulse: (17, 7.5)).count == 1)
    // An epoch between the seconds has no pulse of its own.
    _ = bench.epoch(9, pulse: (18, 9))
    #expect(bench.epoch(10.2, pulse: (19, 10)).count == 1)
  }

  @Test("a clock that nothing keeps is stepped once, if asked for and if it is wrong")
  func step() {
    var bench = Bench()
    bench.keeper = TimeKeeper(device: "/dev/ttyS0", mayStep: true, acceptsSimulated: false)
    (bench.isSynchronised, bench.aheadBy) = (false, .seconds(-86_400))
    for second in 0...2 { #expect(bench.epoch(Double(second)) == []) }
    #expect(bench.epoch(3) == [.step(.seconds(86_400) - .milliseconds(100))])
    #expect(bench.epoch(4).count == 1)

    for (isSynchronised, aheadBy) in [(true, Duration.seconds(5)), (false, .milliseconds(300))] {
      bench.keeper = TimeKeeper(device: "/dev/ttyS0", mayStep: true, acceptsSimulated: false)
      (bench.isSynchronised, bench.aheadBy) = (isSynchronised, aheadBy)
      for second in 10...12 { _ = bench.epoch(Double(second)) }
      guard case .sample = bench.epoch(13).first else {
        Issue.record("stepped")
        continue
      }
    }
  }
}
