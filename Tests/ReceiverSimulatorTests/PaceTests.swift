import GNSS
import Testing

@testable import ReceiverSimulator

@Suite("Pace") struct PaceTests {
  static func at(_ seconds: Double) -> Monotonic {
    Monotonic(nanoseconds: Int64(seconds * 1e9))
  }

  @Test("the recording passes so many times as fast", arguments: [0.5, 1, 10, 1e9])
  func speed(factor: Double) {
    let pace = Pace(speed: factor, from: Self.at(100), isPaused: false)
    #expect(pace.instant(of: .seconds(30)) == Self.at(100 + 30 / factor))
  }

  @Test("a pause puts off all that follows")
  func pauses() {
    var pace = Pace(speed: 2, from: Self.at(0), isPaused: true)
    #expect(pace.instant(of: .zero) == .never)
    pace.resume(at: Self.at(5), delay: .seconds(1))
    #expect(pace.instant(of: .seconds(4)) == Self.at(8))
    pace.resume(at: Self.at(6), delay: .seconds(1))
    #expect(pace.instant(of: .seconds(4)) == Self.at(8), "it was not paused")
    pace.pause(at: Self.at(7))
    pace.pause(at: Self.at(9))
    pace.resume(at: Self.at(10))
    #expect(pace.instant(of: .seconds(4)) == Self.at(11))
  }

  @Test("what is due after all time is never sent")
  func saturates() {
    let pace = Pace(speed: 0.001, from: Self.at(1), isPaused: false)
    #expect(pace.instant(of: .nanoseconds(Int64.max)) == .never)
  }
}
