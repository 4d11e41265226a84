import FixLog
import GNSS
import Testing

@testable import BinnacleDaemon

@Suite("Gap watch") struct GapWatchTests {
  private func at(_ seconds: Double) -> Monotonic {
    Monotonic(nanoseconds: Int64(seconds * 1e9))
  }

  @Test("a steady stream has no gap")
  func steady() {
    var watch = GapWatch()
    for second in 0..<100 {
      #expect(watch.fix(time: nil, boottime: at(Double(second)), rejectedCount: 0) == nil)
    }
  }

  @Test("a hole is told once, with its strongest cause and what was refused in it")
  func hole() {
    var watch = GapWatch()
    let (from, to) = (UTCTime(seconds: 1000), UTCTime(seconds: 1062))
    _ = watch.fix(time: UTCTime(seconds: 999), boottime: at(9), rejectedCount: 2)
    _ = watch.fix(time: from, boottime: at(10), rejectedCount: 2)
    watch.note(.noFix)
    watch.note(.detached)
    watch.note(.silence)
    #expect(
      watch.fix(time: to, boottime: at(72), rejectedCount: 7)
        == .init(from: from, to: to, span: .seconds(62), cause: .detached, rejectedCount: 5))
    #expect(watch.fix(time: nil, boottime: at(73), rejectedCount: 7) == nil)
  }

  @Test("a slow receiver's epochs are no holes")
  func slow() {
    var watch = GapWatch()
    for minute in 0..<5 {
      let gap = watch.fix(time: nil, boottime: at(Double(minute) * 60), rejectedCount: 0)
      #expect(gap == nil)
    }
  }
}

@Suite("Clock watch") struct ClockWatchTests {
  @Test("a record comes first, after an hour, and when UTC jumps")
  func records() {
    var watch = ClockWatch()
    var written: [Int64] = []
    for second in Int64(0)...7300 {
      let jump: Int64 = second >= 5000 ? 18 : 0
      let record = watch.fix(
        time: UTCTime(seconds: 1_800_000_000 + second + jump),
        boottime: Monotonic(nanoseconds: second * 1_000_000_000), bootTag: 7)
      if record != nil { written.append(second) }
    }
    #expect(written == [0, 3600, 5000])
  }

  @Test("a step of the system clock is seen, its drift is not")
  func step() {
    var watch = SystemClockWatch(boottime: .zero, time: UTCTime(seconds: 100))
    let drifted = watch.observe(
      boottime: Monotonic(nanoseconds: 10_000_000_000), time: UTCTime(microseconds: 110_400_000))
    #expect(drifted == nil)
    let stepped = watch.observe(
      boottime: Monotonic(nanoseconds: 11_000_000_000), time: UTCTime(seconds: 5000))
    #expect(stepped?.old == UTCTime(microseconds: 111_400_000))
    #expect(stepped?.new == UTCTime(seconds: 5000))
  }
}
