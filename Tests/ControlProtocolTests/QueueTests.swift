import Bytes
import Testing

@testable import ControlProtocol

@Suite("Control queue") struct ControlQueueTests {
  private static func line(_ number: Int) -> [UInt8] { Array("line \(number)\n".utf8) }

  private func drain(_ queue: inout ControlQueue, by count: Int = 4096) -> String {
    var bytes: [UInt8] = []
    while let piece = queue.next(byteCountMax: count) { bytes += piece }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("keeps the order, whatever is sent at once", arguments: [1, 3, 4096])
  func order(byteCount: Int) {
    var queue = ControlQueue()
    for number in 0..<5 {
      if number % 2 == 0 {
        queue.add(answer: Self.line(number))
      } else {
        queue.add(update: Self.line(number))
      }
    }
    #expect(drain(&queue, by: byteCount) == "line 0\nline 1\nline 2\nline 3\nline 4\n")
    #expect(queue.isEmpty && queue.lostCount == 0)
  }

  @Test("the oldest updates give way, answers stay, and the loss is told")
  func overflow() {
    var queue = ControlQueue()
    queue.add(answer: Self.line(-1))
    for number in 0..<(ControlQueue.updateCountMax + 10) { queue.add(update: Self.line(number)) }
    #expect(queue.lostCount == 10)
    let lines = drain(&queue).split(separator: "\n")
    #expect(lines.prefix(3) == [#"{"type":"lost","count":10}"#, "line -1", "line 10"])
    #expect(lines.count == ControlQueue.updateCountMax + 2)
    queue.add(update: Self.line(1))
    #expect(drain(&queue) == "line 1\n")
  }

  @Test("a line that is partly sent is sent to its end")
  func partly() {
    var queue = ControlQueue()
    queue.add(update: Self.line(0))
    #expect(queue.next(byteCountMax: 3) == Array("lin".utf8))
    for number in 1...ControlQueue.updateCountMax { queue.add(update: Self.line(number)) }
    #expect(queue.lostCount == 1)
    #expect(drain(&queue).hasPrefix("e 0\n{\"type\":\"lost\",\"count\":1}\nline 2\n"))
  }

  @Test("is bounded in bytes, also by one huge update")
  func bytes() {
    var queue = ControlQueue()
    let huge = [UInt8](repeating: 65, count: ControlQueue.updateByteCountMax)
    queue.add(update: huge)
    queue.add(update: Self.line(1))
    #expect(queue.lostCount == 1)
    queue.add(update: huge + huge)
    #expect(queue.lostCount == 3)
    #expect(drain(&queue) == "{\"type\":\"lost\",\"count\":3}\n")
    queue.add(update: huge + [10])
    queue.add(answer: huge)
    queue.add(answer: huge)
    #expect(!queue.isCongested)
    queue.add(answer: [10])
    #expect(queue.isCongested)
  }
}

@Suite("Line assembler") struct LineAssemblerTests {
  @Test("cuts lines, whatever pieces they come in", arguments: [1, 2, 3, 100])
  func pieces(byteCount: Int) {
    var assembler = LineAssembler(byteCountMax: 5)
    let stream = Array("ab\n\n12345\n123456789\nx\r\n\r\ny".utf8)
    var lines: [LineAssembler.Line] = []
    for start in stride(from: 0, to: stream.count, by: byteCount) {
      let piece = Array(stream[start..<min(start + byteCount, stream.count)])
      lines += piece.withByteView { assembler.take($0) }
    }
    let expected: [LineAssembler.Line] = [
      .text(Array("ab".utf8)), .text(Array("12345".utf8)), .tooLong, .text(Array("x\r".utf8)),
    ]
    #expect(lines == expected)
  }
}
