import Glibc
import Testing

@testable import LinuxIO

@Suite("Commit thread") struct CommitThreadTests {
  @Test("does jobs in order and wakes the loop", .timeLimit(.minutes(1)))
  func order() throws {
    let loop = try EventLoop()
    let wakeUp = loop.wakeUp
    let thread = try CommitThread<Int, Int>(
      queueMax: 8, notify: { wakeUp.signal() }, work: { $0 * 2 })
    var outcomes: [Int] = []
    for job in 0..<5 { #expect(thread.submit(job)) }
    while outcomes.count < 5 {
      for event in try loop.wait() where event == .wokenUp { outcomes += thread.takeOutcomes() }
    }
    #expect(outcomes == [0, 2, 4, 6, 8])
  }

  @Test("refuses what its queue does not hold, without waiting", .timeLimit(.minutes(1)))
  func bounded() throws {
    var gate: [CInt] = [0, 0]
    #expect(pipe(&gate) == 0)
    let (readEnd, writeEnd) = (gate[0], gate[1])
    defer { close(readEnd) }
    let wait: @Sendable (Int) -> Int = { job in
      var byte: UInt8 = 0
      return read(readEnd, &byte, 1) == 0 ? job : -1
    }
    let thread = try CommitThread(queueMax: 3, notify: {}, work: wait)
    let taken = (0..<5).map { thread.submit($0) }
    #expect(taken == [true, true, true, false, false])
    #expect(thread.takeOutcomes().isEmpty)
    close(writeEnd)
    var outcomes: [Int] = []
    while outcomes.count < 3 { outcomes += thread.waitForOutcomes() }
    #expect(outcomes == [0, 1, 2])
    #expect(thread.waitForOutcomes().isEmpty)
    #expect(thread.submit(7))
  }

  @Test("finishes what was handed over before it ends", .timeLimit(.minutes(1)))
  func ending() throws {
    var ends: [CInt] = [0, 0]
    #expect(pipe(&ends) == 0)
    let writeEnd = ends[1]
    do {
      let work: @Sendable (UInt8) -> Int = { job in
        usleep(1000)
        var byte = job
        return write(writeEnd, &byte, 1)
      }
      let thread = try CommitThread(queueMax: 8, notify: {}, work: work)
      for job in 1...6 { #expect(thread.submit(UInt8(job))) }
    }
    close(writeEnd)
    var bytes = [UInt8](repeating: 0, count: 10)
    #expect(read(ends[0], &bytes, 10) == 6)
    #expect(bytes.prefix(6) == [1, 2, 3, 4, 5, 6])
    close(ends[0])
  }
}
